internal import Bytes

/// The excess in dB of each node's reception of an item over that in the lessons: another antenna, a cupboard before
/// it, a new case.
///
/// The item's place is not given, so the belief is the teacher, and it must not carry lessons away. The deviations of a
/// node from the lessons are collected room by room, as each is believed, for a bounded time. A room's error is its
/// node's and one of its own, since an item is somewhere in it: so one room is little evidence however long the stay,
/// many that agree are much, and all is drawn to the lessons (a mean of random effects).
struct ReceiverDrift: Sendable {
    /// A node's deviation in one room from the lessons.
    struct Deviation: Hashable, Sendable {
        /// The mean, in dB.
        var mean: Float = 0
        /// The number of readings that it is worth.
        var weight: Float = 0
    }

    /// The deviation of a node in a room, both as the lessons count them.
    private struct Entry {
        var column: Int32
        var room: Int32
        var deviation = Deviation()
    }

    private let parameters: Parameters.ReceiverDrift
    /// The share of a reading for which a hop counts: errors of neighbouring seconds are correlated.
    private let share: Double
    /// The excess in dB of each known node over the lessons; 0 if that is hardly more than chance.
    private(set) var offsets: [Double]
    // In order of the nodes, and of a node in that of the rooms. Most nodes of a large house never receive an item in
    // most of its rooms: only observed pairs have an entry.
    private var entries: [Entry] = []

    // Scratch, retained so that a hop in a room that is known allocates nothing.
    private var chances: [Double]

    init(nodes: Int, rooms: Int, parameters: Parameters) {
        self.parameters = parameters.refinement
        share = parameters.loudness.share
        offsets = [Double](repeating: 0, count: nodes)
        chances = [Double](repeating: 0, count: rooms)
    }

    /// True if all offsets are 0.
    var isIdle: Bool { offsets.allSatisfy { $0 == 0 } }

    /// Consumes a hop, or a share of it: the levels of the receiving nodes, of an item that is louder than the tag that
    /// was taught, by the belief in the states of `lessons`.
    mutating func learn(
        _ heard: [Int], _ levels: [Double], louder: Double, belief: [Double], share: Double, lessons: TrainedModel
    ) {
        for room in chances.indices { chances[room] = 0 }
        for state in belief.indices { chances[lessons.roomOfState[state]] += belief[state] }
        // Only in its likeliest room: an error of expectation in an unlikely room is not the node's.
        guard let room = chances.indices.max(by: { chances[$0] < chances[$1] }),
            share * chances[room] >= Parameters.even
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

    /// Each node's deviation in a taught room, in the order of the lessons; none if no node received.
    func deviations(in room: Int) -> [Deviation] {
        var deviations: [Deviation] = []
        for entry in entries where entry.room == room {
            if deviations.isEmpty { deviations = [Deviation](repeating: Deviation(), count: offsets.count) }
            deviations[Int(entry.column)] = entry.deviation
        }
        return deviations
    }

    /// Continues with a node's stored deviation in a room; impossible numbers are left out.
    mutating func resume(_ deviation: Deviation, of column: Int, in room: Int) {
        guard abs(deviation.mean) <= Float(Parameters.TransmitterOffset.most), deviation.weight > 0,
            deviation.weight.isFinite
        else { return }
        let weight = min(deviation.weight, Float(longest))
        entries[place(of: column, in: room)].deviation = Deviation(mean: deviation.mean, weight: weight)
        allow(column)
    }

    /// The most readings that a room's error counts, the latest ones.
    private var longest: Double { share * Parameters.longest }

    private mutating func note(_ error: Double, of column: Int, in room: Int, chance: Double) {
        let share = share * chance
        let place = place(of: column, in: room)
        // Any length of rest in one place is one error.
        let known = min(Double(entries[place].deviation.weight), longest - share)
        let mean = Double(entries[place].deviation.mean)
        let most = Parameters.TransmitterOffset.most
        let bounded = min(most, max(-most, error))
        entries[place].deviation = Deviation(
            mean: Float(mean + share / (known + share) * (bounded - mean)), weight: Float(known + share))
    }

    /// The place of the entry of a node in a room; adds it if missing.
    private mutating func place(of column: Int, in room: Int) -> Int {
        var place = first(of: column)
        while place < entries.count, entries[place].column == column, entries[place].room < room { place += 1 }
        if place == entries.count || entries[place].column != column || entries[place].room != room {
            entries.insert(Entry(column: Int32(column), room: Int32(room)), at: place)
        }
        return place
    }

    /// The place of a node's first entry.
    private func first(of column: Int) -> Int { entries.partitionPoint(where: { $0.column < column }) }

    /// The excess in dB of a node over the lessons, if it is more than the places in rooms would cause by chance; nil,
    /// too, for fewer than three nodes.
    ///
    /// The common part counts as the item's loudness, so that one changed node moves the expectation of the others: the
    /// middle one is the measure, and of two it is unknown which has changed.
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

    /// The mean over all rooms together, and its variance.
    private func estimate(of column: Int) -> (mean: Double, variance: Double) {
        var pull = 0.0
        var hold = 1 / parameters.variance
        for entry in entries[first(of: column)...] {
            guard entry.column == column else { break }
            let known = 1 / (Parameters.packetVariance + Parameters.packetVariance / Double(entry.deviation.weight))
            pull += known * Double(entry.deviation.mean)
            hold += known
        }
        return (pull / hold, 1 / hold)
    }
}
