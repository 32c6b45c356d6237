internal import CSQLite

/// One connection to a database, with its prepared statements, for one thread at a time.
@safe final class SQLiteConnection {
    private let handle: OpaquePointer
    private let path: String?
    /// The statements by `Query.rawValue`, prepared at first use and retained.
    private var statements = unsafe [OpaquePointer?](repeating: nil, count: Query.allCases.count)
    /// True if a commit waits until the medium has it (PRAGMA synchronous FULL, otherwise NORMAL).
    private var isFlushing = true

    /// Opens a file, which must exist; for nil, a database in memory. (sqlite3_open_v2)
    init(path: String?) throws(StoreError) {
        var handle: OpaquePointer?
        // One thread at a time uses it, so that SQLite's own mutexes are left out.
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
        let code = unsafe sqlite3_open_v2(path ?? ":memory:", &handle, flags, nil)
        guard code == SQLITE_OK, let opened = unsafe handle else {
            let error = unsafe StoreError(sqlite: code, handle, purpose: "open the database", path: path)
            unsafe sqlite3_close_v2(handle)
            throw error
        }
        unsafe self.handle = opened
        self.path = path
        _ = unsafe sqlite3_extended_result_codes(opened, 1)
    }

    deinit {
        unsafe statements.forEach { unsafe sqlite3_finalize($0) }
        unsafe sqlite3_close_v2(handle)
    }

    /// Runs statements that return no rows, once. (sqlite3_exec)
    func execute(_ text: String, _ purpose: String) throws(StoreError) {
        try checkCode(unsafe sqlite3_exec(handle, text, nil, nil, nil), purpose)
    }

    /// The rows of a pragma or other statement that doesn't stay prepared.
    func values(_ text: String, _ purpose: String) throws(StoreError) -> [String] {
        var statement: OpaquePointer?
        try checkCode(unsafe sqlite3_prepare_v2(handle, text, -1, &statement, nil), purpose)
        defer { unsafe sqlite3_finalize(statement) }
        guard let prepared = unsafe statement else { return [] }
        return try unsafe stepRows(prepared, purpose) { $0.text(0) }
    }

    /// The integer that a pragma or other statement returns; 0 without one.
    func integer(_ text: String, _ purpose: String) throws(StoreError) -> Int64 {
        try values(text, purpose).first.flatMap { Int64($0) } ?? 0
    }

    /// Runs a prepared statement that returns no rows.
    func run(_ query: Query, _ values: SQLiteValue...) throws(StoreError) {
        _ = try rows(query, values) { _ in }
    }

    /// Runs a prepared statement and reads each of its rows.
    func rows<Value>(
        _ query: Query, _ values: [SQLiteValue] = [], _ read: (borrowing SQLiteRow) -> Value
    ) throws(StoreError) -> [Value] {
        let statement = unsafe try prepareStatement(query)
        defer {
            _ = unsafe sqlite3_reset(statement)
            _ = unsafe sqlite3_clear_bindings(statement)
        }
        for (index, value) in values.enumerated() {
            try checkCode(unsafe bindValue(value, at: Int32(index + 1), to: statement), query.purpose)
        }
        return try unsafe stepRows(statement, query.purpose, read)
    }

    /// The number of rows that the previous statement changed. (sqlite3_changes64)
    var changes: UInt64 { UInt64(clamping: unsafe sqlite3_changes64(handle)) }

    /// Runs `body` in one transaction: all of it is stored, or none. `flushing` waits until the medium has it.
    func transaction(flushing: Bool, _ body: () throws(StoreError) -> Void) throws(StoreError) {
        if flushing != isFlushing {
            try execute("PRAGMA synchronous=\(flushing ? "FULL" : "NORMAL")", "choose how to commit")
            isFlushing = flushing
        }
        try run(.begin)
        do throws(StoreError) {
            try body()
            try run(.commit)
        } catch {
            // SQLite may have rolled back by itself (a full disk, no memory).
            if unsafe sqlite3_get_autocommit(handle) == 0 { try? run(.rollback) }
            throw error
        }
    }

    // MARK: Pieces

    private func prepareStatement(_ query: Query) throws(StoreError) -> OpaquePointer {
        if let kept = unsafe statements[query.rawValue] { return unsafe kept }
        var statement: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        try checkCode(unsafe sqlite3_prepare_v3(handle, query.text, -1, flags, &statement, nil), query.purpose)
        guard let made = unsafe statement else { throw makeError(SQLITE_MISUSE, query.purpose) }
        unsafe statements[query.rawValue] = made
        return unsafe made
    }

    private func stepRows<Value>(
        _ statement: OpaquePointer, _ purpose: String, _ read: (borrowing SQLiteRow) -> Value
    ) throws(StoreError) -> [Value] {
        var values: [Value] = []
        while true {
            switch unsafe sqlite3_step(statement) {
            case SQLITE_ROW: values.append(read(unsafe SQLiteRow(statement, of: self)))
            case SQLITE_DONE: return values
            case let code: throw makeError(code, purpose)
            }
        }
    }

    private func bindValue(_ value: SQLiteValue, at index: Int32, to statement: OpaquePointer) -> Int32 {
        // SQLITE_TRANSIENT, a macro that isn't imported into Swift: SQLite makes a copy.
        let copying = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch value {
        case .null: return unsafe sqlite3_bind_null(statement, index)
        case .integer(let number): return unsafe sqlite3_bind_int64(statement, index, number)
        case .text(var text):
            return text.withUTF8 { utf8 in
                unsafe utf8.withMemoryRebound(to: CChar.self) { characters in
                    unsafe sqlite3_bind_text64(
                        statement, index, characters.baseAddress, UInt64(characters.count), copying,
                        UInt8(SQLITE_UTF8))
                }
            }
        case .bytes(let bytes):
            return unsafe bytes.withUnsafeBytes { buffer in
                // An empty blob instead of NULL, which a missing address would mean.
                guard let start = buffer.baseAddress, unsafe !buffer.isEmpty else {
                    return unsafe sqlite3_bind_zeroblob(statement, index, 0)
                }
                return unsafe sqlite3_bind_blob64(statement, index, start, UInt64(buffer.count), copying)
            }
        }
    }

    private func checkCode(_ code: Int32, _ purpose: String) throws(StoreError) {
        guard code == SQLITE_OK else { throw makeError(code, purpose) }
    }

    private func makeError(_ code: Int32, _ purpose: String) -> StoreError {
        unsafe StoreError(sqlite: code, handle, purpose: purpose, path: path)
    }
}
