internal import Bytes
internal import WireProtocol

/// The changes of a rollout, and the order of its nodes: the canaries, then the others, then those that come online.
struct RolloutPlan {
    let desired: DesiredSettings
    /// The canaries that the operator named; empty to take the first changed nodes by id.
    let namedCanaries: [String]
    /// The number of canaries if none are named.
    let canaryCount: Int
    /// The nodes that this rollout has changed, in that order.
    private(set) var changed: [String] = []

    init(_ desired: DesiredSettings, canaries: [String] = [], count: Int) {
        (self.desired, namedCanaries, canaryCount) = (desired, canaries, count)
    }

    /// The settings that nodes lack, by node: of all that were ever seen.
    func changes(_ nodes: FleetNodes) -> [String: NodeChanges] {
        var changes: [String: NodeChanges] = [:]
        for (id, node) in nodes.nodes {
            guard let info = node.info else { continue }
            let missing = desired.settings(of: id).missing(in: info)
            if !missing.isEmpty { changes[id] = missing }
        }
        return changes
    }

    /// The nodes that wait until they are online, and those of the file that the broker does not know.
    func pending(_ nodes: FleetNodes) -> (offline: [String], unknown: [String]) {
        let offline = changes(nodes).keys.filter { !nodes[$0].isOnline }
        let unknown = desired.nodes.keys.filter { nodes[$0].info == nil }
        return (offline.sorted(), unknown.sorted())
    }

    /// The changes of the next stage; empty at the end.
    func nextStage(_ nodes: FleetNodes) -> [String: NodeChanges] {
        let open = changes(nodes).filter { nodes[$0.key].isOnline && !changed.contains($0.key) }
        guard changed.isEmpty else { return open }
        let canaries = namedCanaries.isEmpty ? Array(open.keys.sorted().prefix(canaryCount)) : namedCanaries
        return open.filter { canaries.contains($0.key) }
    }

    /// The named canaries that would not be changed now. One that is given back first what it had has changes then.
    func idleCanaries(_ nodes: FleetNodes, givenBack: [String] = []) -> [String] {
        let changes = changes(nodes)
        return namedCanaries.filter {
            !nodes[$0].isOnline || changes[$0] == nil && !givenBack.contains($0)
        }
    }

    /// True if the others wait for named canaries of which none can be changed.
    func lacksCanaries(_ nodes: FleetNodes) -> Bool {
        changed.isEmpty && nextStage(nodes).isEmpty && changes(nodes).keys.contains { nodes[$0].isOnline }
    }

    /// Records that a stage was sent.
    mutating func recordStage(_ nodes: some Sequence<String>) { changed += nodes.sorted() }
}

extension Rollout {
    /// True if it runs at this time.
    func isRunning(at time: Timestamp) -> Bool { time < until }

    /// Records what a node has now, to be given back. A value recorded earlier is the older one, and stays.
    mutating func record(_ changes: NodeChanges, of node: String, _ info: NodeInfo) {
        let new = changes.reversal(in: info)
        guard let index = nodes.firstIndex(where: { $0.node == node }) else {
            return nodes.append(Node(node: node, before: new))
        }
        nodes[index].before = nodes[index].before.filled(from: new)
    }

    /// The thing that it rolls out, in words.
    var subject: String { version.map { "version \($0)" } ?? "settings" }

    /// By whom and where it runs.
    var owner: String { host.isEmpty ? by : "\(by) on \(host)" }
}
