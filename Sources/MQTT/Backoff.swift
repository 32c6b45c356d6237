/// The pauses between attempts to connect: the bound doubles each time up to a maximum, and each pause is random below
/// it ("full jitter"), so that a fleet doesn't reconnect in one burst.
public struct Backoff: Hashable, Sendable {
    /// The longest first pause, in seconds.
    public var first: Double
    /// The longest pause of all, in seconds.
    public var maximum: Double
    private var failures = 0

    /// Pauses of at most `first` seconds initially, and `maximum` in the end.
    public init(first: Double = 0.5, maximum: Double = 60) {
        self.first = first
        self.maximum = maximum
    }

    /// The upper bound of the next pause, in seconds.
    public var ceiling: Double {
        var ceiling = first
        for _ in 0..<failures where ceiling < maximum { ceiling *= 2 }
        return min(ceiling, maximum)
    }

    /// The next pause in seconds, after one more failure.
    public mutating func next(using generator: inout some RandomNumberGenerator) -> Double {
        let ceiling = ceiling
        failures = min(failures + 1, 64)
        return ceiling > 0 ? Double.random(in: 0...ceiling, using: &generator) : 0
    }

    /// The time in seconds for which a connection must hold so that the pauses begin anew. A cluster that recovers accepts
    /// connections and closes them some five seconds later, and each one that is made costs it work; two clients with one id
    /// end each other's.
    static let stableAfter = 30.0

    /// Records that a connection has ended which held for so many seconds.
    mutating func recordEnd(afterSeconds seconds: Double) { if seconds > Self.stableAfter { failures = 0 } }
}
