/// The address of a broker: `mqtt://host[:port]`, or `mqtts://host[:port]` for TLS.
public struct BrokerAddress: Hashable, Sendable {
    /// The protocol of the connection.
    public enum Scheme: String, Sendable {
        /// MQTT over TCP, port 1883 by default.
        case mqtt
        /// MQTT over TLS, port 8883 by default.
        case mqtts

        /// The port registered for it with IANA.
        public var defaultPort: UInt16 { self == .mqtt ? 1883 : 8883 }
    }

    /// The protocol of the connection.
    public var scheme: Scheme
    /// A host name or an address; an IPv6 address without its brackets.
    public var host: String
    /// The TCP port, 1 to 65535.
    public var port: UInt16

    /// An address from its parts, by default with the scheme's own port.
    public init(scheme: Scheme = .mqtt, host: String, port: UInt16? = nil) {
        self.scheme = scheme
        self.host = host
        self.port = port ?? scheme.defaultPort
    }

    /// Reads a URL such as `mqtts://broker.lan:8883` or `mqtt://[fe80::1%eth0]` (RFC 3986 section 3.2).
    ///
    /// A user name or password in it is rejected: they belong in the configuration, where they aren't shown.
    public init(url: String) throws(BrokerAddressFault) {
        let text = Array(url.utf8)
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")), text[colon...].starts(with: "://".utf8),
            let scheme = Scheme(rawValue: String(decoding: text[..<colon], as: UTF8.self).lowercased())
        else { throw .scheme }
        var authority = text[(colon + 3)...]
        if authority.last == UInt8(ascii: "/") { authority.removeLast() }
        guard
            !authority.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
            )
        else { throw .path }
        guard !authority.contains(UInt8(ascii: "@")) else { throw .credentials }

        let host: ArraySlice<UInt8>
        var port = authority[authority.endIndex...]
        let allowed: (UInt8) -> Bool
        if authority.first == UInt8(ascii: "[") {
            guard let close = authority.firstIndex(of: UInt8(ascii: "]")) else { throw .host }
            host = authority[(authority.startIndex + 1)..<close]
            port = authority[(close + 1)...]
            guard host.contains(UInt8(ascii: ":")) else { throw .host }
            allowed = { Self.isNameByte($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "%") }
        } else {
            let end = authority.firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
            host = authority[..<end]
            port = authority[end...]
            allowed = Self.isNameByte
        }
        guard !host.isEmpty, host.count <= 253, host.allSatisfy(allowed) else { throw .host }
        self.init(scheme: scheme, host: String(decoding: host, as: UTF8.self))
        if let first = port.first {
            let digits = port.dropFirst()
            guard first == UInt8(ascii: ":"), digits.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = UInt16(String(decoding: digits, as: UTF8.self)), number > 0
            else { throw .port }
            self.port = number
        }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        default: false
        }
    }
}

extension BrokerAddress: CustomStringConvertible {
    /// The address as a URL, always with its port.
    public var description: String {
        host.utf8.contains(UInt8(ascii: ":"))
            ? "\(scheme.rawValue)://[\(host)]:\(port)" : "\(scheme.rawValue)://\(host):\(port)"
    }
}

/// A fault of a broker's URL.
public enum BrokerAddressFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// It doesn't start with `mqtt://` or `mqtts://`.
    case scheme
    /// The host is missing or has a character that isn't allowed in a host.
    case host
    /// The port isn't a number from 1 to 65535.
    case port
    /// It has a path, a query or a fragment.
    case path
    /// It has a user name or password.
    case credentials

    /// The text of the fault.
    public var description: String {
        switch self {
        case .scheme: "a broker's URL starts with mqtt:// or mqtts://"
        case .host: "the host is missing or has a character that no host name has"
        case .port: "the port is a number from 1 to 65535"
        case .path: "a broker's URL ends after the port"
        case .credentials: "user name and password don't go into the URL"
        }
    }
}
