/// The levels of one item at its loudest nodes in the last ten seconds. It is a scratch, so that a step allocates nothing.
struct NodeLevels: Sendable {
    /// Seconds that are looked at, and nodes at most.
    static let seconds = 10, capacity = 8
    /// The level of a second in which a node did not hear it.
    static let none: Int16 = -200
    /// The least number of seconds with a deviation.
    private static let leastDeviations = 4

    /// The nodes, by their indices.
    private(set) var nodes: [UInt16] = []
    /// The levels by node and second.
    private var levels: [Int16] = []
    private var loudest: [Int16] = []
    private var deviations: [(sum: Float, count: Int)] = []

    mutating func clear() {
        nodes.removeAll(keepingCapacity: true)
        levels.removeAll(keepingCapacity: true)
        loudest.removeAll(keepingCapacity: true)
        deviations.removeAll(keepingCapacity: true)
    }

    /// Adds the highest level and the deviation, if there is one, of a second, counted from the first.
    mutating func add(_ level: Int16, deviation: Float?, of node: UInt16, second: Int) {
        var place = nodes.firstIndex(of: node)
        if place == nil {
            place = nodes.count
            nodes.append(node)
            levels.append(contentsOf: repeatElement(Self.none, count: Self.seconds))
            loudest.append(Self.none)
            deviations.append((0, 0))
        }
        guard let place else { return }
        levels[place * Self.seconds + second] = max(levels[place * Self.seconds + second], level)
        loudest[place] = max(loudest[place], level)
        if let deviation {
            deviations[place].sum += deviation
            deviations[place].count += 1
        }
    }

    /// The places of the loudest nodes, in the order of their indices among ties.
    var loudestPlaces: [Int] {
        guard nodes.count > Self.capacity else { return Array(nodes.indices) }
        return Array(nodes.indices.sorted { (loudest[$1], nodes[$0]) < (loudest[$0], nodes[$1]) }.prefix(Self.capacity))
    }

    /// The highest level that one node reached before and after the other one did.
    func levelAtBoth(_ place: Int, _ other: Int) -> Int16 {
        let (start, otherStart) = (place * Self.seconds, other * Self.seconds)
        var best = Self.none
        var before = Self.none
        for second in 0..<Self.seconds {
            let level = min(before, levels[otherStart + second])
            if level > best {
                var after = Self.none
                for later in second + 1..<max(second + 1, Self.seconds) { after = max(after, levels[start + later]) }
                best = max(best, min(level, after))
            }
            before = max(before, levels[start + second])
        }
        return best
    }

    /// The second largest mean deviation of a node, with the node of the largest.
    var secondDeviation: (node: Int, other: Int, deviation: Float)? {
        var (first, second): ((node: Int, mean: Float)?, (node: Int, mean: Float)?)
        for (place, sum) in deviations.enumerated() where sum.count >= Self.leastDeviations {
            let mean = sum.sum / Float(sum.count)
            if mean > first?.mean ?? -1 {
                (first, second) = ((Int(nodes[place]), mean), first)
            } else if mean > second?.mean ?? -1 {
                second = (Int(nodes[place]), mean)
            }
        }
        guard let first, let second else { return nil }
        return (first.node, second.node, second.mean)
    }
}
