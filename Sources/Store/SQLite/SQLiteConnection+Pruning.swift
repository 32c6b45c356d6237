internal import Bytes

/// The bounds of a house's rows. A row that waits for its export is deleted by the bounds of rows that wait alone.
extension SQLiteConnection {
    /// Deletes rows that are too old, and those over their bounds. Returns the number of rows that waited for their
    /// export.
    func pruneHouse(at now: Timestamp, _ limits: StoreLimits, _ marks: ExportMarks?) throws(StoreError) -> UInt64 {
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
        lost += try pruneAudit(limits, marks)
        lost += try pruneTelemetry(before: heldEnd, limits, marks)
        try run(.agePruneTruth, .time(end))
        try run(.pruneTruth, .integer(Int64(max(1, limits.truth))))
        return lost
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

    private func pruneAudit(_ limits: StoreLimits, _ marks: ExportMarks?) throws(StoreError) -> UInt64 {
        let age = max(limits.auditAge, StoreLimits.leastAuditAge)
        let rows = max(StoreLimits.auditRows, marks == nil ? 0 : limits.heldRows)
        let bounds = [age.microseconds, Int64(StoreLimits.auditRows)]
        try run(.pruneAudit, .integer(bounds[0]), .integer(bounds[1]), .count(marks?.audit ?? .max))
        guard marks != nil else { return 0 }
        try run(
            .pruneAudit, .integer(max(age, limits.heldAge).microseconds), .integer(Int64(rows)), .count(.max))
        return changes
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
