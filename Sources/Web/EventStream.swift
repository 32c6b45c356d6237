/// The piece of an event stream that comes next.
public enum EventPiece: Hashable, Sendable {
    /// Whole events in their form on the wire.
    case events([UInt8])
    /// Nothing until the server is woken (`HTTPServer.wakeStreams`).
    case nothing
    /// Nothing any more: the stream ends.
    case end
}

/// The events of one client. It is asked only when the client has taken what it was given before, so that a slow reader
/// costs no memory.
public protocol EventSource: AnyObject, Sendable {
    /// The next events, `bound` bytes at most. Called on the server's thread; must not block.
    func nextPiece(atMost bound: Int) -> EventPiece
    /// True if the stream must end although nobody wakes it: `nextPiece` then gives `end`. Asked each half second.
    var isOver: Bool { get }
    /// Called on the server's thread when the connection has ended, for whatever reason.
    func ended()
}

/// An answer of server-sent events (WHATWG HTML section 9.2).
public struct EventStream: Sendable {
    /// The fields of the head beside `Content-Type`.
    public var headers: [HTTPResponse.Header]
    /// The source of the events.
    public var source: any EventSource

    /// A stream from a source.
    public init(headers: [HTTPResponse.Header] = [], source: any EventSource) {
        self.headers = headers
        self.source = source
    }
}
