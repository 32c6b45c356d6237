internal import Bytes

/// The detection of an item in a room that no lesson covers, though a node is in it.
///
/// Lessons of some rooms have no evidence of the others, and would mistake each of them for the room of the most
/// similar levels. The levels are therefore compared with those of all taught places, and with those of a room whose
/// own nodes receive the item loudest. Nearness chooses among such rooms.
struct UntaughtRoomDetector: Sendable {
    private let parameters: Parameters.UntaughtRoomDetector
    private var plain: PlainLevels
    /// The probability that it is in one of them.
    private(set) var chance = Parameters.even

    init(parameters: Parameters) {
        self.parameters = parameters.elsewhere
        plain = PlainLevels(parameters: parameters)
    }

    /// Continues with a probability from another source.
    mutating func begin(with chance: Double) {
        self.chance = min(1 - Parameters.leastBelief, max(Parameters.leastBelief, chance))
    }

    /// Consumes a hop; one without a packet is no evidence.
    ///
    /// - Parameters:
    ///   - taught: the state of the lessons after it.
    ///   - isKnown: true if a node of the lessons received anything.
    ///   - open: the rooms, by index, with a node that ever received the item.
    mutating func weigh(
        _ hop: Hop, by taught: StateFilter, isKnown: Bool, among open: [Bool], in surroundings: Surroundings
    ) {
        guard !hop.readings.isEmpty else { return }
        plain.follow(hop.readings.reduce(0) { $0 + $1.level } / Double(hop.readings.count))
        var there = -Double.infinity
        for (room, nodes) in surroundings.untaught where open[room] {
            let isSilent = !hop.readings.contains { nodes.contains($0.node) }
            let listens = nodes.contains { hop.listening?.contains($0) ?? true }
            let silence = isSilent && listens ? Mathematics.log(parameters.ownSilence) : 0
            there = max(there, logDensity(of: hop.readings, in: room, surroundings) + silence)
        }
        guard there > -.infinity else { return }
        let here = logDensity(hop, by: taught, isKnown: isKnown, in: surroundings)
        let moved = chance + parameters.moves * (1 - 2 * chance)
        let odds = moved / (1 - moved) * Mathematics.exp(parameters.weight * (there - here))
        begin(with: odds.isFinite ? odds / (1 + odds) : 1)
    }

    /// The log density of all levels of an item in a room that was taught.
    private func logDensity(
        _ hop: Hop, by taught: StateFilter, isKnown: Bool, in surroundings: Surroundings
    ) -> Double {
        let lessons = taught.lessons
        // The lessons have no levels of a new node.
        let new = hop.readings.lazy.filter { !lessons.nodes.contains($0.node) }
        var best = 0.0
        if !new.isEmpty {
            best = -.infinity
            for room in lessons.rooms { best = max(best, logDensity(of: new, in: room, surroundings)) }
        }
        guard isKnown else { return best + taught.logSilence(of: hop, elsewhere: Parameters.even) }
        return best + Double(taught.levels.count) * (taught.unrefinedDensity - lessons.choice.doubt)
    }

    /// The log density of some levels of an item in a room, as far as it is untaught.
    private func logDensity(
        of readings: some Sequence<Hop.Reading>, in room: Int, _ surroundings: Surroundings
    ) -> Double {
        guard room < surroundings.nodesByRoom.count else { return -.infinity }
        let told = readings.lazy.map { (node: $0.node, level: $0.level) }
        return plain.logDensity(of: told, in: room, of: surroundings.house, nodesByRoom: surroundings.nodesByRoom)
    }
}
