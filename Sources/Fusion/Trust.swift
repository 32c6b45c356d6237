internal import Bytes

/// How far the lessons may be trusted with this item: do they explain its levels better than nearness does?
///
/// Both are densities of the same levels, so that their difference is evidence for one model against the other.
struct Trust: Sendable {
    private let parameters: Parameters.Trust
    var sum: Double
    var weight: Double
    /// The running mean of the levels, in dBm.
    var mean: Double?
    private let scale: Double

    init(parameters: Parameters.Trust) {
        self.parameters = parameters
        sum = parameters.startWeight * parameters.start
        weight = parameters.startWeight
        // Of Student's t with 4 degrees of freedom: Γ(5/2) / (√(4π) Γ(2)) = 3/8.
        scale = Mathematics.log(0.375 / parameters.spread)
    }

    /// The share of the lessons in the belief, 0...1.
    var share: Double { Mathematics.logistic((sum / weight - parameters.doubt) / parameters.softness) }

    /// Lets a second pass.
    mutating func forget() {
        guard weight > Parameters.Trust.leastWeight else { return }
        sum *= parameters.keeps
        weight *= parameters.keeps
    }

    /// Takes in the levels of the known nodes that heard: `taught` is their log density under the lessons, in nats a
    /// node; `rooms` tells the room of each of them, `nodesByRoom` how many nodes each room has.
    mutating func weigh(levels: [Double], rooms: [Int?], nodesByRoom: [Int], nodes: Int, taught: Double) {
        guard !levels.isEmpty, nodes > 0 else { return }
        let heard = Double(levels.count)
        let now = levels.reduce(0, +) / heard
        let mean = self.mean.map { $0 + parameters.meanShare * (now - $0) } ?? now
        self.mean = mean
        var best = -Double.infinity
        for room in nodesByRoom.indices where nodesByRoom[room] > 0 {
            let others = parameters.lift * Double(nodesByRoom[room]) / Double(nodes)
            var density = 0.0
            for index in levels.indices {
                let lift = (rooms[index] == room ? parameters.lift : 0) - others
                let deviation = (levels[index] - mean - lift) / parameters.spread
                density += scale - 2.5 * Mathematics.log1p(deviation * deviation / 4)
            }
            best = max(best, density / heard)
        }
        guard best.isFinite, taught.isFinite else { return }
        sum += heard * min(parameters.cut, max(-parameters.cut, taught - best))
        weight += heard
    }
}
