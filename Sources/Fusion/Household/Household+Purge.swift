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
    public mutating func forget(
        _ item: String, before moment: Timestamp?, at time: Timestamp, _ body: (Outcome) -> Void
    ) -> Int {
        let lessons = classroom.book.lessons.filter { lesson in
            lesson.item == item && moment.map { lesson.taughtAt < $0 } ?? true
        }
        for lesson in lessons { undoLesson(key: lesson.key, body) }
        guard isAll(of: item, before: moment) else { return lessons.count }
        withdraw(item, at: time, body)
        return lessons.count
    }

    /// Forgets where an item is, as of one that was removed; what it taught stays.
    public mutating func withdraw(_ item: String, at time: Timestamp, _ body: (Outcome) -> Void) {
        guard let index = trackerOfItem[item] else { return }
        classroom.forget(item, index)
        let events = trackers[index].events
        trackers[index] = Tracker(id: item, locator: blank, at: time)
        trackers[index].events = events
        contested.remove(index)
        memory.note(index)
        seat(item, in: nil)
        tellRooms(body)
    }
}
