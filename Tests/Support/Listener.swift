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
