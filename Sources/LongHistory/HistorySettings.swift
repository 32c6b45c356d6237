/// The database of a long history, and the name under which a program writes there.
public struct HistorySettings: Sendable {
    /// The connection as libpq takes it: `host=… dbname=…`, or a URI. It has no password.
    public var connection: String
    /// The house: rows of several houses may share a database.
    public var site: String
    /// The program that writes: rows of several programs of a house may share a database.
    public var publisher: String
    /// The time for which rows are kept there.
    public var keep: Duration
    /// The time after which the server ends a statement: 1 ms to 60 s.
    public var statementTimeout: Duration
    /// The password, read anew for each connection; nil for none. Throws the reason why it can't be read.
    public var password: @Sendable () throws(HistoryError) -> String?

    /// Settings by all their values.
    public init(
        connection: String, site: String, publisher: String, keep: Duration,
        statementTimeout: Duration = .seconds(60),
        password: @escaping @Sendable () throws(HistoryError) -> String? = { () throws(HistoryError) in nil }
    ) {
        self.connection = connection
        self.site = site
        self.publisher = publisher
        self.keep = keep
        self.statementTimeout = statementTimeout
        self.password = password
    }

    /// Checks the connection without connecting. Throws if libpq can't read it, or if it has a password, which belongs
    /// into a file.
    public static func validate(connection: String) throws(HistoryError) {
        _ = try ConnectionOptions.parse(connection)
    }

    /// A remark on a connection to another machine that is not secured; nil if there is none.
    public static func remark(on connection: String) -> String? {
        guard let options = try? ConnectionOptions.parse(connection) else { return nil }
        let hosts = (options["host"] ?? options["hostaddr"] ?? "").split(separator: ",").map(String.init)
        let isLocal = hosts.allSatisfy { $0.hasPrefix("/") || $0 == "localhost" || $0.hasPrefix("127.") || $0 == "::1" }
        let mode = options["sslmode"] ?? "prefer"
        guard !isLocal, mode != "verify-full" else { return nil }
        return
            "sslmode=\(mode) doesn't check that the database is the right one; use sslmode=verify-full with sslrootcert"
    }
}
