/// The reading of a request's head, before its body is received.
package struct RequestHead {
    /// Its method and its target.
    package var method: HTTPMethod, target: RequestTarget
    /// Its fields, by names in small letters.
    package var headers: [String: String]
    /// The length of the body in bytes.
    package private(set) var bodyLength = 0

    /// Reads a head, and refuses what the limits, or a strict reading of RFC 9112, don't permit.
    ///
    /// - Parameter fields: names and values as they were sent.
    package init(
        method: String, target: [UInt8], fields: [(name: [UInt8], value: [UInt8])], _ limits: HTTPLimits
    ) throws(HTTPRefusal) {
        guard let method = HTTPMethod(rawValue: method) else {
            throw HTTPRefusal(501, "This method is not supported.")
        }
        guard target.count <= limits.targetBytes else {
            throw HTTPRefusal(414, "The target is longer than \(limits.targetBytes) bytes.")
        }
        guard fields.count <= limits.headerCount else {
            throw HTTPRefusal(431, "The head has more than \(limits.headerCount) fields.")
        }
        self.method = method
        self.target = try RequestTarget(target)
        headers = [:]
        for field in fields { try add(field.name, field.value) }
        try checkBody(limits)
    }

    /// Fields of which a second would let two programs read the request differently.
    private static let single: Set<String> = [
        "host", "content-length", "content-type", "authorization", "cookie", "x-csrf-token", "x-ingress-path",
        "x-remote-user-name", "last-event-id", "if-match",
    ]

    private mutating func add(_ name: [UInt8], _ value: [UInt8]) throws(HTTPRefusal) {
        guard !value.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }),
            let name = String(validating: name, as: UTF8.self)?.lowercased(),
            let value = String(validating: value, as: UTF8.self)
        else { throw HTTPRefusal(400, "A field of the head holds control characters, or text that isn't UTF-8.") }
        guard let other = headers[name] else {
            headers[name] = value
            return
        }
        guard !Self.single.contains(name) else { throw HTTPRefusal(400, "The head has the field '\(name)' twice.") }
        headers[name] = other + ", " + value
    }

    /// The refusal of a body that is too large.
    static func tooLarge(_ limits: HTTPLimits) -> HTTPRefusal {
        HTTPRefusal(413, "The body is larger than \(limits.bodyBytes) bytes.")
    }

    /// Bodies have a length from the start, so that one that is too large is refused before it is sent.
    private mutating func checkBody(_ limits: HTTPLimits) throws(HTTPRefusal) {
        guard headers["transfer-encoding"] == nil else {
            throw HTTPRefusal(411, "The body needs a Content-Length.")
        }
        guard let text = headers["content-length"] else { return }
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw HTTPRefusal(400, "The Content-Length is no number.")
        }
        bodyLength = Int(text) ?? Int.max
        guard bodyLength <= max(limits.bodyBytes, limits.largeBodyBytes) else { throw Self.tooLarge(limits) }
    }
}
