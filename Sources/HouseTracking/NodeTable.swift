internal import Bytes
internal import RoomEstimation
internal import WireProtocol

/// The known nodes, and those of them that listen.
struct NodeTable: Sendable {
    /// Nodes known at once; messages of others are counted and dropped.
    static let capacity = HousePlan.nodeLimit

    /// The source of a node's entry.
    enum Standing: Sendable {
        /// Known from an earlier run alone.
        case remembered
        /// Known by a message of this run.
        case present
        /// Removed for good.
        case forgotten
    }

    struct Node: Sendable {
        let id: String
        /// Its index in the house.
        let index: Int
        /// The source of its entry.
        var standing = Standing.remembered
        /// Its last `status`; nil before the first.
        var isOnline: Bool?
        /// The arrival of its last report, or the end of the interval if its clock is ahead: a slow network makes no
        /// node fail.
        var lastScan: Timestamp?
        /// The time when it last listened, by its reports.
        var lastListened: Timestamp?
        /// The length of its intervals in microseconds.
        var window = Parameters.Household.window.microseconds
        /// The address of its adapter; nil if it has published none.
        var address: String?
        /// The offset that it adds to its levels, in dB; nil before its first `info`.
        var offset: Int?
        /// The room that its last `info` names; nil before the first.
        var namedRoom: String?
        /// True if it is another system's, which has no `scan`s: its silence never counts.
        var isExternal = false
        /// Time of the last message of such a node.
        var lastMessage: Timestamp?

        /// The time until which intervals wait for it; nil if it is down.
        var liveUntil: Timestamp? { validUntil(lastScan) }
        /// The time until which its silence counts; nil if it is down, or has no radio that listens.
        var listensUntil: Timestamp? { validUntil(lastListened) }

        // All nodes are asked this for each message, so that both are in microseconds.
        private func validUntil(_ last: Timestamp?) -> Timestamp? {
            guard isOnline != false else { return nil }
            return last?.advanced(
                byMicroseconds: Int64(Parameters.Household.missingScans) * window + NodeTable.grace)
        }

        /// The time until which it may publish an observation: for another system's node, until it has been silent for
        /// long.
        var speaksUntil: Timestamp? {
            guard isExternal else { return listensUntil }
            guard isOnline != false else { return nil }
            return lastMessage?.advanced(by: Parameters.Household.externalPatience)
        }

        /// True if intervals wait for it.
        func isLive(at time: Timestamp) -> Bool { liveUntil.map { time <= $0 } ?? false }
        /// True if its silence counts.
        func isListening(at time: Timestamp) -> Bool { listensUntil.map { time <= $0 } ?? false }
    }

    private static let grace = Parameters.Household.grace.microseconds

    private(set) var nodes: [Node] = []
    private var indices: [String: Int] = [:]
    private var missingKeys = MissingKeys()

    /// The place of a node in the table; nil if it is not in it.
    func place(of id: String) -> Int? { indices[id] }

    /// The place of a node in the table, found or added; nil if the table is full.
    mutating func place(_ id: String, in house: inout House) -> Int? {
        if let place = indices[id] { return place }
        guard nodes.count < Self.capacity else { return nil }
        indices[id] = nodes.count
        nodes.append(Node(id: id, index: house.addNode(id)))
        return nodes.count - 1
    }

    /// Removes a node from the table, and frees its place in the house unless other state still refers to it. The last
    /// node moves to its place in the table.
    mutating func remove(_ place: Int, from house: inout House, keepsIndex: Bool) {
        indices[nodes[place].id] = nil
        if !keepsIndex { house.vacate(node: nodes[place].index) }
        nodes.swapAt(place, nodes.count - 1)
        nodes.removeLast()
        if place < nodes.count { indices[nodes[place].id] = place }
    }

    /// The node of this id; nil if no message of it was received.
    func node(_ id: String) -> Node? { indices[id].map { nodes[$0] } }

    /// Clears the times of the last messages, which are of a clock that is no longer in force.
    mutating func startAnew() {
        for place in nodes.indices {
            (nodes[place].lastScan, nodes[place].lastListened, nodes[place].lastMessage) = (nil, nil, nil)
        }
    }

    /// Changes what is known of a node.
    mutating func update(_ place: Int, _ body: (inout Node) -> Void) {
        body(&nodes[place])
    }

    /// Records a node's adapter and offset; true if that is news. An adapter that is not found yet counts as the last
    /// one still.
    mutating func record(address: String?, offset: Int, at place: Int) -> Bool {
        let address = address ?? nodes[place].address
        guard nodes[place].address != address || nodes[place].offset != offset else { return false }
        (nodes[place].address, nodes[place].offset) = (address, offset)
        return true
    }

    /// Records the items whose keys a node reports missing.
    mutating func record(missingKeys items: [String], at place: Int) {
        missingKeys.record(items, of: nodes[place].index)
    }

    /// The nodes of a set that could recognize the item.
    func listeners(_ listening: NodeSet, to item: String) -> NodeSet {
        guard !missingKeys.isEmpty, let lacking = missingKeys[item] else { return listening }
        return listening.subtracting(lacking)
    }

    /// True if no node has the item's key.
    func isUnrecognizable(_ item: String) -> Bool {
        guard !missingKeys.isEmpty, let lacking = missingKeys[item] else { return false }
        return nodes.allSatisfy { lacking.contains($0.index) }
    }

    /// The time until which some node may publish an observation, as far as is known; nil if none does.
    var speaksUntil: Timestamp? {
        var latest: Timestamp?
        for node in nodes {
            guard let until = node.speaksUntil else { continue }
            latest = max(latest ?? until, until)
        }
        return latest
    }

    /// True if all that listen at a time are in a set; false if none is known to, as at the start: each that publishes
    /// may be the first of several then.
    func areAllLive(in set: NodeSet, at time: Timestamp) -> Bool {
        var isAnyLive = false
        for node in nodes where node.isLive(at: time) {
            guard set.contains(node.index) else { return false }
            isAnyLive = true
        }
        return isAnyLive
    }
}
