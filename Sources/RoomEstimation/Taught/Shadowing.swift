/// The part of an item's levels due to causes that last longer than a hop: a body or a door in the way, the place of a
/// hand.
///
/// Errors of neighbouring seconds are correlated. Weighing each level anew would count the same error many times over;
/// so each node's error, as far as it is known from the hops before, is subtracted from its level before that is
/// weighed (a slow component of the noise, followed by a filter of fixed gain).
struct Shadowing: Sendable {
    private let memory: Parameters.Shadowing.Memory
    /// The present expected error of each known node, in dB.
    private(set) var errors: [Double]

    init(nodes: Int, memory: Parameters.Shadowing.Memory) {
        self.memory = memory
        errors = [Double](repeating: 0, count: nodes)
    }

    /// True if no error is ever subtracted.
    var isIdle: Bool { memory.share == 0 }

    /// Advances by a second.
    mutating func step() {
        for node in errors.indices { errors[node] *= memory.keeps }
    }

    /// Consumes a node's excess of `error` dB over the level expected by the belief.
    mutating func learn(_ node: Int, error: Double) {
        errors[node] += memory.share * (error - errors[node])
    }
}
