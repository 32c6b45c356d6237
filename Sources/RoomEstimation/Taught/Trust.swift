internal import Bytes

/// The trust in the lessons for this item: the degree to which they explain its levels better than nearness does.
///
/// Both are densities of the same levels, so that their difference is evidence for one model against the other.
struct Trust: Sendable {
    private let parameters: Parameters.Trust
    var sum: Double
    var weight: Double
    var plain: PlainLevels

    init(parameters: Parameters) {
        self.parameters = parameters.trust
        let sure = parameters.fingerprints.sure
        let start = parameters.trust.doubt + parameters.trust.softness * Mathematics.log(sure / (1 - sure))
        sum = parameters.trust.startWeight * start
        weight = parameters.trust.startWeight
        plain = PlainLevels(parameters: parameters)
    }

    /// Without any evidence: it measures lessons.
    static func blank(parameters: Parameters) -> Trust {
        var trust = Trust(parameters: parameters)
        (trust.sum, trust.weight) = (0, 0)
        return trust
    }

    /// The share of the lessons in the belief, 0...1; they count as much as nearness at `doubt` nats a node.
    func share(doubt: Double) -> Double { Mathematics.logistic((mean - doubt) / parameters.softness) }

    /// The mean excess of the lessons' log density of the levels so far over nearness's, in nats a node.
    var mean: Double { sum / weight }

    /// Advances by a second.
    mutating func forget() {
        guard weight > Parameters.tiny else { return }
        let keeps = 1 - 1 / Parameters.longest
        sum *= keeps
        weight *= keeps
    }

    /// Consumes the lessons' state after the last hop with a reading, for a share; `nodesByRoom` holds the number of
    /// nodes of each room.
    mutating func weigh(_ taught: StateFilter, in house: House, nodesByRoom: [Int], share: Double = 1) {
        let levels = taught.levels
        guard !levels.isEmpty else { return }
        let heard = Double(levels.count)
        plain.follow(levels.reduce(0, +) / heard)
        var best = -Double.infinity
        // Separate, so that no other state of the lessons is held for each room.
        let (columns, nodes, places) = (taught.heard, taught.lessons.nodes, house.nodes)
        var quiet: Int?
        for room in nodesByRoom.indices where nodesByRoom[room] > 0 {
            // Rooms without a receiving node differ only by their number of nodes.
            if !columns.contains(where: { places[nodes[$0]].room == room }) {
                guard nodesByRoom[room] != quiet else { continue }
                quiet = nodesByRoom[room]
            }
            let told = zip(columns, levels).lazy.map { (node: nodes[$0], level: $1) }
            best = max(best, plain.logDensity(of: told, in: room, of: house, nodesByRoom: nodesByRoom) / heard)
        }
        guard best.isFinite, taught.density.isFinite else { return }
        sum += share * heard * (taught.density - best)
        weight += share * heard
    }
}
