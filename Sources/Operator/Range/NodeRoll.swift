internal import Bytes
internal import WireProtocol

/// The nodes that exist, by their topics, and notices about them.
struct NodeRoll {
    /// The most nodes that are remembered; further ones are skipped.
    static let capacity = 1024
    /// Seconds after the connection by which all retained messages have arrived.
    static let settling = 2.0
    /// Seconds, or three of its windows, after which the silence of an online node is reported.
    static let patience = 10.0

    private struct Node {
        var isOnline: Bool?
        /// The time when it came online, or its last scan.
        var heard: Timestamp
        var window = 1.0
        var scans = 0
    }

    /// The one node that is requested; nil for all.
    let only: String?
    private var nodes: [String: Node] = [:]
    private var connected: Timestamp?

    init(only: String? = nil) {
        self.only = only
    }

    /// Records that the broker accepted the connection at `now`.
    mutating func connect(at now: Timestamp) {
        nodes = [:]
        connected = now
    }

    /// Records that the connection is lost.
    mutating func disconnect() { connected = nil }

    /// Consumes a message of a node's topics; others are skipped.
    mutating func receive(_ kind: TopicKind?, _ payload: [UInt8], at now: Timestamp) {
        if case .nodeStatus(let node) = kind {
            updateNode(node, at: now) { entry in
                let isOnline = payload == Array("online".utf8)
                if isOnline != entry.isOnline { entry.heard = now }
                entry.isOnline = isOnline
            }
        } else if case .nodeInfo(let node) = kind, let info = try? NodeInfo(payload: payload.span) {
            updateNode(node, at: now) { $0.window = info.window }
        } else if case .scan(let node) = kind, let scan = try? Scan(payload: payload.span) {
            updateNode(node, at: now) { entry in
                entry.scans += 1
                entry.heard = now
                entry.window = scan.to.seconds(since: scan.from)
            }
        }
    }

    private mutating func updateNode(_ node: String, at now: Timestamp, _ body: (inout Node) -> Void) {
        guard only == nil || only == node, nodes[node] != nil || nodes.count < Self.capacity else { return }
        body(&nodes[node, default: Node(heard: now)])
    }

    /// The nodes that are online, by name.
    var online: [String] { nodes.filter { $0.value.isOnline == true }.keys.sorted() }

    /// True if every node that is online has published a whole interval: its second scan ends one that began after the
    /// first.
    var isComplete: Bool {
        let online = nodes.values.filter { $0.isOnline == true }
        return !online.isEmpty && online.allSatisfy { $0.scans >= 2 }
    }

    /// The most seconds until `isComplete`, from the first node on.
    var longestWait: Double {
        max(Self.patience, Self.settling + 2.5 * (nodes.values.map(\.window).max() ?? 1))
    }

    /// Seconds since the broker accepted the connection; nil without one.
    func connectedFor(at now: Timestamp) -> Double? { connected.map { now.seconds(since: $0) } }

    /// The reason for which nothing can be received at all, with the remedy; nil if there is none.
    func obstacle(at now: Timestamp, broker: String) -> String? {
        guard let seconds = connectedFor(at: now) else {
            return "no connection to \(broker), trying again: is the address right, and does a broker run there?"
        }
        guard online.isEmpty, seconds >= Self.settling else { return nil }
        if let only {
            let others = nodes[only]?.isOnline == false ? "is offline" : "was never seen"
            return "node \(only) \(others) at \(broker): start its whereabouts-agent, or leave --node out"
        }
        let offline = nodes.filter { $0.value.isOnline == false }.keys.sorted()
        let seen = offline.isEmpty ? "" : " (offline: \(offline.prefix(8).joined(separator: ", ")))"
        return "no node is online at \(broker)\(seen): start whereabouts-agent on a gateway"
    }

    /// Further notices, a sentence each.
    func notices(at now: Timestamp) -> [String] {
        guard connected != nil else { return [] }
        return nodes.sorted { $0.key < $1.key }.compactMap { name, node in
            let silence = now.seconds(since: node.heard)
            guard node.isOnline == true, silence > max(Self.patience, 3 * node.window) else { return nil }
            return "node \(name) is online and silent for \(Int(min(silence, 1e9))) s: look at its log"
        }
    }
}
