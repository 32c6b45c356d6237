/// A whole answer: status, head and body.
public struct HTTPResponse: Hashable, Sendable {
    /// A field of the head. One whose value holds a line end is left out.
    public struct Header: Hashable, Sendable {
        /// Its name, such as `Content-Type`.
        public var name: String
        /// Its value.
        public var value: String

        /// A field by name and value.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The status code (RFC 9110 section 15).
    public var status: Int
    /// The fields of the head, without those of the connection and the body's length.
    public var headers: [Header]
    /// The body. Of an answer to HEAD its length alone is sent.
    public var body: [UInt8]

    /// An answer with all its parts.
    public init(_ status: Int, headers: [Header] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// A request that the server itself refuses, without its handler.
public struct HTTPRefusal: Error, Hashable, Sendable {
    /// The status code, 400 or above.
    public var status: Int
    /// The reason for people: what is wrong, and what would be right.
    public var detail: String

    /// A refusal by status and reason.
    public init(_ status: Int, _ detail: String) {
        self.status = status
        self.detail = detail
    }
}
