internal import WireProtocol

/// The nodes of a house, as their retained topics describe them.
struct FleetNodes {
    /// One node.
    struct Node: Hashable {
        /// True if its status is `online`.
        var isOnline = false
        /// Its identity, build and settings; nil if it never published them.
        var info: NodeInfo?
        /// The performance of its radio in the last minute.
        var health: NodeHealth?

        /// Its problems in words, those of its radio included: its state where it does not scan, and its fault.
        var problems: [String] {
            guard let info else { return [] }
            let radio = [info.radio?.state, info.radio?.problem].compactMap { $0 }.filter { $0 != "scanning" }
            return info.problems + radio.map { "radio: \($0)" }
        }
    }

    /// The topics that are read.
    static func filters(_ topics: Topics) -> [String] { ["status", "info", "health"].map(topics.allNodes) }

    /// All nodes, by id.
    private(set) var nodes: [String: Node] = [:]
    private let topics: Topics

    init(_ topics: Topics) {
        self.topics = topics
    }

    subscript(id: String) -> Node { nodes[id] ?? Node() }

    /// The version that most nodes have; of two the later text.
    var usualVersion: String? {
        let counts = Dictionary(nodes.values.compactMap { $0.info?.version }.map { ($0, 1) }, uniquingKeysWith: +)
        return counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
    }

    /// Reads one message; an empty one clears what it held.
    mutating func receive(_ message: Message) {
        let payload = message.payload
        switch topics.kind(of: message.topic) {
        case .nodeStatus(let node):
            update(node) { $0.isOnline = payload == Array("online".utf8) }
        case .nodeInfo(let node): update(node) { $0.info = try? NodeInfo(payload: payload.span) }
        case .nodeHealth(let node): update(node) { $0.health = try? NodeHealth(payload: payload.span) }
        case .scan, .region, .nodeEvents, .proximity, .window, .fuserStatus, .fuserClaim, .location, .room, .itemEvents,
            .itemAlert, .itemTelemetry, .itemBattery, .occupancy, .itemConfig, .lesson, .housePlan, .floorPicture,
            .rollout, .nodeCommand, .commandResult, .fuserCommand, .fuserCommandResult, .replies, nil:
            break
        }
    }

    private mutating func update(_ id: String, _ change: (inout Node) -> Void) {
        var node = nodes[id] ?? Node()
        change(&node)
        nodes[id] = node == Node() ? nil : node
    }
}
