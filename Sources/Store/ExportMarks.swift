/// The rows of a house that another database has: those up to a number of each table.
///
/// A store that has marks deletes no other rows, except by `heldRows` and `heldAge` of `StoreLimits`.
public struct ExportMarks: Sendable {
    /// The epoch of `events`; all events of earlier epochs are exported.
    public var epoch = ""
    /// The number of the last exported event of that epoch.
    public var events: UInt64 = 0
    /// The number of the last exported change of a visit.
    public var visits: UInt64 = 0
    /// The number of the last exported row of the journal.
    public var journal: UInt64 = 0
    /// The number of the last exported row of the audit.
    public var audit: UInt64 = 0
    /// The number of the last exported readings.
    public var telemetry: UInt64 = 0

    /// Marks of a store of which nothing is exported.
    public init() {}
}

/// The last number of each table of a store that is exported: changes of visits, rows of the journal and the audit,
/// readings.
public struct ExportEnds: Equatable, Sendable {
    /// The last number; 0 before the first.
    public var visits: UInt64, journal: UInt64, audit: UInt64, telemetry: UInt64
}
