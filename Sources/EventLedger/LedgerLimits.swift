internal import Bytes

/// The bounds of an `EventLedger`.
public struct LedgerLimits: Hashable, Sendable {
    /// The maximum number of publishers; further ones are ignored.
    public var publishers = 1024
    /// The maximum number of early events of one publisher's epoch that wait. The lowest are retained, the others are
    /// requested.
    public var held = 256
    /// The same of all publishers together.
    public var heldInAll = 10_000
    /// The maximum number of concurrent epochs of a publisher: the oldest is given up for one more.
    public var epochs = 4
    /// The number of remembered ended epochs of a publisher, so that their late events are not delivered twice.
    public var closed = 8
    /// The delay between the detection of a gap and the request: most missing events are on their way.
    public var patience: Duration = .seconds(1)
    /// The wait for an answer, doubled with each further try …
    public var timeout: Duration = .seconds(10)
    /// … up to this maximum.
    public var longestTimeout: Duration = .minutes(5)
    /// Consecutive requests without an answer, after which the missing events are given up.
    public var tries = 10
    /// The number of those that are sent to a publisher without a sign of life; the others wait for one.
    public var blindTries = 3
    /// Consecutive answers that include an event, after which a missing one is given up …
    public var rounds = 3
    /// … and the number if no event at all is received: the route may be blocked for a while.
    public var blindRounds = 8
    /// Consecutive answers without any event, after each multiple of which the subscription counts as stalled.
    public var stallRounds = 2
    /// The highest accepted number: up to it numbers in JSON are whole.
    public var highest: UInt64 = 1 << 53

    /// The default bounds.
    public init() {}
}
