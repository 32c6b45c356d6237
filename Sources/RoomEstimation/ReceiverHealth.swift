/// The probability, for each known node, that it is deaf to this item: a hidden state of its own, so that a node that
/// fails does no harm.
struct ReceiverHealth: Sendable {
    private let parameters: Parameters.ReceiverHealth
    var deaf: [Double]

    init(nodes: Int, parameters: Parameters.ReceiverHealth) {
        self.parameters = parameters
        deaf = [Double](repeating: parameters.deafAtFirst, count: nodes)
    }

    /// Advances by a second in which nodes may fail, or recover after `Parameters.longest` on average.
    mutating func step() {
        for node in deaf.indices {
            deaf[node] = deaf[node] * (1 - 1 / Parameters.longest) + (1 - deaf[node]) * parameters.fails
        }
    }

    /// Consumes a reception by the node.
    mutating func hear(_ node: Int) { deaf[node] = 0 }

    /// Consumes a silence of the node; one that receives would be silent with the probability `expected`.
    mutating func miss(_ node: Int, expected: Double) {
        let sum = deaf[node] + (1 - deaf[node]) * expected
        if sum > 0 { deaf[node] /= sum }
    }

    /// The probability of a silence, if a node that receives would be silent with the probability `share`.
    func silence(_ node: Int, _ share: Double) -> Double { deaf[node] + (1 - deaf[node]) * share }
}
