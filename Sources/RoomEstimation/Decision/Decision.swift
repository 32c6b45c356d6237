internal import Bytes

/// The published answer: it moves when the odds suffice.
///
/// Chance tries anew in each hop, so that an item that lies still asks for odds that grow with its rest. They fall again
/// while the same other room stays the likeliest: an answer is never held for good. An item that is carried away rests no
/// more, and moves at once.
struct Decision: Sendable {
    private let parameters: Parameters.Decision
    private var pace: Parameters.Decision.Pace
    /// The room answered, by index; nil until there was a belief.
    private(set) var room: Int?
    /// True if the answered room was the likeliest at the last check.
    private(set) var isLikeliest = false
    /// The hops of the item's rest before the pace was set; 0 for another rest.
    private var earlier = 0.0
    /// The time of the last move; nil before the first.
    private var moved: Timestamp?
    /// The time of the first observation after a pause in which nobody listened; nil without one.
    private var resumed: Timestamp?
    /// The room that has been the likeliest without being answered, and the time since which it was.
    private var waiting: (room: Int, since: Timestamp)?

    init(pace: Parameters.Decision.Pace, parameters: Parameters.Decision) {
        (self.pace, self.parameters) = (pace, parameters)
    }

    /// Requires the odds of another pace from now on, and counts the rest anew: the answer came from other evidence.
    ///
    /// - Parameter rest: the hops for which the item has rested.
    mutating func follow(_ pace: Parameters.Decision.Pace, rest: Double) { (self.pace, earlier) = (pace, rest) }

    /// Requires higher odds for a while: after a pause without listeners nothing separates lost packets from a move.
    mutating func hesitate(at now: Timestamp) { resumed = now }

    /// Answers a room that another source set.
    mutating func hold(_ room: Int) { (self.room, waiting) = (room, nil) }

    /// The likeliest room, if it is not the one answered.
    func move(by probabilities: [Double]) -> Int? {
        let best = Self.likeliest(probabilities)
        return best == room ? nil : best
    }

    private static func likeliest(_ probabilities: [Double]) -> Int? {
        var best = -1
        for index in probabilities.indices where best < 0 || probabilities[index] > probabilities[best] { best = index }
        return best >= 0 && probabilities[best] > 0 ? best : nil
    }

    /// Consumes the probabilities of all rooms at a moment; true if the room changed.
    ///
    /// - Parameters:
    ///   - rest: the hops for which the item has rested.
    ///   - nats: the doubt in the evidence: a move requires odds higher by it. It fades while the same room is the
    ///     likeliest.
    mutating func weigh(
        _ probabilities: [Double], at now: Timestamp, rest: Double = 0, doubt nats: Double = 0
    ) -> Bool {
        earlier = min(earlier, rest)
        guard let best = Self.likeliest(probabilities) else { return false }
        isLikeliest = best == room ?? best
        guard let current = room, current < probabilities.count else {
            room = best
            return true
        }
        guard best != current else {
            waiting = nil
            return false
        }
        if waiting?.room != best { waiting = (best, now) }
        let waited = waiting.map { now.seconds(since: $0.since) } ?? 0
        let odds = odds(at: now, rest: rest - earlier, waited: waited, doubt: nats)
        guard probabilities[best] >= odds * probabilities[current] else { return false }
        (room, isLikeliest, moved, waiting) = (best, true, now, nil)
        return true
    }

    private func odds(at now: Timestamp, rest: Double, waited: Double, doubt nats: Double) -> Double {
        let doubt = nats * parameters.doubtSeconds / (parameters.doubtSeconds + waited)
        let isResumed = resumed.map { now.seconds(since: $0) < parameters.resumedSeconds } ?? false
        let isAgain = moved.map { now.seconds(since: $0) < parameters.againSeconds } ?? false
        let again = isResumed ? parameters.oddsResumed : isAgain ? parameters.oddsAgain : 0
        let held = min(parameters.mostOdds, rest / pace.hops) / (1 + waited / parameters.wait)
        return max(pace.odds * Mathematics.exp(doubt), again, held)
    }
}
