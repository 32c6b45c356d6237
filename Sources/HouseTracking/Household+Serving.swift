public import Bytes
internal import RoomEstimation
public import WireProtocol

/// Several fusers in one house: each tracks all items of its shards, and one publishes each item.
///
/// A standby keeps its state current, and retains its recent decisions for a while. A fuser that takes over continues
/// from the other's last publication. A move that the other, still alive, did not find is revoked. A move that the
/// other had no chance to publish is published.
extension Household {
    /// Time before a fuser's last sign of life, in microseconds, in which it may have decided a move that it failed to
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
            ? Overheard.Word(
                fuser: location.fuser, state: location.state, room: room, since: location.since,
                previous: location.previous.flatMap { house.room($0) }, confidence: location.confidence) : nil
        let before = trackers[index].overheard.word
        // Also retained by a fuser that publishes the item: after its start it may publish before it knows of the
        // other.
        if let word { trackers[index].overheard.word = word }
        // For a fuser that publishes the item, its own answer is the last, once it has published one.
        if trackers[index].told == nil || !speaks(for: index) { trackers[index].note(told: location.since) }
        guard speaks(for: index) else {
            seat(item, in: location.room)
            let isNew = before.map { $0.room != room || $0.isAway != (location.state == .away) } ?? true
            if isNew {
                body(
                    .stay(
                        item: item, room: location.state == .unknown ? nil : location.word,
                        from: begin(of: location, index), confidence: location.confidence))
            }
            return
        }
        // An answer that was in transit at the takeover is the last answer of the fuser before.
        if let word, word.state != .unknown, location.at <= trackers[index].tookOver,
            time.microseconds(since: trackers[index].tookOver) <= Self.handover
        {
            trackers[index].adopt(word)
            seat(item, in: location.room)
        }
        contested.insert(index)
    }

    /// Consumes another fuser's event: the same decision made here counts as published.
    public mutating func hear(_ event: ItemEvent, of item: String) {
        guard event.fuser != settings.fuser, let index = trackerOfItem[item] else { return }
        trackers[index].events = max(trackers[index].events, event.itemSeq)
        if event.kind.isMove { trackers[index].overheard.hear(event) }
    }

    /// The other fuser that last published an item's location; nil if there is none.
    public func teller(of item: String) -> String? {
        trackerOfItem[item].flatMap { trackers[$0].overheard.word?.fuser }
    }

    /// Publishes for other shards from `time` on.
    ///
    /// - Parameter ends: times of the last sign of life of fusers that have gone, by their names; others may live.
    public mutating func serve(
        _ shards: ShardSet, ends: [String: Timestamp], at time: Timestamp, _ body: (Outcome) -> Void
    ) {
        guard shards != served else { return }
        refurnishIfNew()
        let new = shards.subtracting(served)
        served = shards
        for index in trackers.indices where new.contains(trackers[index].shard) {
            trackers[index].tookOver = time
            for change in trackers[index].takeOver(ends: ends) { tell(change, index, body) }
            if trackers[index].isKnown { tell(.init(at: time, notBefore: trackers[index].lastHeard), index, body) }
        }
        touchedRooms.formUnion(occupants.keys.filter { new.contains(Topics.shardNumber(of: $0)) })
        tellRooms(body)
    }

    /// Repeats what others have overwritten since the last time, for a fuser that was cut off and does not know it.
    public mutating func repeatContested(at time: Timestamp, _ body: (Outcome) -> Void) {
        for index in contested.sorted() where speaks(for: index) && trackers[index].told != nil {
            publish(index, time, body)
        }
        contested.removeAll()
    }

    /// The start of another fuser's answer. The item was in its room until its last packet, which was received here as
    /// well, unless this fuser was off.
    private func begin(of location: Location, _ index: Int) -> Timestamp {
        let silence = location.since.microseconds(since: trackers[index].lastHeard)
        let isHeard = (0...max(awayAfter(trackers[index].id), Parameters.Household.longestSilence)).contains(silence)
        return location.state == .away && isHeard ? trackers[index].lastHeard : location.since
    }

    func speaks(for index: Int) -> Bool { served.contains(trackers[index].shard) }
}
