internal import Bytes
internal import RoomEstimation
internal import WireProtocol

/// The items that this fuser publishes, and of each item the last answer of another fuser, with the moves that the other may
/// not have published.
///
/// It stands between the trackers, which know no other fuser, and the publication of their changes.
struct Failover: Sendable {
    /// The other fuser's publications of one item, and the time of the takeover.
    private struct Standing: Sendable {
        var peer = PeerPublication()
        /// Another fuser's answer to a move of the item, which arrived while this one publishes the item.
        var peerMove: PeerPublication.Answer?
        /// The time at which this fuser began to publish the item.
        var tookOver = Timestamp(microseconds: .min)
        /// True if this fuser has published a move of the item since.
        var hasMoved = false
    }

    /// The shards for whose items and rooms this fuser publishes.
    private(set) var served = ShardSet.all
    /// By tracker; those beyond the end have none yet.
    private var standings: [Standing] = []
    /// Trackers of items that another fuser published although this one does.
    private var overwritten: Set<Int> = []

    /// True if this fuser publishes the items and rooms of a shard.
    func serves(shard: UInt8) -> Bool { served.contains(shard) }

    /// The answer that was published last, as far as this fuser does not publish the item; nil if there is none.
    func peerAnswer(of index: Int) -> PeerPublication.Answer? {
        index < standings.count ? standings[index].peer.answer : nil
    }

    /// Serves other shards; those that are new.
    mutating func serveShards(_ shards: ShardSet) -> ShardSet {
        defer { served = shards }
        return shards.subtracting(served)
    }

    /// Ceases to publish an item, with the last answer of this fuser; another's that is newer stands, and that to a move which
    /// this fuser did not know when it published its own last.
    mutating func release(_ index: Int, _ answer: PeerPublication.Answer) {
        update(index) { standing in
            let isLast = standing.peer.answer.map { ($0.event, $0.published) <= (answer.event, answer.published) }
            guard isLast ?? true else { return }
            standing.peer.receive(answer)
        }
    }

    /// Retains a move that another fuser is to publish.
    mutating func retain(_ change: Tracker.Change, of index: Int) { update(index) { $0.peer.retain(change) } }

    /// Records another fuser's answer; true if this fuser publishes the item, and the answer, which was in transit at the
    /// takeover, is the last one of the fuser before.
    ///
    /// - Parameter isNew: true for the answer to a move that this fuser did not know, and that its own packets do not
    ///   contradict: it is the last one however late it comes, as long as this fuser has published no move since.
    mutating func receive(
        _ answer: PeerPublication.Answer, of index: Int, isServed: Bool, isNew: Bool, now: Timestamp
    ) -> Bool {
        // Also retained by a fuser that publishes the item: after its start it may publish before it knows of the other.
        update(index) { $0.peer.receive(answer) }
        guard isServed else { return false }
        recordOverwritten(index)
        let tookOver = standings[index].tookOver
        guard answer.state != .unknown, answer.isResolved else { return false }
        guard answer.published <= tookOver,
            now.duration(since: tookOver) <= Household.handover || isNew && !standings[index].hasMoved
        else { return false }
        standings[index].peerMove = nil
        return true
    }

    /// The time at which this fuser began to publish an item.
    func takeover(of index: Int) -> Timestamp {
        index < standings.count ? standings[index].tookOver : Timestamp(microseconds: .min)
    }

    /// Records that this fuser publishes a move of an item.
    mutating func recordMove(of index: Int) { update(index) { $0.hasMoved = true } }

    /// Sets the room of another fuser's answer, which no node had named when it was received.
    mutating func resolve(_ index: Int, _ room: Int?) { update(index) { $0.peer.resolve(room) } }

    /// Drops the moves of an item that another fuser was to publish.
    mutating func dropMoves(of index: Int) { update(index) { _ = $0.peer.takeUnpublished() } }

    /// Consumes another fuser's event: the same decision made here counts as published.
    mutating func receive(_ event: ItemEvent, of index: Int) { update(index) { $0.peer.receive(event) } }

    /// Retains another fuser's answer to a move of an item that this one publishes, until the next call of `takePeerMove`.
    /// Returns false for one that does not tell where the item is.
    mutating func retain(peerMove answer: PeerPublication.Answer, of index: Int) -> Bool {
        guard index < standings.count, answer.state != .unknown else { return false }
        standings[index].peerMove = answer
        return true
    }

    /// The last such answer, if it is from so long after the takeover that the other takes itself for the publisher as well,
    /// and the other still serves the item: the two would answer each other for ever.
    ///
    /// - Parameter peers: the shards that each of the other fusers serves.
    func disputedMove(of index: Int, shard: UInt8, beside peers: [String: ShardSet]) -> PeerPublication.Answer? {
        guard index < standings.count, let move = standings[index].peerMove,
            move.published.duration(since: standings[index].tookOver) > Parameters.Household.overlap,
            peers[move.fuser]?.contains(shard) ?? false
        else { return nil }
        return move
    }

    /// Removes and returns the last such answer.
    mutating func takePeerMove(of index: Int) -> PeerPublication.Answer? {
        guard index < standings.count else { return nil }
        defer { standings[index].peerMove = nil }
        return standings[index].peerMove
    }

    /// Takes over an item at `time`.
    ///
    /// - Parameters:
    ///   - answer: this fuser's own answer.
    ///   - before: the time since which the answer held that the other published before its last.
    ///   - ends: times of the last sign of life of fusers that have gone; one that is not listed may be alive.
    ///   - rooms: the ids of the rooms.
    /// - Returns: the other's answer, if that holds, and the moves that the other left unpublished.
    mutating func takeOver(
        _ index: Int, at time: Timestamp, answer: (isAway: Bool, room: Int?), before: Timestamp?,
        ends: [String: Timestamp], rooms: [String]
    ) -> (adopted: PeerPublication.Answer?, unpublished: [Tracker.Change]) {
        var adopted: PeerPublication.Answer?
        var unpublished: [Tracker.Change] = []
        update(index) { standing in
            (standing.tookOver, standing.peerMove, standing.hasMoved) = (time, nil, false)
            let end = standing.peer.answer.flatMap { ends[$0.fuser] }
            adopted = standing.peer.takeOver(
                isAway: answer.isAway, room: answer.room, end: end, before: before, rooms: rooms)
            unpublished = standing.peer.takeUnpublished()
        }
        return (adopted, unpublished)
    }

    /// Records that another fuser has overwritten an answer of this one.
    mutating func recordOverwritten(_ index: Int) { overwritten.insert(index) }

    /// Removes and returns the items that others have published although this fuser does.
    mutating func takeOverwritten() -> [Int] {
        defer { overwritten.removeAll() }
        return overwritten.sorted()
    }

    /// Clears what is known of an item.
    mutating func clear(_ index: Int) {
        overwritten.remove(index)
        if index < standings.count { standings[index] = Standing() }
    }

    /// Clears the observations of a node that no longer exists.
    mutating func forgetNode(_ node: Int) {
        for index in standings.indices { standings[index].peer.forgetNode(node) }
    }

    private mutating func update(_ index: Int, _ body: (inout Standing) -> Void) {
        while standings.count <= index { standings.append(Standing()) }
        body(&standings[index])
    }
}
