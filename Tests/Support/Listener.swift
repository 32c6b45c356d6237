internal import Glibc

/// A port that listens and answers nothing: it detects attempts to connect.
public final class Listener {
    private let descriptor: Int32
    /// Its port of 127.0.0.1.
    public let port: UInt16

    /// Listens on a free port.
    public init() throws {
        let socket = try ListeningSocket(Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue))
        (descriptor, port) = (socket.descriptor, socket.port)
    }

    deinit { close(descriptor) }

    /// True if there was a connection since the last call.
    public var wasReached: Bool {
        let connection = accept(descriptor, nil, nil)
        if connection >= 0 { close(connection) }
        return connection >= 0
    }

    /// The first bytes of the next connection, which is closed then; empty if none come within `seconds`.
    public func takeFirstBytes(within seconds: Double) -> [UInt8] {
        func waits(for descriptor: Int32) -> Bool {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            return poll(&waiting, 1, Int32(seconds * 1000)) > 0
        }
        guard waits(for: descriptor) else { return [] }
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else { return [] }
        defer { close(connection) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = waits(for: connection) ? recv(connection, &bytes, bytes.count, 0) : 0
        return Array(bytes.prefix(max(0, count)))
    }
}

/// An address of this machine that answers no attempt to connect, as that of a machine that is off: its queue is full.
/// Or one that accepts connections and sends nothing, as that of a program that hangs.
public final class SilentAddress {
    /// The address.
    public static let host = "127.0.0.2"
    private let listener: Int32
    private let waiting: Int32

    /// Listens on a port of the address.
    ///
    /// - Parameter accepts: true for an address that accepts connections.
    public init(port: UInt16, accepts: Bool = false) throws {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        listener = socket(AF_INET, kind, 0)
        waiting = socket(AF_INET, kind, 0)
        var address = loopback(port: port, 0x7F00_0002)
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isReady = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, accepts ? 16 : 0) == 0
                    && (accepts || connect(waiting, $0, length) == 0)
            }
        }
        guard isReady else { throw SystemError(code: errno) }
    }

    deinit {
        close(waiting)
        close(listener)
    }
}

/// A socket of 127.0.0.1 that listens on a free port. Its creator closes it.
public struct ListeningSocket {
    /// The socket.
    public let descriptor: Int32
    /// Its port.
    public let port: UInt16

    /// Listens. Throws the errno on failure.
    ///
    /// - Parameter kind: the socket's type, with its flags (socket(2)).
    public init(_ kind: Int32) throws {
        let descriptor = socket(AF_INET, kind, 0)
        var address = loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 8) == 0
                    ? getsockname(descriptor, $0, &length) : -1
            }
        }
        guard code == 0 else { throw SystemError(code: errno) }
        self.descriptor = descriptor
        port = UInt16(bigEndian: address.sin_port)
    }
}
