internal import CMicroHTTPD
internal import Glibc

/// A socket that listens (socket(2), bind(2), listen(2)). Closed with its owner.
final class ListeningSocket: Sendable {
    let descriptor: Int32
    /// The port, which the kernel chose if 0 was wanted.
    let port: UInt16

    /// Connections that wait to be accepted. The kernel refuses more.
    private static let backlog: Int32 = 128

    /// Listens at an address of this machine. An IPv6 address takes IPv6 alone.
    init(host: String, port: UInt16) throws(WebError) {
        let context = host.contains(":") ? "listen on [\(host)]:\(port)" : "listen on \(host):\(port)"
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(host, "\(port)", &hints, &found)
        guard code == 0, let address = unsafe found else {
            throw WebError(context, unsafe String(cString: gai_strerror(code)))
        }
        defer { unsafe freeaddrinfo(address) }
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let socket = unsafe Glibc.socket(address.pointee.ai_family, kind, 0)
        guard socket >= 0 else { throw WebError(context, code: errno) }
        var on: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        unsafe setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, size)
        if unsafe address.pointee.ai_family == AF_INET6 {
            unsafe setsockopt(socket, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &on, size)
        }
        guard unsafe bind(socket, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0,
            listen(socket, Self.backlog) == 0,
            let bound = Self.port(of: socket)
        else {
            let code = errno
            close(socket)
            throw WebError(context, code: code)
        }
        descriptor = socket
        self.port = bound
    }

    deinit { close(descriptor) }

    private static func port(of socket: Int32) -> UInt16? {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(socket, $0, &length)
            }
        }
        guard code == 0 else { return nil }
        // The port is at the same place for both families.
        return unsafe withUnsafeBytes(of: &address) {
            unsafe UInt16(bigEndian: $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
        }
    }
}
