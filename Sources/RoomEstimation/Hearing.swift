/// For each known node the chance that it is deaf to this item: a hidden state of its own, so that a node which fails
/// harms nothing.
struct Hearing: Sendable {
    private let parameters: Parameters.Hearing
    var deaf: [Double]

    init(nodes: Int, parameters: Parameters.Hearing) {
        self.parameters = parameters
        deaf = [Double](repeating: parameters.deafAtFirst, count: nodes)
    }

    /// Lets a second pass in which nodes may fail or be mended.
    mutating func step() {
        for node in deaf.indices {
            deaf[node] = deaf[node] * (1 - parameters.mends) + (1 - deaf[node]) * parameters.fails
        }
    }

    /// The node heard.
    mutating func hear(_ node: Int) { deaf[node] = 0 }

    /// The node was silent, and one that hears would be so with the chance `expected`.
    mutating func miss(_ node: Int, expected: Double) {
        let sum = deaf[node] + (1 - deaf[node]) * expected
        if sum > 0 { deaf[node] /= sum }
    }

    /// The chance of a silence where a node that hears would be silent with the chance `share`.
    func silence(_ node: Int, _ share: Double) -> Double { deaf[node] + (1 - deaf[node]) * share }
}
