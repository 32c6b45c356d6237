internal import RoomEstimation

/// The nodes that cannot recognize an item, for want of its key: their silence is no evidence of it.
///
/// Bounded by the contents of an `info`, for each node.
struct MissingKeys: Sendable {
    /// Items a node at most; a node whose `info` names more counts as having the others.
    static let capacity = 1_000

    private var nodes: [String: NodeSet] = [:]
    private var items: [Int: [String]] = [:]

    /// True if every node has every key.
    var isEmpty: Bool { nodes.isEmpty }

    /// The nodes that lack an item's key; nil if none does.
    subscript(item: String) -> NodeSet? { nodes[item] }

    /// Records the items whose keys a node reports missing.
    mutating func record(_ missing: [String], of node: Int) {
        let missing = Array(missing.prefix(Self.capacity))
        guard items[node] ?? [] != missing else { return }
        for item in items[node] ?? [] {
            guard let kept = nodes[item]?.subtracting(NodeSet([node])) else { continue }
            nodes[item] = kept == NodeSet() ? nil : kept
        }
        items[node] = missing.isEmpty ? nil : missing
        for item in missing { nodes[item, default: NodeSet()].insert(node) }
    }
}
