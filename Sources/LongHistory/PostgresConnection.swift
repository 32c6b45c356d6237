internal import Bytes
internal import CPostgres
internal import Glibc

/// One connection to PostgreSQL, of one thread. No call waits longer than its deadline, nor after `ending` is readable.
@safe final class PostgresConnection {
    /// The longest time for a host, over all its addresses and steps, names excepted: libpq blocks for those.
    private static let connectBound = 60
    /// The time for a statement. The server ends it earlier by itself.
    private static let statementBound: Duration = .seconds(90)

    private let connection: OpaquePointer
    private let ending: Int32

    /// Connects to the first host of a list that takes the connection; blocks until that succeeded or failed.
    ///
    /// Each host has a deadline of its own. As in libpq, a host that rejects the user ends the search. One that
    /// `target_session_attrs` excludes does not.
    static func open(
        _ options: [(key: String, value: String)], ending: Int32
    ) throws(HistoryError) -> PostgresConnection {
        let hosts = ConnectionOptions.splitHosts(options)
        var failures: [String] = []
        for options in hosts {
            do throws(HistoryError) {
                return try PostgresConnection(options, ending: ending)
            } catch {
                guard error.kind == .unreachable, hosts.count > 1 else { throw error }
                let host = options.first { $0.key == "host" || $0.key == "hostaddr" }?.value ?? ""
                failures.append("\(host): \(error.words)")
            }
        }
        throw HistoryError(.unreachable, purpose: "connect", words: failures.joined(separator: "; "))
    }

    /// Connects to one host; blocks until that succeeded or failed.
    private init(_ options: [(key: String, value: String)], ending: Int32) throws(HistoryError) {
        self.ending = ending
        let keys = CTexts(options.map(\.key)), values = CTexts(options.map(\.value))
        let begun = unsafe PQconnectStartParams(keys.pointers, values.pointers, 0)
        _ = consume keys
        _ = consume values
        guard let connection = unsafe begun else {
            throw HistoryError(.unreachable, purpose: "connect", words: "no memory")
        }
        unsafe self.connection = connection
        // Otherwise libpq prints what a server says at its end.
        _ = unsafe PQsetNoticeProcessor(connection, { _, _ in }, nil)
        // A refused connection has no result with fields: the text alone can hold its SQLSTATE.
        _ = unsafe PQsetErrorVerbosity(connection, PQERRORS_VERBOSE)
        // A refusal at once leaves no socket to wait for.
        guard unsafe PQstatus(connection) != CONNECTION_BAD else { throw connectionError() }
        let timeout = options.first { $0.key == "connect_timeout" }.flatMap { Int($0.value) } ?? Self.connectBound
        try finishConnecting(until: .now + .seconds(min(max(timeout, 1), Self.connectBound)))
    }

    deinit { unsafe PQfinish(connection) }

    /// The descriptor of the connection; readable in a pause if the server has something to say, as at its end.
    var descriptor: Int32 { unsafe PQsocket(connection) }

    /// The version of the server, such as 150004.
    var serverVersion: Int { Int(unsafe PQserverVersion(connection)) }

    /// A parameter of the server that it reports, such as `server_encoding`.
    func parameter(_ name: String) -> String? {
        unsafe PQparameterStatus(connection, name).map { unsafe String(cString: $0) }
    }

    /// Reads what the server has sent in a pause; throws if the connection is broken.
    func checkAlive() throws(HistoryError) {
        guard unsafe PQconsumeInput(connection) == 1, unsafe PQstatus(connection) == CONNECTION_OK else {
            throw lost("wait")
        }
        while let notice = unsafe PQnotifies(connection) { unsafe PQfreemem(notice) }
    }

    /// Runs statements without parameters.
    func execute(_ text: String, _ purpose: String) throws(HistoryError) {
        guard unsafe PQsendQuery(connection, text) == 1 else { throw lost(purpose) }
        _ = try finish(purpose)
    }

    /// Runs a statement, and returns its rows as texts; NULL is nil.
    @discardableResult
    func query(_ text: String, _ values: [String], _ purpose: String) throws(HistoryError) -> [[String?]] {
        let texts = CTexts(values)
        let isSent = unsafe PQsendQueryParams(
            connection, text, Int32(values.count), nil, texts.pointers, nil, nil, 0)
        _ = consume texts
        guard isSent == 1 else { throw lost(purpose) }
        return try finish(purpose)
    }

    // MARK: Pieces

    private func finishConnecting(until deadline: MonotonicTime) throws(HistoryError) {
        var step = PGRES_POLLING_WRITING
        while true {
            switch step {
            case PGRES_POLLING_OK: break
            case PGRES_POLLING_READING, PGRES_POLLING_WRITING:
                try wait(for: step == PGRES_POLLING_READING ? POLLIN : POLLOUT, until: deadline, "connect")
                step = unsafe PQconnectPoll(connection)
                continue
            default: throw connectionError()
            }
            break
        }
        _ = unsafe PQsetErrorVerbosity(connection, PQERRORS_DEFAULT)
        guard unsafe PQsetnonblocking(connection, 1) == 0 else { throw lost("connect") }
    }

    private func connectionError() -> HistoryError {
        HistoryError(refusal: unsafe String(cString: PQerrorMessage(connection)))
    }

    /// Sends the rest, and reads all results. Throws the first error of the server once all are read.
    private func finish(_ purpose: String) throws(HistoryError) -> [[String?]] {
        let deadline = MonotonicTime.now + Self.statementBound
        while true {
            let rest = unsafe PQflush(connection)
            guard rest >= 0 else { throw lost(purpose) }
            guard rest > 0 else { break }
            try wait(for: POLLIN | POLLOUT, until: deadline, purpose)
            guard unsafe PQconsumeInput(connection) == 1 else { throw lost(purpose) }
        }
        var rows: [[String?]] = []
        var fault: HistoryError?
        while true {
            while unsafe PQisBusy(connection) == 1 {
                try wait(for: POLLIN, until: deadline, purpose)
                guard unsafe PQconsumeInput(connection) == 1 else { throw lost(purpose) }
            }
            guard let result = unsafe PQgetResult(connection) else { break }
            defer { unsafe PQclear(result) }
            switch unsafe PQresultStatus(result) {
            case PGRES_TUPLES_OK: unsafe rows += Self.rows(of: result)
            case PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: break
            default: if fault == nil { fault = unsafe Self.error(of: result, purpose) }
            }
        }
        if let fault { throw fault }
        guard unsafe PQstatus(connection) == CONNECTION_OK else { throw lost(purpose) }
        return rows
    }

    @unsafe private static func rows(of result: OpaquePointer) -> [[String?]] {
        (0..<(unsafe PQntuples(result))).map { row in
            (0..<(unsafe PQnfields(result))).map { column in
                guard unsafe PQgetisnull(result, row, column) == 0 else { return nil }
                return unsafe String(cString: PQgetvalue(result, row, column))
            }
        }
    }

    @unsafe private static func error(of result: OpaquePointer, _ purpose: String) -> HistoryError {
        // The fields for errors are macros of characters, PG_DIAG_SQLSTATE and PG_DIAG_MESSAGE_PRIMARY.
        let state = unsafe PQresultErrorField(result, 0x43).map { unsafe String(cString: $0) } ?? "08006"
        let primary = unsafe PQresultErrorField(result, 0x4D) ?? PQresultErrorMessage(result)
        let words = unsafe primary.map { unsafe HistoryError.line($0) } ?? "no reason is given"
        return HistoryError(state: state, purpose: purpose, words: "\(words) (\(state))")
    }

    private func lost(_ purpose: String) -> HistoryError {
        HistoryError(.unreachable, purpose: purpose, words: unsafe HistoryError.line(PQerrorMessage(connection)))
    }

    private func wait(for events: Int32, until deadline: MonotonicTime, _ purpose: String) throws(HistoryError) {
        let left = max(.zero, deadline - .now) / .milliseconds(1)
        var waiting = [
            pollfd(fd: descriptor, events: Int16(events), revents: 0),
            pollfd(fd: ending, events: Int16(POLLIN), revents: 0),
        ]
        let count = unsafe poll(&waiting, 2, Int32(left.rounded(.up)))
        guard waiting[1].revents == 0 else { throw HistoryError(.ended, purpose: purpose, words: "the program ends") }
        guard count > 0 || (count < 0 && errno == EINTR) else {
            throw HistoryError(.unreachable, purpose: purpose, words: "no answer in time")
        }
    }
}

/// Texts as C takes them, with a null pointer at the end, as long as this lives.
@safe private struct CTexts: ~Copyable {
    let pointers: [UnsafePointer<CChar>?]

    init(_ texts: [String]) {
        unsafe pointers = texts.map { unsafe UnsafePointer(strdup($0)) } + [nil]
    }

    deinit {
        for index in unsafe pointers.indices { unsafe free(UnsafeMutablePointer(mutating: pointers[index])) }
    }
}

extension MonotonicTime {
    /// This moment on CLOCK_MONOTONIC.
    static var now: MonotonicTime {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
