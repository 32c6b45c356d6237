/// The bounds of a server: what one client, or all of them together, may take of it.
public struct HTTPLimits: Hashable, Sendable {
    /// Connections at once. Further ones wait in the kernel's queue until one ends.
    ///
    /// Each takes a descriptor, and libmosquitto's select(2) none above 1023: leave it most of them.
    public var connections = 256
    /// Connections at once from one address. A further one is closed.
    public var connectionsPerAddress = 128
    /// Event streams at once. A further one is answered with 503.
    public var streams = 64
    /// Memory of a connection in bytes: its request's head must fit in, which is otherwise refused (431).
    public var connectionMemory = 24 * 1024
    /// Bytes of a request's target. A longer one is refused (414).
    public var targetBytes = 4096
    /// Fields of a request's head. More are refused (431).
    public var headerCount = 64
    /// Bytes of a request's body. A larger one is refused (413) when its head has arrived.
    public var bodyBytes = 64 * 1024
    /// Bytes of a body that the handler takes although it is larger than that.
    public var largeBodyBytes = 1_000_000
    /// The time after which a connection is closed that sends and takes nothing.
    public var idle: Duration = .seconds(20)
    /// The time for a request and its answer, from the end of the one before. A stream has begun when it has its head.
    public var request: Duration = .seconds(60)
    /// The time for a request's head while three quarters of all connections are taken: those who ask come first.
    public var headWhenCrowded: Duration = .seconds(1)
    /// The time after which a deferred answer is given up (504).
    public var answer: Duration = .seconds(15)
    /// The time after which a silent stream sends a comment, by which a lost client is found.
    public var ping: Duration = .seconds(15)
    /// The shortest time between two rounds in which streams are filled.
    public var streamPause: Duration = .milliseconds(50)
    /// Bytes that a stream takes from its source at once.
    public var streamBytes = 64 * 1024

    /// The limits of a house's page.
    public init() {}
}
