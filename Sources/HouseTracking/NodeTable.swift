internal import Bytes
internal import RoomEstimation

/// Which nodes there are, and which of them listen.
struct NodeTable: Sendable {
    /// Nodes known at once; messages of others are counted and left out.
    static let capacity = 1024

    /// How a node is known.
    enum Standing: Sendable {
        /// By an earlier run alone.
        case remembered
        /// By what it told in this run.
        case present
        /// As one that is gone for good.
        case forgotten
    }

    struct Node: Sendable {
        let id: String
        /// Its index in the house.
        let index: Int
        /// How it is known.
        var standing = Standing.remembered
        /// Its last word by `status`; nil before the first.
        var isOnline: Bool?
        /// When its last report came, or the end of the interval where its clock is ahead: a slow network kills no node.
        var lastScan: Timestamp?
        /// When it listened last, as far as it told.
        var lastListened: Timestamp?
        /// The length of its intervals in microseconds.
        var window = Parameters.Household.window
        /// The address of its adapter, as far as it told.
        var address: String?
        /// What it adds to its levels, in dB; nil before its first `info`.
        var offset: Int?
        /// Whether it is another system's, which has no `scan`s: its silence never counts.
        var isForeign = false
        /// When such a node told something last.
        var lastWord: Timestamp?

        /// Until when its word is to be waited for; nil where it is down.
        var liveUntil: Timestamp? { until(lastScan) }
        /// Until when its silence counts; nil where it is down, or has no radio that listens.
        var listensUntil: Timestamp? { until(lastListened) }

        private func until(_ last: Timestamp?) -> Timestamp? {
            guard isOnline != false else { return nil }
            return last?.advanced(
                byMicroseconds: Parameters.Household.missingScans * window + Parameters.Household.grace)
        }

        /// Until when something may still be said by it: of another system's node, until it has been silent for long.
        var speaksUntil: Timestamp? {
            guard isForeign else { return listensUntil }
            guard isOnline != false else { return nil }
            return lastWord?.advanced(byMicroseconds: Parameters.Household.foreignPatience)
        }

        /// Whether its word is to be waited for.
        func isLive(at time: Timestamp) -> Bool { liveUntil.map { time <= $0 } ?? false }
        /// Whether its silence counts.
        func isListening(at time: Timestamp) -> Bool { listensUntil.map { time <= $0 } ?? false }
    }

    private(set) var nodes: [Node] = []
    private var indices: [String: Int] = [:]

    /// Where a node stands in the table; nil where it isn't in it.
    func place(of id: String) -> Int? { indices[id] }

    /// Where a node stands in the table, found or added; nil where the table is full.
    mutating func place(_ id: String, in house: inout House) -> Int? {
        if let place = indices[id] { return place }
        guard nodes.count < Self.capacity else { return nil }
        indices[id] = nodes.count
        nodes.append(Node(id: id, index: house.addNode(id)))
        return nodes.count - 1
    }

    /// Takes a node out of the table, and gives its place in the house free unless somebody still knows it by that. The last
    /// one takes its place in the table.
    mutating func remove(_ place: Int, from house: inout House, keepsIndex: Bool) {
        indices[nodes[place].id] = nil
        if !keepsIndex { house.vacate(node: nodes[place].index) }
        nodes.swapAt(place, nodes.count - 1)
        nodes.removeLast()
        if place < nodes.count { indices[nodes[place].id] = place }
    }

    /// A node of this id; nil where none has told.
    func known(_ id: String) -> Node? { indices[id].map { nodes[$0] } }

    /// Forgets when nodes were heard last, on a clock that is no longer in force.
    mutating func startAnew() {
        for place in nodes.indices {
            (nodes[place].lastScan, nodes[place].lastListened, nodes[place].lastWord) = (nil, nil, nil)
        }
    }

    mutating func update(_ place: Int, _ body: (inout Node) -> Void) {
        body(&nodes[place])
    }

    /// Notes what a node told of its hearing; whether that is news. An adapter that isn't found yet is the last one still.
    mutating func note(address: String?, offset: Int, at place: Int) -> Bool {
        let address = address ?? nodes[place].address
        guard nodes[place].address != address || nodes[place].offset != offset else { return false }
        (nodes[place].address, nodes[place].offset) = (address, offset)
        return true
    }

    /// Until when some node may say something, as far as is known; nil where none does.
    var speaksUntil: Timestamp? {
        var latest: Timestamp?
        for node in nodes {
            guard let until = node.speaksUntil else { continue }
            latest = max(latest ?? until, until)
        }
        return latest
    }

    /// Whether all that listen at a time are in a set; false where none is known to, as at the start: each that speaks may be
    /// the first of several then.
    func areAll(in set: NodeSet, at time: Timestamp) -> Bool {
        var isAnyLive = false
        for node in nodes where node.isLive(at: time) {
            guard set.contains(node.index) else { return false }
            isAnyLive = true
        }
        return isAnyLive
    }
}
