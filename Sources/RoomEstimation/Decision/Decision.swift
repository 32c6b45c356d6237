internal import Bytes

/// The answer that is given out: it moves when the odds suffice, and asks for more soon after a move.
struct Decision: Sendable {
    private let parameters: Parameters.Decision
    /// What a move asks for beside lessons; nil in a house without them.
    var pace: Parameters.Decision.Pace?
    /// The room answered, by index; nil until there was a belief.
    private(set) var room: Int?
    /// Whether the room answered was the likeliest when it was last asked.
    private(set) var isLikeliest = false
    /// When a packet last moved the answer from one room to another; nil before the first time.
    private var moved: Timestamp?
    /// When it heard something first after a pause in which nobody listened; nil without one.
    private var resumed: Timestamp?
    /// For how many hops the item lay still when it did so last, and when that was.
    private(set) var rest: (hops: Double, at: Timestamp)?
    /// The room that has been the likeliest without being answered, and for how many hops before the last.
    private var waiting: (room: Int, hops: Double)?
    /// The room before a move that no packet has borne out yet, or of an answer that another gave: until a packet comes
    /// nothing is guessed.
    private var before: Int?
    /// How many such moves in a row were taken back.
    private var mistakes = 0.0

    init(pace: Parameters.Decision.Pace?, parameters: Parameters.Decision) {
        self.pace = pace
        self.parameters = parameters
    }

    /// Goes on with an answer that was given before.
    mutating func resume(_ room: Int, rest: (hops: Double, at: Timestamp)?) {
        (self.room, before) = (room, room)
        self.rest = rest
    }

    /// Asks for more for a while: nobody heard in the pause before what would tell lost packets from a move.
    mutating func hesitate(at now: Timestamp) { resumed = now }

    /// The likeliest room, where it isn't the one answered.
    func move(by probabilities: [Double]) -> Int? {
        let best = Self.likeliest(probabilities)
        return best == room ? nil : best
    }

    /// How likely the answer is, by the probabilities of all rooms. Kept though another room is the likelier it counts as much as
    /// that one, of what is believed of the two: what spoke against it so far proves overstated about as often as not. What is
    /// more than overstated counts, whatever keeps the answer.
    func worth(_ probabilities: [Double]) -> Double {
        guard let room, room < probabilities.count else { return 0 }
        let believed = probabilities[room]
        guard let best = Self.likeliest(probabilities), best != room else { return believed }
        let raised = parameters.keptOdds * believed
        let share = raised / (raised + probabilities[best])
        return max(believed, min(0.5, share) * (believed + probabilities[best]))
    }

    private static func likeliest(_ probabilities: [Double]) -> Int? {
        var best = -1
        for index in probabilities.indices where best < 0 || probabilities[index] > probabilities[best] { best = index }
        return best >= 0 && probabilities[best] > 0 ? best : nil
    }

    /// Takes in the probabilities of all rooms at a moment, and for how many hops the item has lain still; true when the
    /// room changed. A move asks for odds higher by so many nats as the evidence is doubted, unless more is asked of it anyway;
    /// what is likeliest hop after hop is doubted less and less.
    mutating func weigh(
        _ probabilities: [Double], at now: Timestamp, rest hops: Double = 0, doubt nats: Double = 0
    ) -> Bool {
        if hops > 0, hops >= (rest(at: now) ?? 0) { rest = (hops, now) }
        guard let best = Self.likeliest(probabilities) else { return false }
        isLikeliest = best == room ?? best
        if let before {
            self.before = nil
            if best == room {
                mistakes = 0
            } else if best == before {
                // What nobody saw needs no proof to be taken back.
                mistakes += 1
                (room, isLikeliest, waiting) = (best, true, nil)
                return true
            }
        }
        guard let current = room, current < probabilities.count else {
            room = best
            return true
        }
        guard best != current else {
            waiting = nil
            return false
        }
        let waited = waiting.flatMap { $0.room == best ? $0.hops + 1 : nil } ?? 0
        waiting = (best, waited)
        let doubt = nats * parameters.doubtHops / (parameters.doubtHops + waited)
        let odds = odds(at: now, doubt: doubt, waited: waited)
        guard probabilities[best] >= odds * probabilities[current] else { return false }
        waiting = nil
        room = best
        moved = now
        isLikeliest = true
        return true
    }

    /// Takes in the probabilities at a moment in which nothing was heard; true when the room changed. That asks for `odds`, and
    /// is no move that was seen: the next packet may take it back at once. From the second in a row that was, each asks for more,
    /// until one is borne out. Between two packets it happens once.
    mutating func foresee(_ probabilities: [Double], odds: Double) -> Bool {
        guard before == nil, let current = room, current < probabilities.count,
            let best = Self.likeliest(probabilities), best != current,
            probabilities[best] >= odds * max(1, parameters.mistaken * (mistakes - 1)) * probabilities[current]
        else { return false }
        waiting = nil
        before = current
        room = best
        isLikeliest = false
        return true
    }

    /// Answers a room that something else told.
    mutating func hold(_ room: Int) { (self.room, before) = (room, room) }

    private func odds(at now: Timestamp, doubt nats: Double, waited: Double) -> Double {
        let isResumed = resumed.map { now.seconds(since: $0) < parameters.restSeconds } ?? false
        let isAgain = moved.map { now.seconds(since: $0) < parameters.againSeconds } ?? false
        let again = isResumed ? parameters.oddsResumed : isAgain ? parameters.oddsAgain : 0
        // Beside lessons the nearest node has its share in what is believed, so that they may be sure and never reach high
        // odds: what is the likeliest hop after hop wears these down.
        let worn = pace == nil ? 1 : 1 + waited / parameters.wearHops
        let pace = pace ?? parameters.alone
        let rest = max(1, (rest(at: now) ?? 0) / (pace.restHops * worn))
        return max(again, max(1, pace.odds / worn) * max(rest * rest, Mathematics.exp(nats)))
    }

    /// The hops of a rest that isn't long over; nil where there is none.
    private func rest(at now: Timestamp) -> Double? {
        guard let rest, now.seconds(since: rest.at) < parameters.restSeconds else { return nil }
        return rest.hops
    }
}
