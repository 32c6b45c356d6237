public import Bytes

/// Erasure of all data of an item.
extension Household {
    /// True if all data of an item is older than `moment`; without a moment, all of it is.
    public func isAll(of item: String, before moment: Timestamp?) -> Bool {
        guard let moment, let index = trackers.index(of: item) else { return true }
        return trackers[index].reception.lastHeard < moment
    }

    /// Erases the lessons of an item from before a moment, and its place unless it was received since; without a
    /// moment, all. Returns the number of lessons that were undone. The number of its last event stays, since events
    /// have no gaps.
    ///
    /// - Parameter others: the keys of lessons that other fusers may hold: none of the item's comes back.
    public mutating func eraseItem(
        _ item: String, before moment: Timestamp?, others: [String] = [], at time: Timestamp,
        _ body: (Outcome) -> Void
    ) -> Int {
        let keys = classroom.book.lessons.map(\.key) + classroom.book.leftOut.keys + others
        let lessons = Set(keys).filter { key in
            guard let (owner, taughtAt) = SharedLesson.parts(ofKey: key) else { return false }
            return owner == item && moment.map { taughtAt < $0 } ?? true
        }
        for key in lessons.sorted() { undoLesson(key: key, body) }
        guard isAll(of: item, before: moment) else { return lessons.count }
        withdrawItem(item, at: time, body)
        return lessons.count
    }

    /// Clears the place of an item, as of one that was removed; its lessons stay.
    public mutating func withdrawItem(_ item: String, at time: Timestamp, _ body: (Outcome) -> Void) {
        guard let index = trackers.index(of: item) else { return }
        classroom.removeReports(of: item, index)
        book.removeObservations(of: index)
        trackers.reset(index, at: time)
        failover.clear(index)
        memory.record(changedItem: index)
        occupancy.move(item, to: nil)
        publishRooms(body)
    }
}
