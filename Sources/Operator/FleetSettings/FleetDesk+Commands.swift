internal import Bytes
internal import CommandLine
internal import System
internal import WireProtocol

/// Commands to nodes and fusers.
extension FleetDesk {
    /// The intervals of a node that pass until its `info` shows a setting: the one that it must finish, which may be two
    /// long after another change, and the quarter by which nodes stagger their messages.
    private static let intervals = 2.25
    /// Commands that are sent before the answers are waited for.
    private static let batch = 200

    /// The reason for which a node or a fuser has not done yet what it was asked.
    struct Delay {
        var words: String
        /// True if it will not do it.
        var isFinal = false

        init(_ words: String, isFinal: Bool = false) { (self.words, self.isFinal) = (words, isFinal) }
    }

    /// True if a member can be changed now.
    func isReachable(_ member: FleetMember) -> Bool {
        switch member {
        case .node(let id): nodes[id].isOnline
        case .fuser(let name): fusers[name].isAlive(at: MonotonicClock.now())
        }
    }

    /// True if the broker knows a member still.
    func isKnown(_ member: FleetMember) -> Bool {
        switch member {
        case .node(let id): nodes[id].info != nil
        case .fuser(let name): fusers.fusers[name] != nil
        }
    }

    /// Changes settings, and waits until each node or fuser has answered and shows them. Returns the reason for each of
    /// which that is not so.
    func set(_ stage: RolloutStage) throws -> [FleetMember: String] {
        // A fuser takes seconds, a node up to two of its intervals.
        let fusers = try stage.fusers.isEmpty ? [:] : set(stage.fusers)
        let nodes = try stage.nodes.isEmpty ? [:] : set(stage.nodes)
        var reasons: [FleetMember: String] = [:]
        for (name, reason) in fusers { reasons[.fuser(name)] = reason }
        for (node, reason) in nodes { reasons[.node(node)] = reason }
        return reasons
    }

    /// Changes settings of nodes, which their `info` shows.
    private func set(_ changes: [String: NodeChanges]) throws -> [String: String] {
        let longest = changes.keys.map { nodes[$0].info?.window ?? 1 }.max() ?? 1
        return try perform(
            changes.mapValues { .set($0) }, within: Self.patience + Self.intervals * max(1, longest)
        ) { node, answer, _ in
            if answer == nil { return self.silence(of: node) }
            guard let info = self.nodes[node].info, changes[node]?.missing(in: info).isEmpty != false else {
                return Delay("it answered, and its info does not show the settings")
            }
            return nil
        }
    }

    /// Changes settings of fusers, all at once, which their claims show.
    private func set(_ changes: [String: FuserChanges]) throws -> [String: String] {
        let requests = changes.sorted { $0.key < $1.key }.map { name, change in
            let id = SystemRandom.epoch()
            let command = FuserCommand(id: id, action: .set(change))
            return request(to: name, command.payload, id: id) { user in
                topics.fuserCommand(name, command.action.right, user: user)
            }
        }
        return try send(requests, within: Self.patience) { name, answer, _ in
            guard answer != nil else { return Delay("it did not answer") }
            guard let settings = self.fusers[name].claim?.settings,
                changes[name]?.missing(in: settings).isEmpty != false
            else { return Delay("it answered, and its claim does not show the settings") }
            return nil
        }
    }

    /// The delay of a node that has not answered yet.
    func silence(of node: String) -> Delay { Delay(nodes[node].isOnline ? "it did not answer" : "it went offline") }

    /// Sends commands to nodes, and waits until no node has a delay, by its answer and the time since it was asked, or
    /// until each one is final. Returns the delays that are left, in words.
    func perform(
        _ actions: [String: NodeCommand.Action], within seconds: Double,
        _ delay: (String, CommandResult?, Duration) -> Delay?
    ) throws -> [String: String] {
        var faults: [String: String] = [:]
        let requests = actions.sorted { $0.key < $1.key }.map { node, action in
            let id = SystemRandom.epoch()
            return request(to: node, NodeCommand(id: id, action: action).payload, id: id) { user in
                topics.nodeCommand(node, action.right, user: user)
            }
        }
        for start in stride(from: 0, to: requests.count, by: Self.batch) {
            let batch = Array(requests[start...].prefix(Self.batch))
            faults.merge(try send(batch, within: seconds, delay)) { $1 }
        }
        return faults
    }
}
