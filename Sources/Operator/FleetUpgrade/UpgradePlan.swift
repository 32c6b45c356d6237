internal import WireProtocol

/// The nodes of an upgrade, and their order: the canaries, then rings of the others.
struct UpgradePlan {
    /// The place of a node in an upgrade.
    enum Standing: Hashable {
        /// It has the version.
        case done
        /// It has a later version, which is left alone.
        case later
        /// It can be upgraded now.
        case open
        /// It is offline.
        case offline
        /// Its machine has no helper that is enabled, or does not say its package.
        case withoutHelper
    }

    let version: DebianVersion
    /// The canaries that the operator named; empty to take the first nodes by id.
    let namedCanaries: [String]
    /// The number of canaries if none are named.
    let canaryCount: Int
    /// The percentage of the nodes that a ring has.
    let ring: Int
    /// The nodes that this upgrade has asked, in that order.
    private(set) var asked: [String] = []

    init(_ version: DebianVersion, canaries: [String] = [], count: Int, ring: Int) {
        (self.version, namedCanaries, canaryCount, self.ring) = (version, canaries, count, ring)
    }

    /// The place of a node; nil if it was never seen.
    func standing(of node: FleetNodes.Node) -> Standing? {
        guard let info = node.info else { return nil }
        if info.version == version.text { return .done }
        if let present = DebianVersion(info.version), info.upgrade != nil {
            return present > version ? .later : node.isOnline ? .open : .offline
        }
        return node.isOnline ? .withoutHelper : .offline
    }

    /// The nodes of a standing, by id.
    func nodes(_ standing: Standing, of nodes: FleetNodes) -> [String] {
        nodes.nodes.filter { self.standing(of: $0.value) == standing }.keys.sorted()
    }

    /// The nodes of the next stage; empty at the end.
    func nextStage(_ nodes: FleetNodes) -> [String] {
        let open = self.nodes(.open, of: nodes).filter { !asked.contains($0) }
        guard asked.isEmpty, !areCanariesDone(nodes) else {
            let size = (open.count + asked.count) * ring
            return Array(open.prefix(max(1, (size + 99) / 100)))
        }
        return namedCanaries.isEmpty ? Array(open.prefix(canaryCount)) : open.filter(namedCanaries.contains)
    }

    /// The named canaries that can't be upgraded now, and have not been.
    func idleCanaries(_ nodes: FleetNodes) -> [String] {
        namedCanaries.filter { standing(of: nodes[$0]) != .open && standing(of: nodes[$0]) != .done }
    }

    /// True if the others wait for named canaries of which none can be upgraded.
    func lacksCanaries(_ nodes: FleetNodes) -> Bool {
        asked.isEmpty && nextStage(nodes).isEmpty && !self.nodes(.open, of: nodes).isEmpty
    }

    /// True if an upgrade that was interrupted had its named canaries behind it.
    private func areCanariesDone(_ nodes: FleetNodes) -> Bool {
        !namedCanaries.isEmpty && namedCanaries.allSatisfy { standing(of: nodes[$0]) == .done }
    }

    /// Records that a stage was asked.
    mutating func recordStage(_ nodes: [String]) { asked += nodes }

    /// Forgets that nodes were asked, whose helper turned out to be absent.
    mutating func leaveOut(_ nodes: [String]) { asked.removeAll(where: nodes.contains) }
}
