/// What is to be learned from lessons: a value that may be handed to another thread, since it takes seconds.
public struct LearningTask: Sendable {
    let uses: [LessonBook.Use]
    let recordings: [Recording]
    let house: House

    /// Learns. Blocks for as long as it takes: seconds for hours of lessons.
    public func run(_ parameters: Parameters = Parameters()) -> Learned {
        // One room alone would be the answer for everything.
        guard Set(uses.map(\.room)).count > 1 else { return Learned(uses: uses, lessons: nil, marks: Marks()) }
        let trial = Trial(recordings, in: house, parameters: parameters)
        let lessons = Lessons(plain: recordings, in: house, trial.best, parameters: parameters)
        return Learned(uses: uses, lessons: lessons, marks: trial.marks)
    }
}

/// What was learned.
public struct Learned: Sendable {
    let uses: [LessonBook.Use]
    let lessons: Lessons?
    let marks: Marks
}

/// How well seconds were told that had no part in the lessons: for each true room, how often each room was answered.
struct Marks: Sendable {
    private var counts: [Int: [Int: Int]] = [:]

    mutating func count(_ answer: Int, of truth: Int) { counts[truth, default: [:]][answer, default: 0] += 1 }

    /// The share of right answers for a room, or for all rooms; nil where nothing was asked or only one room is known.
    func right(_ room: Int? = nil) -> Double? {
        guard counts.count > 1 else { return nil }
        var (right, all) = (0, 0)
        for (truth, answers) in counts where room == nil || truth == room {
            right += answers[truth] ?? 0
            all += answers.values.reduce(0, +)
        }
        return all == 0 ? nil : Double(right) / Double(all)
    }

    /// The room for which one is mistaken most often; nil where it never is.
    func takenFor(_ room: Int) -> Int? {
        counts[room]?.filter { $0.key != room && $0.value > 0 }.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }
}
