internal import Glibc

/// A real PostgreSQL with a private folder that is removed with it, on a socket in that folder and a free port of
/// 127.0.0.1. It runs as a user without rights where the tests run as root.
public final class PostgresServer: @unchecked Sendable {
    // Its process is started and ended by the test that owns it, from one place at a time.
    /// The folder of the programs; nil if there are none, in which case tests that need them are skipped. Debian 12 has
    /// version 15, Debian 13 has 17.
    public static let programs: String? = (14...19).map { "/usr/lib/postgresql/\($0)/bin" }.first { folder in
        access(folder + "/postgres", X_OK) == 0 && access(folder + "/initdb", X_OK) == 0
    }

    /// True if PostgreSQL is installed.
    public static var isInstalled: Bool { programs != nil }
    /// The message of a skipped test.
    public static let missing = "postgresql is not installed"
    /// The password of the user `fuser`, who must give it over TCP.
    public static let password = "quiet-otter-lamp"

    /// The private folder.
    public let folder: String
    /// The port of 127.0.0.1, and of the socket.
    public let port: UInt16
    private let settings: [String]
    private var process: ChildProcess?

    /// The connection over the socket, as the superuser.
    public var connection: String { "host=\(folder) port=\(port) dbname=postgres user=postgres" }
    /// The connection over TCP, which needs the password.
    public var remoteConnection: String { "host=127.0.0.1 port=\(port) dbname=postgres user=fuser sslmode=disable" }

    /// A new database, started by default.
    ///
    /// - Parameter settings: further settings, each `name=value`.
    public init(_ settings: [String] = [], started: Bool = true) throws {
        guard let programs = Self.programs else { throw BrokerFault(description: Self.missing) }
        var template = Array("/tmp/whereabouts-postgres-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError(code: errno) }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        port = try Broker.freePort()
        self.settings = settings
        if geteuid() == 0, let user = getpwnam("postgres") {
            guard chown(folder, user.pointee.pw_uid, user.pointee.pw_gid) == 0 else { throw SystemError(code: errno) }
        }
        let made = try Self.run(
            programs + "/initdb",
            ["-D", folder + "/data", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"],
            output: folder + "/initdb")
        guard made == 0 else { throw BrokerFault(description: "initdb ends with \(made)") }
        if started {
            try start()
            try execute("CREATE ROLE fuser LOGIN SUPERUSER PASSWORD '\(Self.password)'")
        }
    }

    deinit {
        kill()
        // Its children may write for a moment still.
        for _ in 0..<100 where access(folder, F_OK) == 0 {
            _ = try? ChildProcess("/bin/rm", ["-rf", folder]).wait()
            usleep(20_000)
        }
    }

    /// Starts it, and waits until it answers. What a killed one has left may still hold the folder for a moment.
    public func start() throws {
        guard let programs = Self.programs else { return }
        let data = folder + "/data"
        let rules = "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n"
        try write(rules, to: data + "/pg_hba.conf")
        var last = ""
        for _ in 0..<100 {
            let given = [
                "listen_addresses=127.0.0.1", "port=\(port)", "unix_socket_directories=\(folder)", "fsync=off",
                "shared_buffers=32MB", "max_connections=20", "logging_collector=off",
            ]
            let words = ["-D", data] + (given + settings).flatMap { ["-c", $0] }
            let (program, arguments) = Self.unprivileged(programs + "/postgres", words)
            let process = try ChildProcess(program, arguments, output: folder + "/log")
            self.process = process
            let isUp = waitUntil(20) {
                !process.isRunning
                    || (try? Self.run(programs + "/pg_isready", ["-q", "-h", folder, "-p", "\(port)"])) == 0
            }
            if isUp, process.isRunning { return }
            last = "see \(folder)/log"
            kill()
            usleep(100_000)
        }
        throw BrokerFault(description: "postgres doesn't start: \(last)")
    }

    /// Kills it (SIGKILL): its children end by themselves.
    public func kill() {
        process?.send(SIGKILL)
        process?.wait()
        process = nil
    }

    /// Ends it in an orderly way, without waiting for clients.
    public func stop() {
        process?.send(SIGINT)
        process?.wait()
        process = nil
    }

    /// Runs statements.
    public func execute(_ text: String) throws { _ = try rows(text) }

    /// The rows of a query, their columns separated by `|`.
    public func rows(_ text: String) throws -> [String] {
        let outcome = try Execution.run(
            "/usr/bin/psql",
            [
                "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", folder, "-p", "\(port)", "-U", "postgres", "-c",
                text, "postgres",
            ])
        guard outcome.status == 0 else { throw BrokerFault(description: outcome.error) }
        return outcome.lines.map(String.init)
    }

    /// The only number of a query.
    public func number(_ text: String) throws -> Int { Int(try rows(text).first ?? "") ?? -1 }

    private static func unprivileged(_ program: String, _ arguments: [String]) -> (String, [String]) {
        guard geteuid() == 0 else { return (program, arguments) }
        return (
            "/usr/bin/setpriv", ["--reuid=postgres", "--regid=postgres", "--clear-groups", program] + arguments
        )
    }

    private static func run(_ program: String, _ arguments: [String], output: String = "/dev/null") throws -> Int32 {
        let (path, words) = unprivileged(program, arguments)
        return try ChildProcess(path, words, output: output).wait()
    }
}
