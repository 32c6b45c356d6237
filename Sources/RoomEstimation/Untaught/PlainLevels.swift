internal import Bytes

/// The distribution of levels in a house without lessons: the nodes of an item's own room receive it louder than all
/// others, by a fixed number of dB.
///
/// Levels are measured from their own running mean, so that the loudness of an item has no effect.
struct PlainLevels: Sendable {
    private let parameters: Parameters
    private let scale: Double
    /// The running mean of the levels, in dBm; nil before the first.
    var level: Double?

    init(parameters: Parameters) {
        self.parameters = parameters
        // Of Student's t with 4 degrees of freedom: Γ(5/2) / (√(4π) Γ(2)) = 3/8.
        scale = Mathematics.log(0.375 / Parameters.deviation)
    }

    /// Consumes the mean level of a hop.
    mutating func follow(_ now: Double) {
        level = level.map { $0 + parameters.loudness.share * (now - $0) } ?? now
    }

    /// The log density of some nodes' levels of an item in a room; `nodesByRoom` holds the number of nodes of each
    /// room.
    func logDensity(
        of levels: some Sequence<(node: Int, level: Double)>, in room: Int, of house: House, nodesByRoom: [Int]
    ) -> Double {
        let shareOfNodes = Double(nodesByRoom[room]) / Double(house.nodes.count)
        var density = 0.0
        for (node, level) in levels {
            let lift = (house.nodes[node].room == room ? 1 : 0) - shareOfNodes
            let deviation = (level - (self.level ?? level) - parameters.nearness.lift * lift) / Parameters.deviation
            density += scale - 2.5 * Mathematics.log1p(deviation * deviation / 4)
        }
        return density
    }
}
