/// A host and a port, as `host:port` with an IPv6 address in brackets (RFC 3986 section 3.2).
public struct NetworkAddress: Hashable, Sendable, CustomStringConvertible {
    /// A name or an address, IPv6 without brackets.
    public var host: String
    /// 1...65535.
    public var port: UInt16

    /// An address from its parts.
    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Reads `host`, `host:port` or `[address]:port`; nil for any other text, and for one without a port if there is no
    /// default.
    public init?(_ text: String, defaultPort: UInt16? = nil) {
        var host = Substring(text)
        var rest = Substring()
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = text[text.index(after: text.startIndex)..<end]
            rest = text[text.index(after: end)...]
            guard host.utf8.contains(0x3A), Self.isHost(host, extra: [0x3A, 0x25]) else { return nil }
        } else {
            if let colon = text.firstIndex(of: ":") {
                host = text[..<colon]
                rest = text[colon...]
            }
            guard Self.isHost(host, extra: []) else { return nil }
        }
        if rest.isEmpty {
            guard let defaultPort else { return nil }
            self.init(host: String(host), port: defaultPort)
        } else {
            let digits = rest.dropFirst()
            guard rest.first == ":", digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let port = UInt16(digits), port > 0
            else { return nil }
            self.init(host: String(host), port: port)
        }
    }

    private static func isHost(_ host: Substring, extra: [UInt8]) -> Bool {
        (1...253).contains(host.utf8.count)
            && host.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x2D || byte == 0x2E
                    || byte == 0x5F || extra.contains(byte)
            }
    }

    /// `host:port`, an IPv6 address in brackets.
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
