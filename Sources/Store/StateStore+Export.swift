/// The rows of a house in the order of their numbers, as another database gets them. Each call reads the disk, and throws
/// if that fails. What waits in memory for a disk is not among them.
extension StateStore {
    /// The visits that were set or changed after change `number`, each with the number of its last change, the first
    /// `limit` at most.
    public func visits(
        changedAfter number: UInt64, limit: Int
    ) throws(StoreError) -> [(change: UInt64, visit: VisitRecord)] {
        try opened().connection.rows(.readVisitsAfter, [.count(number), .integer(Int64(limit))]) { row in
            (change: row.count(5), visit: SQLiteConnection.visit(row))
        }
    }

    /// The rows of the journal after a number, the first `limit` at most.
    public func journal(after number: UInt64, limit: Int) throws(StoreError) -> [JournalRecord] {
        try opened().connection.rows(
            .readJournalAfter, [.count(number), .integer(Int64(limit))], SQLiteConnection.journal)
    }

    /// The rows of the audit after a number, the first `limit` at most.
    public func audit(after number: UInt64, limit: Int) throws(StoreError) -> [AuditRecord] {
        try opened().connection.rows(.readAuditAfter, [.count(number), .integer(Int64(limit))], SQLiteConnection.audit)
    }

    /// The readings after a number, the first `limit` at most.
    public func telemetry(after number: UInt64, limit: Int) throws(StoreError) -> [TelemetryRecord] {
        try opened().connection.rows(
            .readTelemetryAfter, [.count(number), .integer(Int64(limit))], SQLiteConnection.telemetry)
    }

    /// The last number of each of these tables.
    public func exportEnds() throws(StoreError) -> ExportEnds {
        let ends = try opened().connection.ends()
        return ExportEnds(
            visits: ends["visits"] ?? 0, journal: ends["journal"] ?? 0, audit: ends["audit"] ?? 0,
            telemetry: ends["telemetry"] ?? 0)
    }
}
