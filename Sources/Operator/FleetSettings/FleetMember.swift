internal import WireProtocol

/// A node or a fuser of a fleet. Nodes come first in any order.
enum FleetMember: Hashable, Comparable {
    /// A node, by its id.
    case node(String)
    /// A fuser, by its name.
    case fuser(String)

    /// The member with its kind.
    var words: String {
        switch self {
        case .node(let id): "node \(id)"
        case .fuser(let name): "fuser \(name)"
        }
    }

    /// Members in words, nodes by their ids alone.
    static func list(_ members: [FleetMember]) -> String {
        FleetReport.list(
            members.map { member in
                switch member {
                case .node(let id): id
                case .fuser: member.words
                }
            })
    }
}

extension [FleetMember] {
    /// The ids of the nodes among them.
    var nodes: [String] { compactMap { if case .node(let id) = $0 { id } else { nil } } }
    /// The names of the fusers among them.
    var fusers: [String] { compactMap { if case .fuser(let name) = $0 { name } else { nil } } }
}

/// The changes of one stage of a rollout: of some nodes, or of all fusers.
struct RolloutStage: Hashable {
    /// The changes of nodes, by id.
    var nodes: [String: NodeChanges] = [:]
    /// The changes of fusers, by name.
    var fusers: [String: FuserChanges] = [:]

    var isEmpty: Bool { nodes.isEmpty && fusers.isEmpty }

    /// The members that are changed.
    var members: [FleetMember] {
        nodes.keys.sorted().map { .node($0) } + fusers.keys.sorted().map { .fuser($0) }
    }
}

/// The nodes and fusers that a rollout has changed, with what they had before.
struct RolloutChanges: Hashable {
    var nodes: [Rollout.Node] = []
    var fusers: [Rollout.Fuser] = []

    var isEmpty: Bool { nodes.isEmpty && fusers.isEmpty }

    /// The members, in the order in which they were changed.
    var members: [FleetMember] { nodes.map { .node($0.node) } + fusers.map { .fuser($0.fuser) } }

    /// The stage that gives them back what they had.
    var reversal: RolloutStage {
        RolloutStage(
            nodes: Dictionary(nodes.filter { !$0.before.isEmpty }.map { ($0.node, $0.before) }) { first, _ in first },
            fusers: Dictionary(fusers.filter { !$0.before.isEmpty }.map { ($0.fuser, $0.before) }) { first, _ in first }
        )
    }

    /// Those of some members.
    func filter(_ isIncluded: (FleetMember) -> Bool) -> RolloutChanges {
        RolloutChanges(
            nodes: nodes.filter { isIncluded(.node($0.node)) }, fusers: fusers.filter { isIncluded(.fuser($0.fuser)) })
    }

    static func + (one: RolloutChanges, other: RolloutChanges) -> RolloutChanges {
        RolloutChanges(nodes: one.nodes + other.nodes, fusers: one.fusers + other.fusers)
    }
}

extension Rollout {
    /// The nodes and fusers with other settings than before it.
    var changed: RolloutChanges {
        get { RolloutChanges(nodes: nodes, fusers: fusers) }
        set { (nodes, fusers) = (newValue.nodes, newValue.fusers) }
    }

    /// Records what the members of a stage have now, to be given back. A value recorded earlier is the older one, and
    /// stays.
    mutating func record(_ stage: RolloutStage, _ nodes: FleetNodes, _ fusers: FleetFusers) {
        for (id, changes) in stage.nodes.sorted(by: { $0.key < $1.key }) {
            if let info = nodes[id].info { record(changes, of: id, info) }
        }
        for (name, changes) in stage.fusers.sorted(by: { $0.key < $1.key }) {
            if let settings = fusers[name].claim?.settings { record(changes, of: name, settings) }
        }
    }

    /// Records what a node has now.
    mutating func record(_ changes: NodeChanges, of node: String, _ info: NodeInfo) {
        let new = changes.reversal(in: info)
        guard let index = nodes.firstIndex(where: { $0.node == node }) else {
            return nodes.append(Node(node: node, before: new))
        }
        nodes[index].before = nodes[index].before.filled(from: new)
    }

    /// Records what a fuser has now.
    mutating func record(_ changes: FuserChanges, of fuser: String, _ settings: FuserSettings) {
        let new = changes.reversal(in: settings)
        guard let index = fusers.firstIndex(where: { $0.fuser == fuser }) else {
            return fusers.append(Fuser(fuser: fuser, before: new))
        }
        fusers[index].before = fusers[index].before.filled(from: new)
    }
}
