/// The bounds of what a store holds.
public struct StoreLimits: Hashable, Sendable {
    /// Events kept in the ledger (at least 1); the oldest go first.
    public var events = 10_000
    /// Microseconds for which an event is kept, by its `at`.
    public var age: Int64 = 7 * 86_400_000_000
    /// A house's visits kept (at least 1); those that ended first go first, once an hour.
    public var visits = 100_000
    /// Rows of a house's journal kept (at least 1); the first go first, once an hour, and whenever an eighth as many came.
    public var journal = 100_000
    /// Microseconds for which a visit is kept after its end, and a row of the journal.
    public var visitAge: Int64 = 30 * 86_400_000_000
    /// Events that wait in memory while the disk takes none (at least 1); the oldest go first, and are counted.
    public var pendingEvents = 10_000
    /// Bytes of payload of such events; the oldest go first, and are counted.
    public var pendingBytes = 4 << 20
    /// Records whose changes wait in memory; further ones are dropped, and are counted.
    public var pendingChanges = 20_000
    /// Microseconds between two tries to write while the disk takes nothing.
    public var retry: Int64 = 5_000_000

    /// The default bounds.
    public init() {}
}

/// What a store has counted since it was opened.
public struct StoreStatistics: Hashable, Sendable {
    /// Batches that reached the disk.
    public var transactions: UInt64 = 0
    /// Tries to write that failed.
    public var failures: UInt64 = 0
    /// Events that left the memory queue because it was full: no replay can tell them.
    public var droppedEvents: UInt64 = 0
    /// Changes that the full memory queue did not take.
    public var droppedChanges: UInt64 = 0
    /// Events that wait in memory now.
    public var pendingEvents = 0
    /// Records whose changes wait in memory now.
    public var pendingChanges = 0
    /// Events that fell to the ledger's bounds.
    public var prunedEvents: UInt64 = 0
}
