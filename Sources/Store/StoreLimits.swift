internal import Bytes

/// The bounds of a store.
public struct StoreLimits: Hashable, Sendable {
    /// The most events in the ledger (at least 1); the oldest are deleted first.
    public var events = 10_000
    /// The time for which an event is retained, by its `at`.
    public var age: Duration = .days(7)
    /// The most visits of a house (at least 1); those that ended first are deleted first, once an hour.
    public var visits = 100_000
    /// The most rows of a house's journal (at least 1); the first are deleted first, once an hour, and after each
    /// eighth of this number of new rows.
    public var journal = 100_000
    /// The time for which a row of a house's audit is retained, 30 days at least.
    public var auditAge: Duration = .days(400)
    /// The shortest such time, and the most rows; beyond, the first are deleted first, once an hour. Triggers of the
    /// database refuse any other deletion.
    public static let leastAuditAge: Duration = .days(30), auditRows = 100_000
    /// The most marks of true rooms (at least 1); the oldest are deleted first, once an hour.
    public var truth = 10_000
    /// The time for which a visit is retained after its end, a row of the journal, and a mark of a
    /// true room.
    public var visitAge: Duration = .days(30)
    /// The most rows of a table that wait for their export, beyond the bounds above, while the store has
    /// `ExportMarks`; the oldest are deleted first, and counted.
    public var heldRows = 1_000_000
    /// The time for which such a row waits, if the bounds above are shorter.
    public var heldAge: Duration = .days(30)
    /// The most events that wait in memory while the disk accepts none (at least 1); the oldest are dropped first, and
    /// counted.
    public var pendingEvents = 10_000
    /// The most bytes of payload of such events; the oldest are dropped first, and counted.
    public var pendingBytes = 4 << 20
    /// The most records with changes that wait in memory; further ones are dropped, and counted.
    public var pendingChanges = 20_000
    /// The time between two attempts to write while the disk accepts nothing.
    public var retry: Duration = .seconds(5)

    /// The default bounds.
    public init() {}
}

/// The counts of a store since its opening.
public struct StoreStatistics: Hashable, Sendable {
    /// Batches that reached the disk.
    public var transactions: UInt64 = 0
    /// Attempts to write that failed.
    public var failures: UInt64 = 0
    /// Events dropped from the full memory queue: no replay can return them.
    public var droppedEvents: UInt64 = 0
    /// Changes dropped because the memory queue was full.
    public var droppedChanges: UInt64 = 0
    /// Events that wait in memory now.
    public var pendingEvents = 0
    /// Records whose changes wait in memory now.
    public var pendingChanges = 0
    /// Events deleted by the ledger's bounds.
    public var prunedEvents: UInt64 = 0
    /// Rows that were deleted before their export.
    public var lostExports: UInt64 = 0
    /// Rows of the audit that were deleted before their time, since 100,000 later ones came, and that no other database has.
    public var lostAudit: UInt64 = 0
}
