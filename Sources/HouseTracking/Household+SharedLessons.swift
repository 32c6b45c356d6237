internal import Bytes
internal import RoomEstimation
internal import WireProtocol

/// Lessons that the fusers of a house share: a lesson taught to one counts for all, and one undone at one counts for
/// none.
extension Household {
    /// The keys of lessons that were undone, in the order in which that became known.
    public var undoneLessons: [String] { classroom.book.undone.keys }

    /// Number of keys of undone lessons that were never held here and were dropped to make room.
    public var forgottenUndone: UInt64 { classroom.book.undone.forgotten }

    /// Lessons that exist and are not used, by their date.
    public var leftOutLessons: [LeftOutLesson] {
        classroom.book.leftOut.values.sorted { ($0.taughtAt, $0.key) < ($1.taughtAt, $1.key) }
    }

    /// True if a lesson was undone. The key of a lesson that was never held here is marked as genuine by this call.
    public mutating func isUndone(_ lesson: Lesson) -> Bool {
        guard classroom.book.undone.contains(lesson.key) else { return false }
        classroom.book.undone.insert(lesson.key, isKnown: true)
        return true
    }

    /// Adopts a lesson that was taught to another fuser. A lesson without room, or of another house, is left out and
    /// recorded as such; one that is known, or was undone, changes nothing.
    public mutating func adoptLesson(_ lesson: Lesson, _ body: (Outcome) -> Void) {
        guard !classroom.book.knows(lesson.key) else { return }
        guard lesson.nodes.contains(where: { house.node($0.id) != nil }) else {
            return classroom.book.leaveOut(LeftOutLesson(lesson, .strange, isKept: false))
        }
        guard let taken = classroom.adoptLesson(lesson) else { return }
        // Its other nodes have to announce themselves: the table is for those that exist.
        addPlaces(of: taken, withNodes: false)
        body(.lessonAdded(taken))
    }

    /// Removes the lesson of a key, and lets none come back, as undone at another fuser.
    public mutating func undoLesson(key: String, _ body: (Outcome) -> Void) {
        let isNews = !undoneLessons.contains(key)
        let id = classroom.book.undo(key)
        if id != nil { classroom.isStale = true }
        if isNews || id != nil { body(.lessonUndone(id: id, key: key)) }
    }

    /// Forgets that lessons of these keys were undone.
    public mutating func forgetUndoneLessons(_ keys: Set<String>) { classroom.book.undone.remove(keys) }
}

extension Lesson {
    /// The offset that a node may add to its levels, in dB: the range accepted from an `info`.
    private static let offsets = -1000...1000
    /// Hundredths of the levels that a window can have (Core 5.4, Vol 4 Part E, 7.7.65.2).
    private static let levels: ClosedRange<Int16> = -12_700...2000

    /// True if it is a lesson that a fuser may have been taught: lessons of others are validated before they are
    /// stored.
    var isShareable: Bool {
        Identifier.isValid(item) && Identifier.isValid(room) && walk.map(Identifier.isValid) ?? true
            && hops.count <= LessonBook.hopLimit && nodes.count <= NodeTable.capacity
            && Set(nodes.map(\.id)).count == nodes.count
            && nodes.allSatisfy { Identifier.isValid($0.id) && Self.offsets.contains($0.offset) } && isInOrder
            && hops.allSatisfy { $0.readings.allSatisfy { Self.levels.contains($0.level) && $0.count > 0 } }
    }

    /// True if its intervals follow each other, from its begin to its end, in the time that a lesson may last.
    private var isInOrder: Bool {
        let length = to.duration(since: from)
        let longest = FuserCommand.lessonTimes.upperBound + Parameters.Household.clockTolerance
        guard (.zero...longest).contains(length) else { return false }
        var last: UInt32?
        for hop in hops {
            guard last.map({ $0 < hop.end }) ?? true else { return false }
            last = hop.end
        }
        return last.map { .milliseconds($0) <= length } ?? true
    }
}
