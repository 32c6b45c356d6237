/// The address of a broker: `mqtt://host[:port]`, or `mqtts://…` with TLS.
public struct BrokerURL: Hashable, Sendable, CustomStringConvertible {
    /// The reason why a text isn't such a URL. It never repeats the text, which may contain a password.
    public struct Fault: Error, Hashable, Sendable {
        /// The expected form, or an alternative.
        public var message: String
    }

    /// True if TLS protects the connection.
    public var isSecure: Bool
    /// Host and port; 1883 by default, or 8883 with TLS.
    public var address: NetworkAddress

    /// Reads a URL.
    public init(_ text: String) throws(Fault) {
        let form = "expected mqtt://host[:port] or mqtts://host[:port], an IPv6 address in brackets"
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { throw Fault(message: form) }
        switch text[..<colon].lowercased() {
        case "mqtt", "tcp": isSecure = false
        case "mqtts", "ssl": isSecure = true
        case "ws", "wss": throw Fault(message: "WebSockets are not supported; \(form)")
        default: throw Fault(message: form)
        }
        let place = text[colon...].dropFirst("://".count)
        guard !place.contains("@") else {
            throw Fault(message: "name and password don't belong into the URL; use 'username' and 'password_file'")
        }
        let rest = place.hasSuffix("/") ? place.dropLast() : place
        guard let address = NetworkAddress(String(rest), defaultPort: isSecure ? 8883 : 1883) else {
            throw Fault(message: form)
        }
        self.address = address
    }

    /// `mqtt://host:port`.
    public var description: String { "\(isSecure ? "mqtts" : "mqtt")://\(address)" }
}
