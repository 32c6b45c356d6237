/// The highest level that one transmitter reaches at both nodes of a pair, by pair.
struct PairLevels: Sendable {
    /// The level at both of a pair that is new: no transmitter is a metre from two nodes at once.
    private static let prior: Float = -45
    /// The excess in dB above which a level is strange, and what a strange one teaches.
    private static let margin: Float = 6, leak: Float = 0.0006
    /// The steps that teach a pair: half an hour of one item, since people seldom stand between two nodes.
    private static let lessons: UInt16 = 360

    /// The most strange level of a step.
    struct Excess {
        var node: Int
        var other: Int
        var level: Int
        var usual: Int
        var isStrange: Bool
    }

    /// The maximum number of levels.
    let capacity: Int
    private var ceilings: [UInt32: LearnedCeiling] = [:]

    init(capacity: Int) { self.capacity = capacity }

    /// Consumes the levels of a step. Returns the most strange pair; nil if no two nodes heard the item in turn.
    ///
    /// - Parameter leftOut: the count of levels of pairs for which there is no room.
    mutating func consume(_ levels: NodeLevels, leftOut: inout UInt64) -> Excess? {
        var most: (excess: Float, result: Excess)?
        let places = levels.loudestPlaces
        for place in places {
            for other in places where other != place {
                let level = levels.levelAtBoth(place, other)
                guard level > NodeLevels.none else { continue }
                let (node, second) = (levels.nodes[place], levels.nodes[other])
                let key = UInt32(node) << 16 | UInt32(second)
                let known = ceilings[key]
                guard known != nil || ceilings.count < capacity else {
                    leftOut += 1
                    continue
                }
                var ceiling =
                    known
                    ?? LearnedCeiling(prior: Self.prior, margin: Self.margin, leak: Self.leak, lessons: Self.lessons)
                let usual = ceiling.value
                let isStrange = ceiling.consume(Float(level))
                ceilings[key] = ceiling
                let excess = Float(level) - usual
                if excess > most?.excess ?? -.infinity {
                    let result = Excess(
                        node: Int(node), other: Int(second), level: Int(level), usual: Int(usual.rounded()),
                        isStrange: isStrange)
                    most = (excess, result)
                }
            }
        }
        return most?.result
    }

    /// Forgets the pairs of a node.
    mutating func forget(_ node: UInt16) {
        ceilings = ceilings.filter { UInt16($0.key >> 16) != node && UInt16(truncatingIfNeeded: $0.key) != node }
    }
}
