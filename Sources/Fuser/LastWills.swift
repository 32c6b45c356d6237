internal import Integrations
internal import WireProtocol

/// Says for nodes that are gone what their last will can't, since a client has one will alone: that they are offline for
/// ESPresense's users, too.
///
/// A node says `online` and, at a clean end, `offline` there itself. Its own status is seen in its order, so that what is said
/// for it ends as that does.
struct LastWills: Sendable {
    /// Nodes at once.
    static let capacity = 1024

    private struct Node: Sendable {
        var root: String?
        var isOnline: Bool?
        /// What was said for it last.
        var said: Bool?
    }

    private var nodes: [String: Node] = [:]
    private var open: Set<String> = []

    /// Records the ESPresense root in a node's `info`.
    mutating func recordRoot(root: String?, of node: String, _ outbox: inout [Message]) {
        guard root != nil || nodes[node] != nil else { return }
        updateNode(node) { known in
            // It tells them no more: what stands there is nobody's.
            if let before = known.root, before != root {
                outbox.append(Message.clearing(ESPresenseTopics(root: before).status(node)))
                known.said = nil
            }
            known.root = root
        }
    }

    /// A node is gone for good, or has another name: what stands of it there is nobody's.
    mutating func forget(_ node: String, _ outbox: inout [Message]) {
        guard let root = nodes.removeValue(forKey: node)?.root else { return }
        outbox.append(Message.clearing(ESPresenseTopics(root: root).status(node)))
    }

    /// Records a node's status.
    mutating func recordStatus(isOnline: Bool, of node: String) { updateNode(node) { $0.isOnline = isOnline } }

    /// The messages to publish now, by a fuser that serves.
    mutating func takeMessages() -> [Message] {
        guard !open.isEmpty else { return [] }
        defer { open.removeAll() }
        return open.sorted().compactMap { id in
            guard let node = nodes[id], let root = node.root, let isOnline = node.isOnline else { return nil }
            // It may have come and gone since the last call: what it said there itself is `online` then.
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
