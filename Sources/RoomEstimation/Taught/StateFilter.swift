internal import Bytes

/// The likelihood and the belief that rest on lessons: a filter over states (places inside rooms).
///
/// The levels of the receiving nodes are weighed together, once, and then each silence by the probability that the node
/// receives at all. A hop in which no known node received moves the belief on and is no further evidence.
struct StateFilter: Sendable {
    let lessons: TrainedModel
    private let parameters: Parameters
    var belief: [Double]
    var hearing: ReceiverHealth
    private var trail: Trail?
    var loudness: TransmitterOffset
    var refinement: ReceiverDrift
    /// True if a known node ever received the item.
    var hasHeard = false
    /// The last hop with a reading of a known node: its columns and levels, and the silent columns that count.
    private(set) var heard: [Int] = []
    private(set) var levels: [Double] = []
    /// Those levels as the tag that was taught would have had them.
    private(set) var alike: [Double] = []
    private(set) var silent: [Int] = []
    /// The log density of those levels under the likeliest state, in nats a node; and, if requested, the same with the
    /// nodes as in the lessons.
    private(set) var density = 0.0
    private(set) var unrefinedDensity = 0.0

    // Scratch, retained so that a hop allocates nothing.
    private var next: [Double]
    private var evidence: [Double]
    private var ofRooms: [Double]
    private var pulls: [Double]
    private var holds: [Double]
    private var work: [Double]
    private var unrefined: [Double] = []

    init(lessons: TrainedModel, parameters: Parameters) {
        self.lessons = lessons
        self.parameters = parameters
        let count = lessons.roomOfState.count
        belief = [Double](repeating: 1 / Double(count), count: count)
        next = belief
        evidence = belief
        pulls = belief
        holds = belief
        ofRooms = [Double](repeating: 0, count: lessons.rooms.count)
        work = [Double](repeating: 0, count: lessons.nodes.count)
        hearing = ReceiverHealth(nodes: lessons.nodes.count, parameters: parameters.hearing)
        trail = lessons.routes.map { Trail($0) }
        loudness = TransmitterOffset(parameters: parameters.loudness)
        refinement = ReceiverDrift(
            nodes: lessons.nodes.count, rooms: lessons.rooms.count, parameters: parameters)
    }

    /// Moves the belief on by one second.
    mutating func step() {
        if let routes = lessons.routes {
            trail?.step(belief, by: lessons.motion, routes, into: &next)
        } else {
            lessons.motion.step(belief, into: &next)
        }
        swap(&belief, &next)
        loudness.step()
    }

    /// Consumes the evidence of a hop; false if no known node received.
    mutating func weigh(_ hop: Hop) -> Bool {
        guard sort(hop) else { return false }
        let scratch = Gaussians.scratch(heard: heard.count)
        if work.count < scratch { work += [Double](repeating: 0, count: scratch - work.count) }
        hasHeard = true
        hearing.step()
        weighLevels()
        weighSilences()
        loudness.learn(belief, pulls: pulls, holds: holds)
        return true
    }

    /// Learns the nodes' deviations from the lessons from the last hop, as far as the item is in a taught room.
    mutating func refine(share: Double) {
        refinement.learn(heard, levels, louder: loudness.mean, belief: belief, share: share, lessons: lessons)
    }

    /// Separates the known nodes into those that received and those whose silence counts.
    private mutating func sort(_ hop: Hop) -> Bool {
        var at = 0
        guard hop.readings.contains(where: { lessons.nodes.contains($0.node) }) else { return false }
        heard.removeAll(keepingCapacity: true)
        levels.removeAll(keepingCapacity: true)
        alike.removeAll(keepingCapacity: true)
        silent.removeAll(keepingCapacity: true)
        for column in lessons.nodes.indices {
            let node = lessons.nodes[column]
            while at < hop.readings.count, hop.readings[at].node < node { at += 1 }
            if at < hop.readings.count, hop.readings[at].node == node {
                heard.append(column)
                levels.append(hop.readings[at].level)
                alike.append(hop.readings[at].level - loudness.mean - refinement.offsets[column])
            } else if hop.listening?.contains(node) ?? true {
                silent.append(column)
            }
        }
        return true
    }

    private mutating func weighLevels() {
        density = weighStates(heard, alike)
        let highest = evidence.max() ?? 0
        for state in belief.indices { belief[state] *= Mathematics.exp(evidence[state] - highest) }
        Mathematics.normalise(&belief, least: Parameters.least)
    }

    private mutating func weighSilences() {
        let count = lessons.nodes.count
        // The silence expected by the levels is computed before any silence is weighed, and alike for all nodes.
        for column in lessons.nodes.indices { work[column] = 0 }
        for state in belief.indices {
            for column in silent { work[column] += belief[state] * lessons.silence[state * count + column] }
        }
        for state in belief.indices {
            let row = state * count
            var chance = 1.0
            for column in heard { chance *= 1 - lessons.silence[row + column] }
            for column in silent { chance *= hearing.silence(column, lessons.silence[row + column]) }
            belief[state] *= chance
        }
        for column in silent { hearing.miss(column, expected: work[column]) }
        for column in heard { hearing.hear(column) }
        Mathematics.normalise(&belief, least: Parameters.least)
    }

    /// Puts the weighted log likelihood of levels into `evidence`; returns the greatest log density, in nats a node.
    private mutating func weighStates(_ heard: [Int], _ levels: [Double]) -> Double {
        let learning = parameters.lessons
        let tail = parameters.trust.taughtTail
        for room in ofRooms.indices {
            let fit = lessons.wholeRooms.fit(room, heard: heard, levels: levels, work: &work)
            ofRooms[room] = loudness.marginal(fit).logDensity(heard: heard.count, tail: learning.tail)
        }
        var best = -Double.infinity
        for state in evidence.indices {
            let fit = lessons.states.fit(state, heard: heard, levels: levels, work: &work)
            let whole = loudness.marginal(fit)
            let own = whole.logDensity(heard: heard.count, tail: learning.tail)
            let ofRoom = ofRooms[lessons.roomOfState[state]]
            evidence[state] = learning.weight * (own + learning.roomShare * (ofRoom - own))
            (pulls[state], holds[state]) = (fit.pull, fit.hold)
            best = max(best, whole.logDensity(heard: heard.count, tail: tail))
        }
        return Self.density(best, heard: heard.count, tail: tail)
    }

    /// The log density of a hop in nats a node, by that of all its levels together without the constant.
    private static func density(_ best: Double, heard: Int, tail: Int) -> Double {
        (best + Gaussians.logConstant(heard: heard, tail: tail)) / Double(max(1, heard))
    }

    /// Computes the fit of the last hop to lessons whose nodes are as they were taught. An adapted fit is no evidence
    /// for them while the item may be in a room that they do not cover.
    mutating func weighUnrefined() {
        unrefinedDensity = density
        guard !refinement.isIdle else { return }
        unrefined.removeAll(keepingCapacity: true)
        for (place, column) in heard.enumerated() { unrefined.append(alike[place] + refinement.offsets[column]) }
        let tail = parameters.trust.taughtTail
        var best = -Double.infinity
        for state in evidence.indices {
            let fit = lessons.states.fit(state, heard: heard, levels: unrefined, work: &work)
            best = max(best, loudness.marginal(fit).logDensity(heard: heard.count, tail: tail))
        }
        unrefinedDensity = Self.density(best, heard: heard.count, tail: tail)
    }

    /// The weighted log likelihood of levels under each state.
    mutating func logLikelihoods(_ heard: [Int], _ levels: [Double]) -> [Double] {
        _ = weighStates(heard, levels)
        return evidence
    }

    /// The logarithm of the belief in each taught room, as an index into the lessons' rooms.
    mutating func logsOfRooms() -> [Double] {
        sumRooms()
        return ofRooms
    }

    /// The probability of a room, by its index in the house, as far as it is believed.
    func probability(of room: Int) -> Double {
        var sum = 0.0
        for state in belief.indices where lessons.rooms[lessons.roomOfState[state]] == room { sum += belief[state] }
        return sum
    }

    /// The probability of the silence of all known nodes that listened, in the state of the greatest one, as log odds
    /// against a place at which each is silent with the probability `elsewhere`.
    func logSilence(of hop: Hop, elsewhere: Double) -> Double {
        let count = lessons.nodes.count
        var best = -Double.infinity
        for state in belief.indices {
            var sum = 0.0
            for column in 0..<count where hop.listening?.contains(lessons.nodes[column]) ?? true {
                sum += Mathematics.log(hearing.silence(column, lessons.silence[state * count + column]) / elsewhere)
            }
            best = max(best, sum)
        }
        return best
    }

    /// Adopts the belief in rooms by other lessons, or by none.
    mutating func begin(with probabilities: [Double]) {
        var statesOfRoom = [Double](repeating: 0, count: lessons.rooms.count)
        for room in lessons.roomOfState { statesOfRoom[room] += 1 }
        for state in belief.indices {
            let room = lessons.roomOfState[state]
            let index = lessons.rooms[room]
            belief[state] = (index < probabilities.count ? probabilities[index] : 0) / statesOfRoom[room]
        }
        // A place that was impossible without lessons need not be so with them.
        Mathematics.normalise(&belief, least: Parameters.leastBelief)
    }

    /// Adds a share of the belief to the probabilities of rooms, with the calibration of the lessons.
    mutating func add(_ share: Double, to probabilities: inout [Double]) {
        sumRooms()
        lessons.choice.calibration.sharpen(&ofRooms)
        for (room, chance) in zip(lessons.rooms, ofRooms) where room < probabilities.count {
            probabilities[room] += share * chance
        }
    }

    /// Puts the logarithm of the belief in each taught room into `ofRooms`.
    private mutating func sumRooms() {
        for room in ofRooms.indices { ofRooms[room] = Parameters.least }
        for state in belief.indices { ofRooms[lessons.roomOfState[state]] += belief[state] }
        for room in ofRooms.indices { ofRooms[room] = Mathematics.log(ofRooms[room]) }
    }
}
