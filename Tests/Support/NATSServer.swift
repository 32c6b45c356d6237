internal import Glibc

/// A real nats-server that knows clients of MQTT by certificates, on free ports of 127.0.0.1, with a private folder.
public final class NATSServer: @unchecked Sendable {
    // Its process is started and ended by the test that owns it, from one place at a time.
    /// The path of the program; nil if it is not installed, in which case tests that need it are skipped.
    public static let program: String? = {
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        let folders = path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/local/sbin"]
        return folders.map { $0 + "/nats-server" }.first { access($0, X_OK) == 0 }
    }()

    /// The message of a skipped test.
    public static let missing = "nats-server is not installed"

    /// The port of MQTT, which stays the same over restarts.
    public let port: UInt16
    /// The port of NATS's own protocol.
    public let plainPort: UInt16
    private let folder: TemporaryFolder
    private var process: ChildProcess?

    /// A server that is not started.
    public init() throws {
        port = try Broker.freePort()
        plainPort = try Broker.freePort()
        folder = try TemporaryFolder()
    }

    deinit {
        process?.send(SIGKILL)
        process?.wait()
    }

    /// The address as a URL.
    public var url: String { "mqtts://127.0.0.1:\(port)" }

    /// Starts it, on the same ports as before, and waits until it listens.
    ///
    /// - Parameters:
    ///   - files: the folder with its `broker.pem`, `broker.key` and `ca.pem`.
    ///   - rights: the `authorization` of its configuration.
    public func start(files: String, rights: String) throws {
        guard let program = Self.program else { throw BrokerFault(description: Self.missing) }
        try write(rights, to: folder.file("rights.conf"))
        let configuration = """
            server_name: test
            listen: "127.0.0.1:\(plainPort)"
            jetstream { store_dir: "\(folder.file("store"))" }
            mqtt {
              listen: "127.0.0.1:\(port)"
              tls {
                cert_file: "\(files)/broker.pem"
                key_file: "\(files)/broker.key"
                ca_file: "\(files)/ca.pem"
                verify_and_map: true
              }
            }
            include "rights.conf"

            """
        try write(configuration, to: folder.file("nats-server.conf"))
        let child = try ChildProcess(program, ["-c", folder.file("nats-server.conf")], output: folder.file("log"))
        process = child
        guard waitUntil(30, { log.contains("Server is ready\n") || !child.isRunning }), child.isRunning else {
            throw BrokerFault(description: "nats-server didn't start: \(log)")
        }
    }

    /// Ends it by SIGTERM.
    public func stop() {
        process?.terminate()
        _ = process?.wait(atMost: 10)
        process = nil
    }

    /// Its log since its last start.
    public var log: String { readFile(folder.file("log")) ?? "" }
}
