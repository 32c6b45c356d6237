internal import Bytes

/// The published answer: it moves when the odds suffice, and requires higher odds soon after a move.
struct Decision: Sendable {
    private let parameters: Parameters.Decision
    /// The requirements of a move beside lessons; nil in a house without them.
    var pace: Parameters.Decision.Pace?
    /// The room answered, by index; nil until there was a belief.
    private(set) var room: Int?
    /// True if the answered room was the likeliest at the last check.
    private(set) var isLikeliest = false
    /// The time at which a packet last moved the answer from one room to another; nil before the first time.
    private var moved: Timestamp?
    /// The time of the first observation after a pause in which nobody listened; nil without one.
    private var resumed: Timestamp?
    /// The hops of the item's last rest, and the time at which it was seen.
    private(set) var rest: (hops: Double, at: Timestamp)?
    /// The room that has been the likeliest without being answered, and the number of hops before the last for which it
    /// was.
    private var waiting: (room: Int, hops: Double)?
    /// The room before a move that no packet has confirmed yet, or of an answer that another source set: until a packet
    /// comes there is no further guess.
    private var before: Int?
    /// The number of such moves in a row that were taken back.
    private var mistakes = 0.0

    init(pace: Parameters.Decision.Pace?, parameters: Parameters.Decision) {
        self.pace = pace
        self.parameters = parameters
    }

    /// Continues with an answer that was given before.
    mutating func resume(_ room: Int, rest: (hops: Double, at: Timestamp)?) {
        (self.room, before) = (room, room)
        self.rest = rest
    }

    /// Requires higher odds for a while: after a pause without listeners nothing separates lost packets from a move.
    mutating func hesitate(at now: Timestamp) { resumed = now }

    /// The likeliest room, if it is not the one answered.
    func move(by probabilities: [Double]) -> Int? {
        let best = Self.likeliest(probabilities)
        return best == room ? nil : best
    }

    /// The probability of the answer, by the probabilities of all rooms. If the answer is retained although another
    /// room is the likelier, the two count alike, since the evidence against it so far proves overstated about as often
    /// as not. Evidence beyond that counts, whatever retains the answer.
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

    /// Consumes the probabilities of all rooms at a moment, and the hops for which the item has rested; true if the
    /// room changed. A move requires odds higher by the nats of doubt in the evidence, unless more is required of it
    /// anyway; the doubt fades while the same room is the likeliest hop after hop.
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
                // A move without an observation needs no proof to be taken back.
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

    /// Consumes the probabilities at a moment without an observation; true if the room changed. That requires `odds`,
    /// and is no observed move: the next packet may take it back at once. From the second in a row that was taken back,
    /// each requires more, until one is confirmed. It happens once between two packets.
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

    /// Answers a room that another source set.
    mutating func hold(_ room: Int) { (self.room, before) = (room, room) }

    private func odds(at now: Timestamp, doubt nats: Double, waited: Double) -> Double {
        let isResumed = resumed.map { now.seconds(since: $0) < parameters.restSeconds } ?? false
        let isAgain = moved.map { now.seconds(since: $0) < parameters.againSeconds } ?? false
        let again = isResumed ? parameters.oddsResumed : isAgain ? parameters.oddsAgain : 0
        // Beside lessons the nearest node has its share in the belief, so that the lessons may be sure and never reach
        // high odds: a room that is the likeliest hop after hop lowers the odds required.
        let worn = pace == nil ? 1 : 1 + waited / parameters.wearHops
        let pace = pace ?? parameters.alone
        let rest = max(1, (rest(at: now) ?? 0) / (pace.restHops * worn))
        return max(again, max(1, pace.odds / worn) * max(rest * rest, Mathematics.exp(nats)))
    }

    /// The hops of a rest that ended recently or not at all; nil if there is none.
    private func rest(at now: Timestamp) -> Double? {
        guard let rest, now.seconds(since: rest.at) < parameters.restSeconds else { return nil }
        return rest.hops
    }
}
