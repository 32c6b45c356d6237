public import RoomEstimation

/// What is to be learned from lessons: a value that may be handed to another thread, since it takes seconds.
public struct LearningTask: Sendable {
    let uses: [LessonBook.Use]
    let recordings: [Recording]
    let house: House

    /// Learns. Blocks for as long as it takes: seconds for hours of lessons.
    public func run(_ parameters: Parameters = Parameters()) -> Learned {
        // One room alone would be the answer for everything.
        guard Set(uses.map(\.room)).count > 1 else { return Learned(uses: uses, lessons: nil, marks: Marks()) }
        let learned = Lessons.learn(recordings, in: house, parameters: parameters)
        return Learned(uses: uses, lessons: learned.lessons, marks: learned.marks)
    }
}

/// What was learned.
public struct Learned: Sendable {
    let uses: [LessonBook.Use]
    let lessons: Lessons?
    let marks: Marks
}
