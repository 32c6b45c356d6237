internal import Glibc

/// A socket of 127.0.0.1 that listens on a free port. Its creator closes it.
struct ListeningSocket {
    let descriptor: Int32
    let port: UInt16

    /// Listens. Throws the errno on failure.
    ///
    /// - Parameter kind: the socket's type, with its flags (socket(2)).
    init(_ kind: Int32) throws {
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
