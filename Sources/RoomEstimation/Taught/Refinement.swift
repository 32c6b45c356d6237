/// How many dB louder each node hears an item than when it was taught: another antenna, a cupboard before it, a new case.
///
/// Nobody says where the item is, so the belief is the teacher, and it must not carry lessons away. What a node hears beside
/// what was taught is kept room by room, as each is believed, for a bounded time. A room's error is its node's and one of its
/// own, since an item is somewhere in it: so one room says little however long it is stayed in, many that agree say much, and
/// all is drawn to what was taught (a mean of random effects).
struct Refinement: Sendable {
    /// What a node heard in one room beside what was taught.
    struct Deviation: Hashable, Sendable {
        /// The mean, in dB.
        var mean: Float = 0
        /// How many readings it is worth.
        var weight: Float = 0
    }

    /// The deviation of a node in a room, both as the lessons count them.
    private struct Entry {
        var column: Int32
        var room: Int32
        var deviation = Deviation()
    }

    private let parameters: Parameters.Refinement
    /// How many dB louder each known node hears than it was taught; 0 where that is hardly more than chance.
    private(set) var offsets: [Double]
    // In order of the nodes, and of a node in that of the rooms. Most nodes of a large house never hear an item in most of its
    // rooms: only what was heard is kept.
    private var entries: [Entry] = []

    // Scratch, kept so that a hop in a room that is known allocates nothing.
    private var chances: [Double]

    init(nodes: Int, rooms: Int, parameters: Parameters.Refinement) {
        self.parameters = parameters
        offsets = [Double](repeating: 0, count: nodes)
        chances = [Double](repeating: 0, count: rooms)
    }

    /// Whether nothing is allowed for.
    var isIdle: Bool { offsets.allSatisfy { $0 == 0 } }

    /// Takes in a hop, or a share of it: the levels of the nodes that heard, of an item that is louder than the tag that was
    /// taught, by what is believed of the states of `lessons`.
    mutating func learn(
        _ heard: [Int], _ levels: [Double], louder: Double, belief: [Double], share: Double, lessons: Lessons
    ) {
        for room in chances.indices { chances[room] = 0 }
        for state in belief.indices { chances[lessons.roomOfState[state]] += belief[state] }
        // Only where it most likely is: what an unlikely room would have let expect, it shouldn't be blamed for.
        guard let room = chances.indices.max(by: { chances[$0] < chances[$1] }),
            share * chances[room] >= parameters.least
        else { return }
        for (column, level) in zip(heard, levels) {
            var expected = 0.0
            for state in belief.indices where lessons.roomOfState[state] == room {
                expected += belief[state] / chances[room] * lessons.states.mean(state, of: column)
            }
            note(level - louder - expected, of: column, in: room, chance: share * chances[room])
            allow(column)
        }
    }

    /// What each node hears in a taught room beside what was taught, in the order of the lessons; none where no node was heard.
    func deviations(in room: Int) -> [Deviation] {
        var deviations: [Deviation] = []
        for entry in entries where entry.room == room {
            if deviations.isEmpty { deviations = [Deviation](repeating: Deviation(), count: offsets.count) }
            deviations[Int(entry.column)] = entry.deviation
        }
        return deviations
    }

    /// Goes on with what a node was heard to be beside what was taught in a room; numbers that can't be are left out.
    mutating func resume(_ deviation: Deviation, of column: Int, in room: Int) {
        guard abs(deviation.mean) <= Float(parameters.most), deviation.weight > 0, deviation.weight.isFinite
        else { return }
        let weight = min(deviation.weight, Float(parameters.longest))
        entries[place(of: column, in: room)].deviation = Deviation(mean: deviation.mean, weight: weight)
        allow(column)
    }

    private mutating func note(_ error: Double, of column: Int, in room: Int, chance: Double) {
        let share = parameters.share * chance
        let place = place(of: column, in: room)
        // However long it lies in one place, that is one error.
        let known = min(Double(entries[place].deviation.weight), parameters.longest - share)
        let mean = Double(entries[place].deviation.mean)
        let bounded = min(parameters.most, max(-parameters.most, error))
        entries[place].deviation = Deviation(
            mean: Float(mean + share / (known + share) * (bounded - mean)), weight: Float(known + share))
    }

    /// Where the deviation of a node in a room is kept; there is one then.
    private mutating func place(of column: Int, in room: Int) -> Int {
        var place = first(of: column)
        while place < entries.count, entries[place].column == column, entries[place].room < room { place += 1 }
        if place == entries.count || entries[place].column != column || entries[place].room != room {
            entries.insert(Entry(column: Int32(column), room: Int32(room)), at: place)
        }
        return place
    }

    /// Where the deviations of a node begin.
    private func first(of column: Int) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].column < column { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// How many dB louder a node hears than it was taught, where that is more than chance would make of places in rooms; nil,
    /// too, of fewer than three nodes.
    ///
    /// What all have in common is taken for the item's loudness, so that one changed node moves what the others are thought to
    /// hear: the middle one is the measure, and of two nobody knows which has changed.
    func change(of column: Int) -> Double? {
        guard offsets.count > 2 else { return nil }
        let (mean, variance) = estimate(of: column)
        let change = mean - offsets.indices.map { estimate(of: $0).mean }.sorted()[offsets.count / 2]
        return abs(change) >= parameters.told * variance.squareRoot() ? change : nil
    }

    private mutating func allow(_ column: Int) {
        let (mean, variance) = estimate(of: column)
        offsets[column] = abs(mean) >= parameters.sure * variance.squareRoot() ? mean : 0
    }

    /// The mean that all rooms together let expect, and its variance.
    private func estimate(of column: Int) -> (mean: Double, variance: Double) {
        var pull = 0.0
        var hold = 1 / parameters.variance
        for entry in entries[first(of: column)...] {
            guard entry.column == column else { break }
            let known = 1 / (parameters.within + parameters.packetVariance / Double(entry.deviation.weight))
            pull += known * Double(entry.deviation.mean)
            hold += known
        }
        return (pull / hold, 1 / hold)
    }
}
