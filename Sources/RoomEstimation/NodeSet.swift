/// A set of node indices as bits; one of indices below 64 takes no memory of its own.
public struct NodeSet: Hashable, Sendable {
    /// The highest index a set holds: the bound of its memory against an invalid number.
    public static let highest = 16_383

    private var low: UInt64 = 0
    private var high: [UInt64] = []

    /// A set of these indices; those outside 0...`highest` are left out.
    public init(_ nodes: some Sequence<Int> = EmptyCollection()) {
        for node in nodes { insert(node) }
    }

    /// Adds an index; one outside 0...`highest` is left out.
    public mutating func insert(_ node: Int) {
        guard node >= 0, node <= Self.highest else { return }
        if node < 64 {
            low |= 1 << UInt64(node)
            return
        }
        let word = node / 64 - 1
        while high.count <= word { high.append(0) }
        high[word] |= 1 << UInt64(node % 64)
    }

    /// The set without the indices of another.
    public func subtracting(_ other: NodeSet) -> NodeSet {
        var rest = self
        rest.low &= ~other.low
        for word in rest.high.indices where word < other.high.count { rest.high[word] &= ~other.high[word] }
        // Equal sets have equal words.
        while rest.high.last == 0 { rest.high.removeLast() }
        return rest
    }

    /// True if the index is in the set.
    public func contains(_ node: Int) -> Bool {
        guard node >= 0 else { return false }
        if node < 64 { return low >> UInt64(node) & 1 == 1 }
        let word = node / 64 - 1
        return word < high.count && high[word] >> UInt64(node % 64) & 1 == 1
    }
}
