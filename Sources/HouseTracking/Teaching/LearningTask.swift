public import RoomEstimation

/// Lessons to learn from: a value that may be passed to another thread, since the training takes seconds.
public struct LearningTask: Sendable {
    let uses: [LessonBook.Use]
    let recordings: [Recording]
    let house: House

    /// Trains the model. Blocks for as long as it takes: seconds for hours of lessons.
    public func run(_ parameters: Parameters = Parameters()) -> Learned {
        // A single room would be the answer for everything.
        guard Set(uses.map(\.room)).count > 1 else { return Learned(uses: uses, lessons: nil, marks: Marks()) }
        let learned = TrainedModel.learn(recordings, in: house, parameters: parameters)
        return Learned(uses: uses, lessons: learned.lessons, marks: learned.marks)
    }
}

/// The result of a task.
public struct Learned: Sendable {
    let uses: [LessonBook.Use]
    let lessons: TrainedModel?
    let marks: Marks
}
