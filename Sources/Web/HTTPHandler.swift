/// The application behind a server. Both functions are called on the server's thread, and must not block.
public protocol HTTPHandler: Sendable {
    /// The answer to a request.
    func answer(_ request: HTTPRequest) -> HTTPAnswer
    /// True if a request, whose body has not been received, may have a large one. It is asked only then.
    func takesLargeBody(_ head: HTTPRequest) -> Bool
    /// The answer to a request that the server refuses.
    func refuse(_ refusal: HTTPRefusal) -> HTTPResponse
}

extension HTTPHandler {
    /// Takes no large bodies.
    public func takesLargeBody(_ head: HTTPRequest) -> Bool { false }
}

/// The answer to a request, or the promise of one.
public enum HTTPAnswer: Sendable {
    /// The whole answer.
    case now(HTTPResponse)
    /// The whole answer, sent after a time, to the next half second.
    case delayed(HTTPResponse, by: Duration)
    /// An answer that another thread gives.
    case later(DeferredAnswer)
    /// Events without an end (status 200).
    case stream(EventStream)
}
