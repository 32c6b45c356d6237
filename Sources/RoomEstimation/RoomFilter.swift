internal import Bytes

/// A belief over rooms: moved on by a motion, updated by evidence (the forward pass of a hidden Markov model).
struct RoomFilter: Sendable {
    /// The probability of each room; all 0 until the first reading.
    private(set) var belief: [Double] = []
    private var next: [Double] = []
    private var places: [Int] = []
    private var started = false

    /// Continues with a belief of another filter; one that sums to nothing is none.
    mutating func resume(_ belief: [Double]) {
        resize(belief.count)
        started = belief.contains { $0 > 0 }
        self.belief = belief
        if started { Mathematics.normalise(&self.belief, least: Parameters.least) }
    }

    /// Removes the belief in a room that no longer exists, by its index.
    mutating func forget(_ room: Int) {
        guard room < belief.count, belief[room] > 0 else { return }
        belief[room] = 0
        Mathematics.normalise(&belief, least: Parameters.least)
        belief[room] = 0
    }

    /// Moves the belief on by one second among the open rooms, except for the share that is held in place.
    mutating func step(_ motion: Motion, among open: [Bool], held: Double = 0) {
        resize(motion.places)
        guard started, open.count == motion.places else { return }
        places.removeAll(keepingCapacity: true)
        for room in open.indices where open[room] { places.append(room) }
        motion.step(belief, among: places, into: &next)
        for room in next.indices { next[room] += held * (belief[room] - next[room]) }
        swap(&belief, &next)
    }

    /// Consumes evidence, in nats a room; closed rooms retain no belief.
    mutating func weigh(_ evidence: [Double], among open: [Bool]) {
        resize(evidence.count)
        if !started {
            started = true
            for room in belief.indices { belief[room] = open[room] ? 1 : 0 }
        }
        var highest = -Double.infinity
        for room in belief.indices where open[room] { highest = max(highest, evidence[room]) }
        for room in belief.indices {
            belief[room] *= open[room] ? Mathematics.exp(evidence[room] - highest) : 0
        }
        Mathematics.normalise(&belief, least: Parameters.least)
    }

    private mutating func resize(_ rooms: Int) {
        guard belief.count != rooms else { return }
        while belief.count < rooms { belief.append(0) }
        belief.removeLast(belief.count - rooms)
        next = [Double](repeating: 0, count: rooms)
    }
}
