internal import Glibc

/// The addresses of a host, since libmosquitto tries one alone when it connects without blocking.
enum HostAddresses {
    /// The most addresses of one name.
    private static let limit = 8

    /// Looks a host up, which blocks: its addresses in digits, in the system's order (getaddrinfo(3)).
    static func lookUp(_ host: String) throws(MQTTError) -> [String] {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(host, nil, &hints, &found)
        guard code == 0 else {
            guard code != EAI_SYSTEM else { throw MQTTError(systemCall: "getaddrinfo", errno) }
            throw MQTTError(
                function: "getaddrinfo", code: code, words: unsafe String(cString: gai_strerror(code)))
        }
        defer { unsafe freeaddrinfo(found) }
        var addresses: [String] = []
        var next = unsafe found
        while let entry = unsafe next, addresses.count < limit {
            unsafe addresses.append(digits(of: entry.pointee))
            unsafe next = entry.pointee.ai_next
        }
        return addresses
    }

    private static func digits(of entry: addrinfo) -> String {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let space = socklen_t(text.count)
        unsafe getnameinfo(entry.ai_addr, entry.ai_addrlen, &text, space, nil, 0, NI_NUMERICHOST)
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
