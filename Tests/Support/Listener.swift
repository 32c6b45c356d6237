internal import Glibc

/// A port that listens and answers nothing: it shows whether somebody tried to connect.
public final class Listener {
    private let descriptor: Int32
    /// Its port of 127.0.0.1.
    public let port: UInt16

    /// Listens on a free port.
    public init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var address = loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 8) == 0
                    ? getsockname(descriptor, $0, &length) : -1
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard code == 0 else { throw SystemError(code: errno) }
    }

    deinit { close(descriptor) }

    /// Whether anybody connected since this was asked last.
    public var wasReached: Bool {
        let connection = accept(descriptor, nil, nil)
        if connection >= 0 { close(connection) }
        return connection >= 0
    }
}
