/// A whole request: its head and its body.
public struct HTTPRequest: Hashable, Sendable {
    /// The method.
    public var method: HTTPMethod
    /// The path and the query.
    public var target: RequestTarget
    /// The fields of the head by their names in lower case; a repeated one is joined with commas.
    public var headers: [String: String]
    /// The body, empty if there is none.
    public var body: [UInt8]
    /// The address of the other end, without its port, such as `192.168.1.4`.
    public var peer: String

    /// A request with all its parts.
    public init(
        _ method: HTTPMethod, _ target: RequestTarget, headers: [String: String] = [:], body: [UInt8] = [],
        peer: String = "127.0.0.1"
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
        self.peer = peer
    }

    /// The value of a cookie (RFC 6265 section 4.2.1); nil if there is none, or more than one, of this name.
    public func cookie(_ name: String) -> String? {
        var found: String?
        for pair in (headers["cookie"] ?? "").split(separator: ";") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].drop(while: { $0 == " " }) == name else { continue }
            guard found == nil else { return nil }
            found = String(parts[1])
        }
        return found
    }
}
