internal import Bytes

/// The answer that is given out: it moves when the odds suffice, and asks for more soon after a move.
struct Decision: Sendable {
    private let parameters: Parameters.Decision
    private let isTaught: Bool
    /// The room answered, by index; nil until there was a belief.
    private(set) var room: Int?
    /// When the answer last went from one room to another; nil before the first time.
    private var moved: Timestamp?
    /// For how many hops the item lay still when it did so last, and when that was.
    private var rest: (hops: Double, at: Timestamp)?

    init(isTaught: Bool, parameters: Parameters.Decision) {
        self.isTaught = isTaught
        self.parameters = parameters
    }

    /// Takes in the probabilities of all rooms at a moment, and for how many hops the item has lain still; true when the
    /// room changed.
    mutating func weigh(_ probabilities: [Double], at now: Timestamp, rest hops: Double = 0) -> Bool {
        if hops > 0, hops >= (rest(at: now) ?? 0) { rest = (hops, now) }
        var best = -1
        for index in probabilities.indices where best < 0 || probabilities[index] > probabilities[best] { best = index }
        guard best >= 0, probabilities[best] > 0 else { return false }
        guard let current = room, current < probabilities.count else {
            room = best
            return true
        }
        guard best != current else { return false }
        guard probabilities[best] >= odds(at: now) * probabilities[current] else { return false }
        room = best
        moved = now
        return true
    }

    private func odds(at now: Timestamp) -> Double {
        if let moved, now.seconds(since: moved) < parameters.againSeconds { return parameters.oddsAgain }
        if isTaught { return parameters.oddsTaught }
        let rest = max(1, (rest(at: now) ?? 0) / parameters.restHops)
        return parameters.oddsAlone * rest * rest
    }

    /// The hops of a rest that isn't long over; nil where there is none.
    private func rest(at now: Timestamp) -> Double? {
        guard let rest, now.seconds(since: rest.at) < parameters.restSeconds else { return nil }
        return rest.hops
    }

    /// The probability that an answer of that belief is right, among so many rooms.
    func confidence(_ probability: Double, rooms: Int) -> Double {
        min(1, max(0, (1 - parameters.slip) * probability + parameters.slip / Double(max(1, rooms))))
    }
}
