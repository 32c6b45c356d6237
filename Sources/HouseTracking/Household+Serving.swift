public import Bytes
internal import RoomEstimation
public import WireProtocol

/// Several fusers in one house: each tracks all items of its shards, and one publishes each item.
///
/// A standby keeps its state current, and retains its recent decisions for a while. A fuser that takes over continues
/// from the other's last publication. A move that the other, still alive, did not find is revoked. A move that the
/// other had no chance to publish is published.
extension Household {
    /// Time before a fuser's last sign of life, in which it may have decided a move that it failed to
    /// publish.
    public static let handover = Parameters.Household.handover

    /// Consumes another fuser's answer for an item. The other's answers belong to this fuser's history, too.
    public mutating func hear(
        _ location: Location, of item: String, at time: Timestamp, _ body: (Outcome) -> Void = { _ in }
    ) {
        guard location.fuser != settings.fuser, let index = tracker(of: item, at: time) else { return }
        trackers[index].events = max(trackers[index].events, location.itemSeq)
        let room = location.room.flatMap { house.room($0) }
        // A room that no node has named here: there is no state to continue from.
        let word =
            (room == nil) == (location.room == nil)
            ? PeerPublication.Word(
                fuser: location.fuser, state: location.state, room: room, since: location.since,
                previous: location.previous.flatMap { house.room($0) }, confidence: location.confidence) : nil
        let before = failover.word(of: index)
        let isServed = speaks(for: index)
        let isLast = failover.receive(word, at: location.at, of: index, isServed: isServed, now: time)
        // For a fuser that publishes the item, its own answer is the last, once it has published one.
        if trackers[index].told == nil || !isServed { trackers[index].note(told: location.since) }
        if !isServed || isLast { occupancy.move(item, to: location.room) }
        if isLast, let word { trackers[index].adopt(word) }
        guard !isServed, before.map({ $0.room != room || $0.isAway != (location.state == .away) }) ?? true else {
            return
        }
        body(
            .stay(
                item: item, room: location.state == .unknown ? nil : location.word, from: begin(of: location, index),
                confidence: location.confidence))
    }

    /// Consumes another fuser's event: the same decision made here counts as published.
    public mutating func hear(_ event: ItemEvent, of item: String) {
        guard event.fuser != settings.fuser, let index = trackerOfItem[item] else { return }
        trackers[index].events = max(trackers[index].events, event.itemSeq)
        if event.kind.isMove { failover.receive(event, of: index) }
    }

    /// The other fuser that last published an item's location; nil if there is none.
    public func teller(of item: String) -> String? {
        trackerOfItem[item].flatMap { failover.word(of: $0)?.fuser }
    }

    /// Publishes for other shards from `time` on.
    ///
    /// - Parameter ends: times of the last sign of life of fusers that have gone, by their names; others may live.
    public mutating func serve(
        _ shards: ShardSet, ends: [String: Timestamp], at time: Timestamp, _ body: (Outcome) -> Void
    ) {
        guard shards != failover.served else { return }
        refurnishIfNew()
        let new = failover.serve(shards)
        let rooms = house.rooms.map(\.id)
        for index in trackers.indices where new.contains(trackers[index].shard) {
            let tracker = trackers[index]
            let (adopted, unpublished) = failover.takeOver(
                index, at: time, answer: (tracker.state == .away, tracker.room), before: tracker.stoodBefore,
                ends: ends,
                rooms: rooms)
            if let adopted { trackers[index].adopt(adopted) }
            for change in unpublished { tell(change, index, body) }
            if trackers[index].isKnown { tell(.init(at: time, notBefore: trackers[index].lastHeard), index, body) }
        }
        occupancy.markChanged { new.contains(Topics.shardNumber(of: $0)) }
        tellRooms(body)
    }

    /// Repeats what others have overwritten since the last time, for a fuser that was cut off and does not know it.
    public mutating func repeatContested(at time: Timestamp, _ body: (Outcome) -> Void) {
        for index in failover.takeContested() where speaks(for: index) && trackers[index].told != nil {
            publish(index, time, body)
        }
    }

    /// The start of another fuser's answer. The item was in its room until its last packet, which was received here as
    /// well, unless this fuser was off.
    private func begin(of location: Location, _ index: Int) -> Timestamp {
        let silence = location.since.duration(since: trackers[index].lastHeard)
        let isHeard = (.zero...max(awayAfter(trackers[index].id), Parameters.Household.longestSilence)).contains(
            silence)
        return location.state == .away && isHeard ? trackers[index].lastHeard : location.since
    }

    func speaks(for index: Int) -> Bool { failover.serves(shard: trackers[index].shard) }

    /// The rooms that an item refers to by their indices, except those in which it only might have been.
    func rooms(of index: Int) -> [Int] {
        let word = failover.word(of: index)
        return trackers[index].rooms + [word?.room, word?.previous].compactMap { $0 }
    }
}
