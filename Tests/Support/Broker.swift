internal import Glibc

/// A real mosquitto on a free port of 127.0.0.1, with a private folder that is removed with it.
public final class Broker: @unchecked Sendable {
    // Its process is started and ended by the test that owns it, from one place at a time.
    /// The path of the program; nil if it is not installed, in which case tests that need it are skipped.
    public static let program: String? = {
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        let folders = ["/usr/sbin", "/usr/local/sbin"] + path.split(separator: ":").map(String.init)
        return folders.map { $0 + "/mosquitto" }.first { access($0, X_OK) == 0 }
    }()

    /// True if mosquitto is installed.
    public static var isInstalled: Bool { program != nil }
    /// The message of a skipped test.
    public static let missing = "mosquitto is not installed"

    /// The port, which stays the same over restarts.
    public private(set) var port: UInt16 = 0
    /// The private folder, for files that the configuration names.
    public let folder: String
    private let lines: [String]
    private let persistence: Bool
    private let host: String
    private var process: ChildProcess?

    /// The address as a URL.
    public var url: String { host == "::1" ? "mqtt://[::1]:\(port)" : "mqtt://\(host):\(port)" }

    /// A broker, started by default.
    ///
    /// - Parameters:
    ///   - lines: more lines of `mosquitto.conf`; `%d` in them is replaced by the private folder. Unless they restrict
    ///     it, anybody may connect.
    ///   - persistence: true if retained messages survive a restart, and a kill two seconds after them.
    ///   - files: names and contents of files put into the private folder before.
    ///   - onIPv6: true to listen on `::1` in place of 127.0.0.1.
    public init(
        _ lines: [String] = [], persistence: Bool = false, files: [String: String] = [:], started: Bool = true,
        onIPv6: Bool = false
    ) throws {
        host = onIPv6 ? "::1" : "127.0.0.1"
        var template = Array("/tmp/whereabouts-broker-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError(code: errno) }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        self.folder = folder
        self.lines = lines.map { line in
            line.split(separator: "%d", omittingEmptySubsequences: false).joined(separator: folder)
        }
        self.persistence = persistence
        for (name, content) in files { try write(content, to: "\(folder)/\(name)") }
        // A port that was free a moment ago may have gone to another test.
        for attempt in 1... {
            port = try Self.freePort()
            if !started { return }
            do {
                try start()
                return
            } catch {
                if attempt == 5 { throw error }
            }
        }
    }

    deinit {
        process?.send(SIGKILL)
        process?.wait()
        removeFolder(folder)
    }

    /// Starts it, on the same port as before, and waits until it listens.
    public func start() throws {
        guard let program = Self.program else { throw BrokerFault(description: Self.missing) }
        var configuration = ["listener \(port) \(host)", "user root", "log_type all", "connection_messages true"]
        if !lines.contains(where: { $0.hasPrefix("allow_anonymous") }) { configuration.append("allow_anonymous true") }
        if persistence {
            configuration += ["persistence true", "persistence_location \(folder)/", "autosave_interval 1"]
        } else {
            configuration.append("persistence false")
        }
        configuration += lines
        let file = "\(folder)/mosquitto.conf"
        try write(configuration.joined(separator: "\n") + "\n", to: file)
        let child = try ChildProcess(program, ["-c", file], output: "\(folder)/log")
        process = child
        // It logs that once it listens. A connection could be that of another program to the same port.
        guard waitUntil(30, { log.contains(" running\n") || !child.isRunning }), child.isRunning else {
            throw BrokerFault(description: "mosquitto didn't start: \(log)")
        }
    }

    /// Ends it by SIGTERM: it sends DISCONNECT and writes its store.
    public func stop() {
        process?.terminate()
        _ = process?.wait(atMost: 10)
        process = nil
    }

    /// Kills it with SIGKILL.
    public func kill() {
        process?.send(SIGKILL)
        process?.wait()
        process = nil
    }

    /// Ends it and starts it again on the same port.
    public func restart() throws {
        stop()
        try start()
    }

    /// Its log since its last start.
    public var log: String { readFile("\(folder)/log") ?? "" }

    /// The process id while it runs.
    public var processID: Int32? { process?.processID }

    /// A port of 127.0.0.1 without a listener, which nothing else is given.
    public static func freePort() throws -> UInt16 {
        guard let port = PortBlock.takePort(isFree) else { throw SystemError(code: EADDRINUSE) }
        return port
    }

    private static func isFree(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = loopback(port: port)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    /// True if `::1` can be listened on.
    public static var hasIPv6: Bool {
        let descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = loopback6(port: 0)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
            }
        }
    }

    /// True if a port of 127.0.0.1 or ::1 has a listener.
    public static func listens(on port: UInt16, isIPv6: Bool = false) -> Bool {
        if isIPv6 {
            let descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(descriptor) }
            var address = loopback6(port: port)
            return withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
                }
            }
        }
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = loopback(port: port)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}

/// The reason for which a broker does not run.
public struct BrokerFault: Error, CustomStringConvertible {
    /// The reason as text.
    public var description: String
}

func loopback(port: UInt16, _ host: UInt32 = 0x7F00_0001) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = host.bigEndian
    return address
}

func loopback6(port: UInt16) -> sockaddr_in6 {
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = port.bigEndian
    address.sin6_addr = in6addr_loopback
    return address
}
