public import Bytes
internal import RoomEstimation
public import WireProtocol

/// Several fusers beside each other: each follows all items of its shards, and one speaks for each.
///
/// Who follows keeps its tables warm, and what it decided for a while. Who takes over goes on from what the other told
/// last: a move that the other, still alive, didn't see is taken back; one that it had no chance to tell is told.
extension Household {
    /// How long before a fuser's last sign of life, in microseconds, it may have decided what it died before telling.
    public static let handover = Parameters.Household.handover

    /// Takes what another fuser told of an item. What that one tells belongs to this one's history, too.
    public mutating func hear(
        _ location: Location, of item: String, at time: Timestamp, _ body: (Outcome) -> Void = { _ in }
    ) {
        guard location.fuser != settings.fuser, let index = tracker(of: item, at: time) else { return }
        trackers[index].events = max(trackers[index].events, location.itemSeq)
        let room = location.room.flatMap { house.room($0) }
        // A room that no node here told of: there is nothing to go on from.
        let word =
            (room == nil) == (location.room == nil)
            ? Overheard.Word(
                fuser: location.fuser, state: location.state, room: room, since: location.since,
                previous: location.previous.flatMap { house.room($0) }, confidence: location.confidence) : nil
        let before = trackers[index].overheard.word
        // Kept by one that speaks as well: at a start it may speak until it knows of the other.
        if let word { trackers[index].overheard.word = word }
        // Of one that speaks its own word is the last, once it has given any.
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
        // What was on its way when this one took over is the last word of the one before.
        if let word, word.state != .unknown, location.at <= trackers[index].tookOver,
            time.microseconds(since: trackers[index].tookOver) <= Self.handover
        {
            trackers[index].adopt(word)
            seat(item, in: location.room)
        }
        contested.insert(index)
    }

    /// Takes another fuser's event: what was decided likewise here has been told.
    public mutating func hear(_ event: ItemEvent, of item: String) {
        guard event.fuser != settings.fuser, let index = trackerOfItem[item] else { return }
        trackers[index].events = max(trackers[index].events, event.itemSeq)
        if event.kind.isMove { trackers[index].overheard.hear(event) }
    }

    /// The other fuser that told an item's whereabouts last; nil where none has.
    public func teller(of item: String) -> String? {
        trackerOfItem[item].flatMap { trackers[$0].overheard.word?.fuser }
    }

    /// Speaks for other shards from `time` on.
    ///
    /// - Parameter ends: when fusers that have gone gave their last sign of life, by their names; others may live.
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

    /// Repeats what others wrote over since the last time, as one does that was cut off and doesn't know it.
    public mutating func repeatContested(at time: Timestamp, _ body: (Outcome) -> Void) {
        for index in contested.sorted() where speaks(for: index) && trackers[index].told != nil {
            publish(index, time, body)
        }
        contested.removeAll()
    }

    /// Since when another's answer holds. It was in its room until its last packet, which was heard here as well, unless
    /// this fuser was off.
    private func begin(of location: Location, _ index: Int) -> Timestamp {
        let silence = location.since.microseconds(since: trackers[index].lastHeard)
        let isHeard = (0...max(awayAfter(trackers[index].id), Parameters.Household.longestSilence)).contains(silence)
        return location.state == .away && isHeard ? trackers[index].lastHeard : location.since
    }

    func speaks(for index: Int) -> Bool { served.contains(trackers[index].shard) }
}
