internal import Bytes

/// The numbers of rows that were deleted before their time.
struct StoreLosses {
    /// Rows that waited for their export.
    var exports: UInt64 = 0
    /// Rows of the audit that were younger than its age, and that no other database has.
    var audit: UInt64 = 0

    static func += (total: inout StoreLosses, more: StoreLosses) {
        total.exports += more.exports
        total.audit += more.audit
    }
}

/// The bounds of a house's rows. A row that waits for its export is deleted by the bounds of rows that wait alone.
extension SQLiteConnection {
    /// Deletes rows that are too old, and those over their bounds. Returns the numbers of those that went before their
    /// time.
    func pruneHouse(
        at now: Timestamp, _ limits: StoreLimits, _ marks: ExportMarks?
    ) throws(StoreError) -> StoreLosses {
        let end = now.advanced(by: -limits.visitAge)
        let heldEnd = now.advanced(by: -max(limits.visitAge, limits.heldAge))
        var lost: UInt64 = 0
        try run(.agePruneVisits, .time(end), .count(marks?.visits ?? .max))
        try run(.agePruneJournal, .time(end), .count(marks?.journal ?? .max))
        if marks != nil {
            try run(.agePruneVisits, .time(heldEnd), .count(.max))
            lost += changes
            try run(.agePruneJournal, .time(heldEnd), .count(.max))
            lost += changes
        }
        lost += try pruneVisits(limits, marks)
        lost += try pruneJournal(limits, marks)
        let young = try pruneAudit(limits, marks)
        lost += try pruneTelemetry(before: heldEnd, limits, marks)
        try run(.agePruneTruth, .time(end))
        try run(.pruneTruth, .integer(Int64(max(1, limits.truth))))
        return StoreLosses(exports: lost + young.exports, audit: young.audit)
    }

    /// Deletes the first rows of the journal if there are too many. Returns the number of rows that waited.
    func pruneJournal(_ limits: StoreLimits, _ marks: ExportMarks?) throws(StoreError) -> UInt64 {
        try prune(.pruneJournal, limits.journal, limits, marks, marks?.journal)
    }

    private func prune(
        _ query: Query, _ bound: Int, _ limits: StoreLimits, _ marks: ExportMarks?, _ exported: UInt64?
    ) throws(StoreError) -> UInt64 {
        try run(query, .integer(Int64(max(1, bound))), .count(exported ?? .max))
        guard marks != nil else { return 0 }
        try run(query, .integer(Int64(max(1, bound, limits.heldRows))), .count(.max))
        return changes
    }

    private func pruneAudit(_ limits: StoreLimits, _ marks: ExportMarks?) throws(StoreError) -> StoreLosses {
        let age = max(limits.auditAge, StoreLimits.leastAuditAge)
        let rows = max(StoreLimits.auditRows, marks == nil ? 0 : limits.heldRows)
        let bounds = [age.microseconds, Int64(StoreLimits.auditRows)]
        var lost = StoreLosses()
        if marks == nil {
            let values: [SQLiteValue] = bounds.map { .integer($0) }
            lost.audit = try self.rows(.countYoungAudit, values) { $0.count(0) }.first ?? 0
        }
        try run(.pruneAudit, .integer(bounds[0]), .integer(bounds[1]), .count(marks?.audit ?? .max))
        guard marks != nil else { return lost }
        try run(
            .pruneAudit, .integer(max(age, limits.heldAge).microseconds), .integer(Int64(rows)), .count(.max))
        lost.exports = changes
        return lost
    }

    private func pruneVisits(_ limits: StoreLimits, _ marks: ExportMarks?) throws(StoreError) -> UInt64 {
        let count = try rows(.countVisits) { $0.integer(0) }.first ?? 0
        let surplus = count - Int64(max(1, limits.visits))
        guard surplus > 0 else { return 0 }
        try run(.pruneVisits, .integer(surplus), .count(marks?.visits ?? .max))
        let rest = count - Int64(clamping: changes) - Int64(max(1, limits.visits, limits.heldRows))
        guard marks != nil, rest > 0 else { return 0 }
        try run(.pruneVisits, .integer(rest), .count(.max))
        return changes
    }

    /// Readings are stored for their export alone.
    private func pruneTelemetry(
        before heldEnd: Timestamp, _ limits: StoreLimits, _ marks: ExportMarks?
    ) throws(StoreError) -> UInt64 {
        if let marks { try run(.pruneTelemetry, .count(marks.telemetry)) }
        try run(.agePruneTelemetry, .time(heldEnd))
        var lost = changes
        let end = try ends()["telemetry"] ?? 0
        if end > UInt64(limits.heldRows) {
            try run(.pruneTelemetry, .count(end - UInt64(limits.heldRows)))
            lost += changes
        }
        return marks == nil ? 0 : lost
    }

    /// The last number of each table that is exported.
    func ends() throws(StoreError) -> [String: UInt64] {
        Dictionary(try rows(.readEnds) { ($0.text(0), $0.count(1)) }) { first, _ in first }
    }
}
