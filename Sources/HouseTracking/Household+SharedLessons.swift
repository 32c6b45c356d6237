internal import Bytes
internal import RoomEstimation
internal import WireProtocol

/// Lessons that several fusers of a house have in common: taught to one, they count for all, and undone by one, for none.
extension Household {
    /// The keys of lessons that were undone, in the order in which that became known.
    public var undoneLessons: [String] { classroom.book.undone.keys }

    /// Keys of undone lessons that were never here, and had to be forgotten for others.
    public var forgottenUndone: UInt64 { classroom.book.undone.forgotten }

    /// Lessons that there are and that aren't used, by their date.
    public var leftOutLessons: [LeftOutLesson] {
        classroom.book.leftOut.values.sorted { ($0.taughtAt, $0.key) < ($1.taughtAt, $1.key) }
    }

    /// Whether a lesson was undone. One that was never here is known from now on to have been a real one.
    public mutating func isUndone(_ lesson: Lesson) -> Bool {
        guard classroom.book.undone.contains(lesson.key) else { return false }
        classroom.book.undone.insert(lesson.key, isKnown: true)
        return true
    }

    /// Takes a lesson that was taught to another fuser. Where there is no room for it, or it is of another house, it is
    /// left out and noted; one that is known, or was undone, changes nothing.
    public mutating func takeIn(_ lesson: Lesson, _ body: (Outcome) -> Void) {
        guard !classroom.book.knows(lesson.key) else { return }
        guard lesson.nodes.contains(where: { house.node($0.id) != nil }) else {
            return classroom.book.leaveOut(LeftOutLesson(lesson, .strange, isKept: false))
        }
        guard let taken = classroom.takeIn(lesson) else { return }
        // Its other nodes have to tell of themselves: the table is for those that are there.
        furnish(for: taken, nodes: false)
        body(.lessonAdded(taken))
    }

    /// Forgets the lesson of a key, and lets none come back: another fuser was told so.
    public mutating func undoLesson(key: String, _ body: (Outcome) -> Void) {
        let isNews = !undoneLessons.contains(key)
        let id = classroom.book.undo(key)
        if id != nil { classroom.isStale = true }
        if isNews || id != nil { body(.lessonUndone(id: id, key: key)) }
    }
}

extension Lesson {
    /// What a node may add to its levels, in dB: what is taken from an `info`.
    private static let offsets = -1000...1000
    /// Hundredths of the levels that a window can have (Core 5.4, Vol 4 Part E, 7.7.65.2).
    private static let levels: ClosedRange<Int16> = -12_700...2000

    /// Whether it is one that a fuser may have been taught: what others send is looked at before it is kept.
    var isShareable: Bool {
        Identifier.isValid(item) && Identifier.isValid(room) && walk.map(Identifier.isValid) ?? true
            && hops.count <= LessonBook.hopLimit && nodes.count <= NodeTable.capacity
            && Set(nodes.map(\.id)).count == nodes.count
            && nodes.allSatisfy { Identifier.isValid($0.id) && Self.offsets.contains($0.offset) } && isInOrder
            && hops.allSatisfy { $0.readings.allSatisfy { Self.levels.contains($0.level) && $0.count > 0 } }
    }

    /// Whether its intervals follow each other, from its begin to its end, in the time that a lesson may last.
    private var isInOrder: Bool {
        let length = to.microseconds(since: from)
        let longest = FuserCommand.lessonTimes.upperBound + Parameters.Household.clockTolerance
        guard (0...longest).contains(length) else { return false }
        var last: UInt32?
        for hop in hops {
            guard last.map({ $0 < hop.end }) ?? true else { return false }
            last = hop.end
        }
        return last.map { Int64($0) * 1000 <= length } ?? true
    }
}
