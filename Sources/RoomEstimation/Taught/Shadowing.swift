/// What the levels of an item owe to causes that last longer than a hop: a body or a door in the way, the place of a hand.
///
/// Levels of neighbouring seconds err together. Whoever weighs each anew believes the same error many times over; so each
/// node's error, as far as it is known from the hops before, is taken off its level before that is weighed (a slow
/// component of the noise, followed by a filter of fixed gain).
struct Shadowing: Sendable {
    private let memory: Parameters.Shadowing.Memory
    /// The error that each known node is expected to have now, in dB.
    private(set) var errors: [Double]

    init(nodes: Int, memory: Parameters.Shadowing.Memory) {
        self.memory = memory
        errors = [Double](repeating: 0, count: nodes)
    }

    /// Whether nothing is ever taken off.
    var isIdle: Bool { memory.share == 0 }

    /// Lets a second pass.
    mutating func step() {
        for node in errors.indices { errors[node] *= memory.keeps }
    }

    /// The node heard `error` dB more than the belief lets expect.
    mutating func learn(_ node: Int, error: Double) {
        errors[node] += memory.share * (error - errors[node])
    }
}
