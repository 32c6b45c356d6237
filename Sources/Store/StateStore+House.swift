public import Bytes

/// The stored state of a house, as of the last write. Each call reads the disk, and throws if that fails, or if the
/// store contains a node's state.
extension StateStore {
    /// The whereabouts of all items, by item.
    public func trackers() throws(StoreError) -> [TrackerRecord] {
        try records(.trackers) { if case .tracker(let record) = $0 { record } else { nil } }
    }

    /// The state of all persons, by person.
    public func persons() throws(StoreError) -> [PersonRecord] {
        try records(.persons) { if case .person(let record) = $0 { record } else { nil } }
    }

    /// Lessons, by id.
    public func lessons() throws(StoreError) -> [LessonRecord] {
        try records(.lessons) { if case .lesson(let record) = $0 { record } else { nil } }
    }

    /// An item's visits that overlap a time span, in order, the first `limit` (1...10,000) at most.
    public func visits(
        of item: String, from: Timestamp = Timestamp(microseconds: .min), to: Timestamp = Timestamp(microseconds: .max),
        limit: Int
    ) throws(StoreError) -> [VisitRecord] {
        let limit = min(max(limit, 1), 10_000)
        var found: [Timestamp: VisitRecord] = [:]
        let values: [SQLiteValue] = [.text(item), .time(from), .time(to), .integer(Int64(limit))]
        for visit in try opened().connection.rows(.readVisitsOf, values, SQLiteConnection.visit) {
            found[visit.from] = visit
        }
        for case .visit(let visit) in pending.changes where visit.item == item {
            let isInside = visit.from < to && visit.to.map { $0 > from } ?? true
            found[visit.from] = isInside ? visit : nil
        }
        return Array(found.values.sorted { $0.from < $1.from }.prefix(limit))
    }

    /// The visits that haven't ended.
    public func openVisits() throws(StoreError) -> [VisitRecord] {
        var found: [StoreChange.Key: VisitRecord] = [:]
        for visit in try opened().connection.rows(.readOpenVisits, [], SQLiteConnection.visit) {
            found[StoreChange.visit(visit).key] = visit
        }
        for case .visit(let visit) in pending.changes {
            found[StoreChange.visit(visit).key] = visit.to == nil ? visit : nil
        }
        return found.values.sorted { ($0.item, $0.from) < ($1.item, $1.from) }
    }

    /// Rows of the journal, in their order.
    public func journal(_ query: JournalQuery) throws(StoreError) -> [JournalRecord] {
        let (from, to) = (query.from ?? Timestamp(microseconds: .min), query.to ?? Timestamp(microseconds: .max))
        var rows = try opened().connection.rows(
            .readJournalOf,
            [
                .text(query.node), .count(query.after), .text(query.region), .time(from), .time(to),
                .integer(Int64(query.limit)),
            ], SQLiteConnection.journal)
        var waiting: [JournalRecord] = []
        for case .journal(let row) in pending.changes
        where row.node == query.node && row.number > query.after && row.at >= from && row.at < to
            && (query.region == nil || row.kind == "lost" || row.region == query.region)
        {
            waiting.append(row)
        }
        rows += waiting.sorted { $0.number < $1.number }
        return Array(rows.prefix(query.limit))
    }

    /// The number of the journal's last row; 0 before the first.
    public func journalEnd() throws(StoreError) -> UInt64 {
        var end = try exportEnds().journal
        for case .journal(let row) in pending.changes { end = max(end, row.number) }
        return end
    }

    /// Rows of the audit with numbers below one, the newest first, `limit` at most.
    public func audit(before number: UInt64?, limit: Int) throws(StoreError) -> [AuditRecord] {
        let number = min(number ?? UInt64(Int64.max), UInt64(Int64.max))
        var rows = try opened().connection.rows(
            .readAuditBefore, [.count(number), .integer(Int64(limit))], SQLiteConnection.audit)
        var waiting: [AuditRecord] = []
        for case .audit(let row) in pending.changes where row.number < number { waiting.append(row) }
        rows = waiting.sorted { $0.number > $1.number } + rows
        return Array(rows.prefix(limit))
    }

    /// Rows of the audit of a time span with numbers above one, in their order, `limit` at most.
    public func audit(
        after number: UInt64, from: Timestamp?, to: Timestamp?, limit: Int
    ) throws(StoreError) -> [AuditRecord] {
        let (from, to) = (from ?? Timestamp(microseconds: .min), to ?? Timestamp(microseconds: .max))
        var rows = try opened().connection.rows(
            .readAuditBetween, [.count(number), .time(from), .time(to), .integer(Int64(limit))],
            SQLiteConnection.audit)
        var waiting: [AuditRecord] = []
        for case .audit(let row) in pending.changes where row.number > number && row.at >= from && row.at < to {
            waiting.append(row)
        }
        rows += waiting.sorted { $0.number < $1.number }
        return Array(rows.prefix(limit))
    }

    /// True if the audit has a change of this name.
    public func hasChange(_ change: String) throws(StoreError) -> Bool {
        for case .audit(let row) in pending.changes where row.change == change { return true }
        return try opened().connection.rows(.findChange, [.text(change)]) { $0.integer(0) }.first ?? 0 > 0
    }

    /// The value after the last change of a subject by an action that was not refused; nil if it is not known.
    public func lastValue(of subject: String, by action: String) throws(StoreError) -> String? {
        var last: AuditRecord?
        for case .audit(let row) in pending.changes where row.subject == subject && row.action == action {
            if row.status < 400, row.number > last?.number ?? 0 { last = row }
        }
        if let last { return last.after }
        return try opened().connection.rows(.readLastValue, [.text(subject), .text(action)]) { $0.optionalText(0) }
            .first
            ?? nil
    }

    /// The number of the audit's last row; 0 before the first.
    public func auditEnd() throws(StoreError) -> UInt64 {
        var end = try exportEnds().audit
        for case .audit(let row) in pending.changes { end = max(end, row.number) }
        return end
    }

    /// The marks of an item's true rooms in the order of time, the last `limit` (1...10,000) of them.
    public func truth(of item: String, limit: Int) throws(StoreError) -> [TruthRecord] {
        let limit = min(max(limit, 1), 10_000)
        var found: [Timestamp: TruthRecord] = [:]
        let values: [SQLiteValue] = [.text(item), .integer(Int64(limit))]
        for mark in try opened().connection.rows(.readTruthOf, values, SQLiteConnection.truth) { found[mark.at] = mark }
        for change in pending.changes {
            if case .truth(let mark) = change, mark.item == item { found[mark.at] = mark }
            if case .forgetTruth(item, let at) = change { found[at] = nil }
        }
        return found.values.sorted { $0.at < $1.at }.suffix(limit)
    }

    /// Erases an item's lessons, true rooms, readings and visits, or those parts of them that are before a moment, the nodes'
    /// rows about it from before, and the contents of its earlier events: their numbers stay, with an empty kind and payload.
    /// Of the audit it erases the values before and after earlier changes of the item. An event is the item's if its payload
    /// begins with the item's id and a line feed. Returns the numbers of visits, of events, and of all rows that it changed.
    ///
    /// The erased data is overwritten in the file. Copies of the file are removed: those from before a migration or a
    /// restoration, and those of a damaged one. Throws if the disk rejects it; nothing is erased then. `completePurge` must
    /// follow once all else of the item is erased.
    ///
    /// - Parameters:
    ///   - person: the person that the item belongs to, erased too if the item is gone.
    ///   - moment: the end of the data to erase; nil for all.
    ///   - isGone: true to erase the open visit too, and the item's whereabouts.
    @discardableResult
    public func purge(
        _ item: String, of person: String? = nil, before moment: Timestamp?, isGone: Bool = false, at now: Timestamp
    ) throws(StoreError) -> (visits: Int, events: Int, rows: Int) {
        let before = moment ?? Timestamp(microseconds: .max)
        var counts = (visits: 0, events: 0, rows: 0)
        _ = heartbeat(at: now)
        if let problem { throw problem }
        let connection = try opened().connection
        try connection.transaction(flushing: true) { () throws(StoreError) in
            func erase(_ query: Query, _ values: [SQLiteValue]) throws(StoreError) -> Int {
                _ = try connection.rows(query, values) { _ in }
                let count = Int(clamping: connection.changes)
                counts.rows += count
                return count
            }
            if isGone {
                counts.visits += try erase(.purgeOpenVisit, [.text(item)])
                _ = try erase(.forgetTracker, [.text(item)])
                for person in [item, person] { _ = try erase(.forgetPerson, [.text(person)]) }
            }
            for query in [Query.purgeVisits, .cutVisit] {
                counts.visits += try erase(query, [.text(item), .time(before)])
            }
            counts.events = try erase(.purgeEvents, [.text(item), .time(before)])
            for query in [Query.purgeLessons, .purgeJournal, .purgeTruth, .purgeTelemetry] {
                _ = try erase(query, [.text(item), .time(before)])
            }
            _ = try erase(.purgeAudit, [.text(item), .time(before), .time(now)])
        }
        try StoreLog.truncate(connection)
        try? opened().removeCopies()
        return counts
    }

    /// Empties the write-ahead log, so that nothing stands in it that was deleted or replaced since the purge. Throws if
    /// something waits for the disk, or a copy of the file stays.
    public func completePurge() throws(StoreError) {
        if let problem { throw problem }
        try StoreLog.truncate(opened().connection)
        try opened().removeCopies()
    }
}
