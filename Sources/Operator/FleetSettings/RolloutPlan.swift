internal import Bytes
internal import WireProtocol

/// The changes of a rollout, and their order: the canaries, the other nodes, all fusers, and what comes online.
struct RolloutPlan {
    let desired: DesiredSettings
    /// The canaries that the operator named; empty to take the first changed nodes by id.
    let namedCanaries: [String]
    /// The number of canaries if none are named.
    let canaryCount: Int
    /// The nodes that this rollout has changed, in that order.
    private(set) var changed: [String] = []
    /// The fusers that it has changed.
    private(set) var changedFusers: [String] = []

    /// The nodes and fusers that it has changed.
    var members: [FleetMember] { changed.map { .node($0) } + changedFusers.map { .fuser($0) } }

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
    mutating func recordStage(_ nodes: some Sequence<String>, fusers: [String] = []) {
        changed += nodes.sorted()
        changedFusers += fusers.sorted()
    }
}

/// The fusers of a rollout. They are changed all at once, and last: those that stand in for each other must agree.
extension RolloutPlan {
    /// The fusers that are not changed now.
    struct PendingFusers: Hashable {
        /// Those whose status alone is known: their settings may differ.
        var silent: [String] = []
        /// Those that take no settings. No fuser is changed while one of them runs.
        var older: [String] = []
        /// True if there are settings for fusers, and none was heard of.
        var isNone = false

        var isEmpty: Bool { self == PendingFusers() }

        /// The reasons, a sentence each.
        var words: [String] {
            var words: [String] = []
            if isNone { words.append("no fuser was heard: none runs, or this user may not read what they publish") }
            if !silent.isEmpty { words.append("silent: \(FleetMember.list(silent.map { .fuser($0) }))") }
            if !older.isEmpty {
                words.append(
                    "takes no settings before it is upgraded: \(FleetMember.list(older.map { .fuser($0) })); no fuser "
                        + "is changed until then")
            }
            return words
        }

        /// The fusers.
        var members: [FleetMember] { (silent + older).sorted().map { .fuser($0) } }
    }

    /// True if the file has settings for fusers.
    var managesFusers: Bool { !desired.fusers.isEmpty }

    /// The settings that fusers lack, by name: of all whose claims were heard.
    func changes(_ fusers: FleetFusers) -> [String: FuserChanges] {
        fusers.fusers.compactMapValues { fuser in
            let missing = fuser.claim?.settings.map { desired.fusers.missing(in: $0) }
            return missing?.isEmpty == false ? missing : nil
        }
    }

    /// The fusers that are not changed at this time.
    func pending(_ fusers: FleetFusers, at time: MonotonicTime) -> PendingFusers {
        guard managesFusers else { return PendingFusers() }
        let open = changes(fusers)
        var pending = PendingFusers()
        for (name, fuser) in fusers.fusers.sorted(by: { $0.key < $1.key }) {
            let isUnknown = fuser.claim?.settings == nil
            if !fuser.isAlive(at: time) {
                if isUnknown || open[name] != nil { pending.silent.append(name) }
            } else if isUnknown {
                pending.older.append(name)
            }
        }
        pending.isNone = fusers.fusers.isEmpty
        return pending
    }

    /// The changes of the next stage at this time: those of nodes, and where there are none those of the fusers. Empty
    /// at the end.
    func nextStage(_ nodes: FleetNodes, _ fusers: FleetFusers, at time: MonotonicTime) -> RolloutStage {
        let stage = RolloutStage(nodes: nextStage(nodes))
        return stage.isEmpty ? RolloutStage(fusers: nextFusers(fusers, at: time)) : stage
    }

    /// The changes of the fusers at this time; empty if there is nothing to change.
    func nextFusers(_ fusers: FleetFusers, at time: MonotonicTime) -> [String: FuserChanges] {
        guard pending(fusers, at: time).older.isEmpty else { return [:] }
        return changes(fusers).filter { fusers[$0.key].isAlive(at: time) && !changedFusers.contains($0.key) }
    }

    /// True if all nodes and fusers have the settings of the file.
    func isDone(_ nodes: FleetNodes, _ fusers: FleetFusers, at time: MonotonicTime) -> Bool {
        changes(nodes).isEmpty && pending(nodes).unknown.isEmpty && changes(fusers).isEmpty
            && pending(fusers, at: time).isEmpty
    }
}

extension Rollout {
    /// True if it runs at this time.
    func isRunning(at time: Timestamp) -> Bool { time < until }

    /// The thing that it rolls out, in words.
    var subject: String { version.map { "version \($0)" } ?? "settings" }

    /// By whom and where it runs.
    var owner: String { host.isEmpty ? by : "\(by) on \(host)" }
}
