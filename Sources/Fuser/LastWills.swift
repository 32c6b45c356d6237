internal import Integrations
internal import WireProtocol

/// Publishes for nodes that are gone what their last will cannot, since a client has one will alone: that they are
/// offline for ESPresense's users, too.
///
/// A node publishes `online` and, at a clean end, `offline` there itself. Its own status arrives in order, so that the
/// status published for it ends with the same value.
struct LastWills: Sendable {
    /// Nodes at once.
    static let capacity = 1024

    private struct Node: Sendable {
        var root: String?
        var isOnline: Bool?
        /// The last status that was published for it.
        var said: Bool?
    }

    private var nodes: [String: Node] = [:]
    private var open: Set<String> = []

    /// Records the ESPresense root in a node's `info`.
    mutating func recordRoot(root: String?, of node: String, _ outbox: inout [Message]) {
        guard root != nil || nodes[node] != nil else { return }
        updateNode(node) { known in
            // It does not publish there any more: the retained message belongs to nobody.
            if let before = known.root, before != root {
                outbox.append(Message.clearing(ESPresenseTopics(root: before).status(node)))
                known.said = nil
            }
            known.root = root
        }
    }

    /// Removes a node, and clears its retained status there.
    mutating func removeNode(_ node: String, _ outbox: inout [Message]) {
        guard let root = nodes.removeValue(forKey: node)?.root else { return }
        outbox.append(Message.clearing(ESPresenseTopics(root: root).status(node)))
    }

    /// Records a node's status.
    mutating func recordStatus(isOnline: Bool, of node: String) { updateNode(node) { $0.isOnline = isOnline } }

    /// The messages to publish now, by the fuser that serves.
    mutating func takeMessages() -> [Message] {
        guard !open.isEmpty else { return [] }
        defer { open.removeAll() }
        return open.sorted().compactMap { id in
            guard let node = nodes[id], let root = node.root, let isOnline = node.isOnline else { return nil }
            // It may have come and gone since the last call: it has published `online` there then.
            guard !isOnline || node.said == false else { return nil }
            nodes[id]?.said = isOnline
            return Message(
                topic: ESPresenseTopics(root: root).status(id), text: isOnline ? "online" : "offline",
                qos: .atLeastOnce,
                retained: true)
        }
    }

    private mutating func updateNode(_ node: String, _ body: (inout Node) -> Void) {
        guard nodes.count < Self.capacity || nodes[node] != nil else { return }
        body(&nodes[node, default: Node()])
        open.insert(node)
    }
}
