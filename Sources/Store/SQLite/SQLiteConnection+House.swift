internal import Bytes

/// The records of a house.
extension SQLiteConnection {
    func trackers() throws(StoreError) -> [TrackerRecord] {
        try rows(.readTrackers) { row in
            var tracker = TrackerRecord(
                item: row.text(0), at: row.time(1), state: row.text(2), since: row.time(4), heard: row.time(6))
            (tracker.room, tracker.previous) = (row.optionalText(3), row.optionalText(5))
            (tracker.silence, tracker.itemSeq) = (.microseconds(row.integer(7)), row.count(8))
            tracker.belief = row.bytes(9)
            return tracker
        }
    }

    func lessons() throws(StoreError) -> [LessonRecord] {
        try rows(.readLessons) { row in
            LessonRecord(
                id: row.text(0), item: row.text(1), room: row.text(2), taughtAt: row.time(3), from: row.time(4),
                to: row.time(5), detail: row.bytes(6))
        }
    }

    /// A row of visits.
    static func visit(_ row: borrowing SQLiteRow) -> VisitRecord {
        VisitRecord(
            item: row.text(0), room: row.text(3), from: row.time(1), to: row.optionalTime(2),
            confidence: Double(row.integer(4)) / 1000)
    }

    /// A row of the journal.
    static func journal(_ row: borrowing SQLiteRow) -> JournalRecord {
        JournalRecord(
            number: row.count(0), node: row.text(1), epoch: row.text(2), seq: row.count(3),
            last: row.isNull(4) ? nil : row.count(4), at: row.time(5), kind: row.text(6), region: row.optionalText(7),
            subject: row.optionalText(8), payload: row.bytes(9))
    }

    /// Deletes rows of the journal that are too old.
    func agePruneJournal(at now: Timestamp, _ limits: StoreLimits) throws(StoreError) {
        try run(.agePruneJournal, .time(now.advanced(by: -limits.visitAge)))
    }

    /// Deletes the first rows of the journal if there are too many.
    func pruneJournal(_ limits: StoreLimits) throws(StoreError) {
        try run(.pruneJournal, .integer(Int64(max(1, limits.journal))))
    }

    /// Deletes visits that ended too long ago, and those over the bound.
    func pruneVisits(at now: Timestamp, _ limits: StoreLimits) throws(StoreError) {
        try run(.agePruneVisits, .time(now.advanced(by: -limits.visitAge)))
        let count = try rows(.countVisits) { $0.integer(0) }.first ?? 0
        let surplus = count - Int64(max(1, limits.visits))
        if surplus > 0 { try run(.pruneVisits, .integer(surplus)) }
    }
}
