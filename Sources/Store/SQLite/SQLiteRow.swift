internal import Bytes
internal import CSQLite

/// The current row of a statement, valid until the next step (sqlite3_column_*).
@safe struct SQLiteRow: ~Copyable, ~Escapable {
    private let statement: OpaquePointer

    @_lifetime(borrow owner)
    init(_ statement: OpaquePointer, of owner: borrowing SQLiteConnection) {
        unsafe self.statement = statement
    }

    func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(statement, column) == SQLITE_NULL }

    func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(statement, column) }

    /// A number that counts from 0; a negative one, a sign of damage, reads as 0.
    func count(_ column: Int32) -> UInt64 { UInt64(clamping: integer(column)) }

    func time(_ column: Int32) -> Timestamp { Timestamp(microseconds: integer(column)) }

    func optionalTime(_ column: Int32) -> Timestamp? { isNull(column) ? nil : time(column) }

    /// Text; invalid UTF-8 is repaired.
    func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

    func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    /// A blob, or the bytes of a text.
    func bytes(_ column: Int32) -> [UInt8] {
        // The order matters: the first call may convert, the second counts the result.
        guard let start = unsafe sqlite3_column_blob(statement, column) else { return [] }
        let count = unsafe sqlite3_column_bytes(statement, column)
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: Int(count)))
    }
}

/// A parameter of a statement.
enum SQLiteValue {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])

    static func time(_ time: Timestamp) -> SQLiteValue { .integer(time.microseconds) }
    static func time(_ time: Timestamp?) -> SQLiteValue { time.map { .integer($0.microseconds) } ?? .null }
    static func text(_ text: String?) -> SQLiteValue { text.map { .text($0) } ?? .null }
    /// A number that counts from 0; above 2^63 it is limited to SQLite's range, which no count reaches.
    static func count(_ count: UInt64) -> SQLiteValue { .integer(Int64(clamping: count)) }
}
