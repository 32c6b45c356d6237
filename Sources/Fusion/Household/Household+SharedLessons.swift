internal import Sightings

/// Lessons that several fusers of a house have in common: taught to one, they count for all, and undone by one, for none.
extension Household {
    /// The keys of lessons that were undone, in the order in which that became known.
    public var undoneLessons: [String] { classroom.book.undone }

    /// Takes a lesson that was taught to another fuser. False where there is no room for it; one that is known, or was
    /// undone, changes nothing.
    public mutating func takeIn(_ lesson: Lesson, _ body: (Outcome) -> Void) -> Bool {
        guard !classroom.book.knows(lesson.key) else { return true }
        guard let taken = classroom.takeIn(lesson) else { return false }
        furnish(for: taken)
        body(.lessonAdded(taken))
        return true
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

    /// Whether it is one that a fuser may have been taught: what others send is looked at before it is kept.
    var isShareable: Bool {
        Identifier.isValid(item) && Identifier.isValid(room) && walk.map(Identifier.isValid) ?? true
            && hops.count <= LessonBook.hopLimit && nodes.count <= NodeTable.capacity
            && nodes.allSatisfy { Identifier.isValid($0.id) && Self.offsets.contains($0.offset) }
    }
}
