/// The answers on seconds that had no part in the lessons: for each true room, the number of times that each room was
/// answered.
package struct Marks: Sendable {
    private var counts: [Int: [Int: Int]] = [:]

    /// None counted.
    package init() {}

    package mutating func count(_ answer: Int, of truth: Int) { counts[truth, default: [:]][answer, default: 0] += 1 }

    /// The share of right answers for a room, or for all rooms; nil if nothing was asked or only one room is known.
    package func right(_ room: Int? = nil) -> Double? {
        guard counts.count > 1 else { return nil }
        var (right, all) = (0, 0)
        for (truth, answers) in counts where room == nil || truth == room {
            right += answers[truth] ?? 0
            all += answers.values.reduce(0, +)
        }
        return all == 0 ? nil : Double(right) / Double(all)
    }

    /// The room that is answered most often in a room's place; nil if none is.
    package func takenFor(_ room: Int) -> Int? {
        counts[room]?.filter { $0.key != room && $0.value > 0 }.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }
}
