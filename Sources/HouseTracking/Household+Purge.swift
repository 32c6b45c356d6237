public import Bytes

/// An item of which nothing is to be known any more.
extension Household {
    /// Whether all that is known of an item is of before a moment; of no moment, all is.
    public func isAll(of item: String, before moment: Timestamp?) -> Bool {
        guard let moment, let index = trackerOfItem[item] else { return true }
        return trackers[index].lastHeard < moment
    }

    /// Forgets what an item taught before a moment, and where it is unless it was heard since; without a moment, all.
    /// How many lessons were undone. The number of its last event stays, since events have no gaps.
    ///
    /// - Parameter others: the keys of lessons that may be elsewhere: of those of the item none comes back.
    public mutating func forget(
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
        withdraw(item, at: time, body)
        return lessons.count
    }

    /// Forgets where an item is, as of one that was removed; what it taught stays.
    public mutating func withdraw(_ item: String, at time: Timestamp, _ body: (Outcome) -> Void) {
        guard let index = trackerOfItem[item] else { return }
        classroom.forget(item, index)
        book.forget(index)
        let events = trackers[index].events
        trackers[index] = Tracker(id: item, locator: blank, at: time)
        trackers[index].events = events
        contested.remove(index)
        memory.note(index)
        seat(item, in: nil)
        tellRooms(body)
    }
}
