/// The bounds of an `EventLedger`. Times are nanoseconds.
public struct LedgerLimits: Hashable, Sendable {
    /// Publishers whose events are taken; those of more are left out and counted.
    public var publishers = 1024
    /// Events of one publisher's epoch that wait for one before them; of more the lowest wait, the others are asked for.
    public var held = 256
    /// The same of all publishers together.
    public var heldInAll = 10_000
    /// Epochs of a publisher that are told of at once: the oldest is given up for one more.
    public var epochs = 4
    /// Epochs of a publisher that are over and still known, so that what comes late of them is not taken twice.
    public var closed = 8
    /// From finding that something is missing to asking for it: most of it is on its way.
    public var patience: Int64 = 1_000_000_000
    /// For so long an answer is waited for; twice as long with each further try …
    public var timeout: Int64 = 10_000_000_000
    /// … up to so long.
    public var longestTimeout: Int64 = 300_000_000_000
    /// Requests in a row without an answer, after which what is missing is given up.
    public var tries = 10
    /// So many of them go to a publisher that gives no sign of life; the others wait for one.
    public var blindTries = 3
    /// Answers in a row that tell of events of which some don't come, after which those are given up …
    public var rounds = 3
    /// … and of which none comes: something may keep all of them for a while.
    public var blindRounds = 8
    /// Each time so many answers in a row brought no event at all, the subscription is taken for stalled.
    public var stallRounds = 2
    /// The highest number that is believed: that up to which numbers in JSON are whole.
    public var highest: UInt64 = 1 << 53

    /// The default bounds.
    public init() {}
}

/// What a ledger has counted.
public struct LedgerCounters: Hashable, Sendable {
    /// Events taken.
    public var taken: UInt64 = 0
    /// Events that came once more, and were dropped.
    public var duplicates: UInt64 = 0
    /// Requests made.
    public var asked: UInt64 = 0
    /// Events that are known to have been, and will not come.
    public var lost: UInt64 = 0
    /// Events that came early when no more could wait; they are asked for.
    public var passedOver: UInt64 = 0
    /// Events of publishers beyond the bound.
    public var leftOut: UInt64 = 0
    /// Events with numbers that can't be.
    public var refused: UInt64 = 0
}
