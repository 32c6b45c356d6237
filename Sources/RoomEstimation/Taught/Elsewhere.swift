internal import Bytes

/// Whether an item is in a room that no lesson knows, though a node stands in it.
///
/// Lessons of some rooms know nothing of the others, and would take each of them for the one that sounds most like it. So the
/// levels are asked whether any taught place explains them, or better a room whose own nodes hear the item loudest. Which of
/// those rooms it is, nearness says.
struct Elsewhere: Sendable {
    private let parameters: Parameters.Elsewhere
    private var plain: PlainLevels
    /// The probability that it is in one of them.
    private(set) var chance = 0.5

    init(parameters: Parameters) {
        self.parameters = parameters.elsewhere
        plain = PlainLevels(parameters: parameters.trust)
    }

    /// Goes on with a probability that something else told.
    mutating func begin(with chance: Double) {
        self.chance = min(1 - parameters.least, max(parameters.least, chance))
    }

    /// Takes in a hop; one that nobody heard says nothing.
    ///
    /// - Parameters:
    ///   - taught: what the lessons made of it.
    ///   - isKnown: whether a node that they know heard anything.
    ///   - open: the rooms, by index, with a node that ever heard the item.
    mutating func weigh(
        _ hop: Hop, by taught: Taught, isKnown: Bool, among open: [Bool], in surroundings: Surroundings
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
        _ hop: Hop, by taught: Taught, isKnown: Bool, in surroundings: Surroundings
    ) -> Double {
        let lessons = taught.lessons
        // What a new node hears the lessons can't say.
        let new = hop.readings.lazy.filter { !lessons.nodes.contains($0.node) }
        var best = 0.0
        if !new.isEmpty {
            best = -.infinity
            for room in lessons.rooms { best = max(best, logDensity(of: new, in: room, surroundings)) }
        }
        guard isKnown else { return best + taught.logSilence(of: hop, elsewhere: parameters.silence) }
        return best + Double(taught.levels.count) * (taught.unrefinedDensity - lessons.choice.doubt)
    }

    /// The log density of some levels of an item in a room, as far as nobody taught it.
    private func logDensity(
        of readings: some Sequence<Hop.Reading>, in room: Int, _ surroundings: Surroundings
    ) -> Double {
        guard room < surroundings.nodesByRoom.count else { return -.infinity }
        let told = readings.lazy.map { (node: $0.node, level: $0.level) }
        return plain.logDensity(of: told, in: room, of: surroundings.house, nodesByRoom: surroundings.nodesByRoom)
    }
}
