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
    public mutating func receivePeerAnswer(
        _ location: Location, of item: String, at time: Timestamp, _ body: (Outcome) -> Void = { _ in }
    ) {
        guard location.fuser != settings.fuser, let index = trackers.findOrAdd(item, at: time) else { return }
        let isNews = location.itemSeq > trackers[index].publications.events
        adoptPeerAnswer(location, index, isNews: isNews, at: time, body)
    }

    private mutating func adoptPeerAnswer(
        _ location: Location, _ index: Int, isNews: Bool, at time: Timestamp, _ body: (Outcome) -> Void
    ) {
        let item = trackers[index].id
        let before = failover.peerAnswer(of: index)
        let isServed = isPublisher(of: index)
        // Brokers deliver late what they retained or held back, and a fuser that stood still sends late what it had to say.
        // One that takes over before it has read them all repeats what held before. After a restart the record tells how far
        // the past was known.
        let known = before?.published ?? trackers[index].publications.knownUntil
        let isPast = isServed || known.map { location.since < $0 } ?? false
        guard !isPast || isNews || location.itemSeq >= trackers[index].publications.events else {
            if isServed { failover.recordOverwritten(index) }
            return
        }
        let isRepeated = before.map { $0.countsEvent && $0.since == location.since } ?? false
        trackers[index].publications.follow(moves: location.itemSeq)
        if isNews, followed.contains(trackers[index].shard) { memory.record(changedItem: index) }
        let answer = PeerPublication.Answer(
            fuser: location.fuser, state: location.state, roomID: location.room,
            room: location.room.flatMap { house.room($0) }, since: location.since,
            previous: location.previous.flatMap { house.room($0) }, confidence: location.confidence,
            published: location.at, event: location.itemSeq, countsEvent: isNews || isRepeated)
        let isNew = isNews && !contradicts(answer, index)
        let isLast = failover.receive(answer, of: index, isServed: isServed, isNew: isNew, now: time)
        // For a fuser that publishes the item, its own answer is the last, once it has published one.
        if trackers[index].publications.last == nil || !isServed {
            trackers[index].publications.record(since: location.since)
        }
        if !isServed || isLast { occupancy.move(item, to: location.room) }
        if isLast { trackers[index].adopt(answer) }
        if isServed, !isLast, isNews, failover.retain(peerMove: answer, of: index) {
            // The last move that was published, whoever found it: the next one ends it.
            trackers[index].publications.record(since: location.since)
        }
        // One that is adopted late belongs to this fuser's history as well.
        guard !isServed || isLast,
            before.map({ $0.roomID != location.room || $0.isAway != (location.state == .away) }) ?? true
        else {
            return
        }
        body(
            .stay(
                item: item, room: location.state == .unknown ? nil : location.placeText,
                from: startOfPeerAnswer(location, index),
                confidence: location.confidence))
    }

    /// Consumes another fuser's event: the same decision made here counts as published.
    ///
    /// The event of a move whose answer was not received stands for that answer: brokers repeat events after an outage, and
    /// answers only to those that subscribe anew.
    public mutating func receivePeerEvent(
        _ event: ItemEvent, of item: String, at time: Timestamp, _ body: (Outcome) -> Void = { _ in }
    ) {
        guard event.fuser != settings.fuser, let index = trackers.index(of: item) else { return }
        // The number of an alert behind it may be known already.
        if event.kind.isMove, event.itemSeq > trackers[index].publications.moves {
            let confidence = failover.peerAnswer(of: index)?.confidence ?? trackers[index].confidence
            adoptPeerAnswer(Location(after: event, confidence: confidence), index, isNews: true, at: time, body)
        }
        trackers[index].publications.follow(events: event.itemSeq)
        if event.kind.isMove { failover.receive(event, of: index) }
    }

    /// The other fuser that last published an item's location; nil if there is none.
    public func publishingPeer(of item: String) -> String? {
        trackers.index(of: item).flatMap { failover.peerAnswer(of: $0) }.flatMap { $0.isOwn ? nil : $0.fuser }
    }

    /// Publishes for other shards from `time` on.
    ///
    /// - Parameter ends: times of the last sign of life of fusers that have gone, by their names; others may live.
    public mutating func serveShards(
        _ shards: ShardSet, ends: [String: Timestamp], at time: Timestamp, _ body: (Outcome) -> Void
    ) {
        guard shards != failover.served else { return }
        shareHouseIfChanged()
        let released = failover.served.subtracting(shards)
        for index in trackers.indices where released.contains(trackers[index].shard) {
            if let answer = publishedAnswer(of: index) { failover.release(index, answer) }
        }
        let new = failover.serveShards(shards)
        let gained = trackers.indices.filter { new.contains(trackers[$0].shard) }
        for index in gained {
            guard let answer = failover.peerAnswer(of: index), !answer.isResolved else { continue }
            failover.resolve(index, answer.roomID.flatMap { known.findOrAdd(room: $0) })
        }
        shareHouseIfChanged()
        let rooms = house.rooms.map(\.id)
        for index in gained {
            let tracker = trackers[index]
            let (adopted, unpublished) = failover.takeOver(
                index, at: time, answer: (tracker.state == .away, tracker.room),
                before: tracker.publications.stoodBefore,
                ends: ends, rooms: rooms)
            if let adopted { trackers[index].adopt(adopted) }
            // Each ends the answer that the one before it began, and which nobody has published.
            var began: Timestamp?
            for var change in unpublished {
                change.ending = change.ending ?? began
                publishChange(change, index, body)
                began = change.at
            }
            guard trackers[index].isKnown else { continue }
            publishChange(.init(at: time, notBefore: trackers[index].reception.lastHeard), index, body)
        }
        occupancy.markChanged { new.contains(Topics.shardNumber(of: $0)) }
        publishRooms(body)
    }

    /// The answer that this fuser published last; nil if there is none, or its room does not exist any more.
    private func publishedAnswer(of index: Int) -> PeerPublication.Answer? {
        let publications = trackers[index].publications
        guard let last = publications.last, let since = publications.stood, last.state != .unknown else { return nil }
        let room = last.state == .away ? nil : house.room(last.placeText)
        guard last.state == .away || room != nil else { return nil }
        return PeerPublication.Answer(
            fuser: settings.fuser, state: last.state, roomID: room == nil ? nil : last.placeText, room: room,
            since: since,
            previous: trackers[index].room == room ? trackers[index].previous : nil, confidence: last.belief,
            published: last.at, event: last.event, isOwn: true)
    }

    /// Tracks the items of these shards from now on, and no others: what is known of those is dropped, except for what another
    /// fuser publishes of them.
    public mutating func followShards(_ shards: ShardSet, at time: Timestamp) {
        followed = shards
        for index in trackers.indices where !shards.contains(trackers[index].shard) && trackers[index].hasState {
            book.removeObservations(of: index)
            var publications = trackers[index].publications
            publications.dropAnswer()
            trackers.reset(index, at: time)
            trackers[index].publications = publications
            failover.dropMoves(of: index)
            memory.record(changedItem: index)
        }
    }

    /// Repeats what others have overwritten since the last time, for a fuser that was cut off and does not know it.
    ///
    /// A move of another that does not lead to where the item is, is followed by one that does: at once if the other decided it
    /// before it can have known of the takeover, else as soon as the other does not serve the item any more.
    ///
    /// - Parameter peers: the shards that each of the other fusers serves.
    public mutating func repeatOverwritten(
        at time: Timestamp, beside peers: [String: ShardSet], _ body: (Outcome) -> Void
    ) {
        for index in failover.takeOverwritten() {
            guard isPublisher(of: index), trackers[index].publications.last != nil else {
                _ = failover.takePeerMove(of: index)
                continue
            }
            if let move = failover.disputedMove(of: index, shard: trackers[index].shard, beside: peers) {
                publishLocation(index, time, body)
                trackers[index].publications.record(since: move.since)
                failover.recordOverwritten(index)
                continue
            }
            let peerMove = failover.takePeerMove(of: index)
            let room = trackers[index].room.map { house.rooms[$0].id }
            if let peerMove, trackers[index].state != .unknown, peerMove.roomID != room {
                trackers[index].resume(at: time, from: peerMove.roomID.flatMap { house.room($0) })
                var change = Tracker.Change(at: time, notBefore: trackers[index].reception.lastHeard)
                change.kind = .leading(from: peerMove.roomID, to: room)
                (change.room, change.previous) = (room, peerMove.roomID)
                publishChange(change, index, body)
            } else {
                publishLocation(index, time, body)
            }
        }
    }

    /// True if packets since the takeover show an item where this fuser has it rather than where another's answer has it.
    private func contradicts(_ answer: PeerPublication.Answer, _ index: Int) -> Bool {
        let tracker = trackers[index]
        guard let own = tracker.room, tracker.reception.lastHeard > failover.takeover(of: index) else { return false }
        guard let room = answer.room else { return true }
        let probabilities = tracker.locator.roomProbabilities
        return room >= probabilities.count || probabilities[own] >= probabilities[room]
    }

    /// The start of another fuser's answer. The item was in its room until its last packet, which was received here as
    /// well, unless this fuser was off.
    private func startOfPeerAnswer(_ location: Location, _ index: Int) -> Timestamp {
        let lastHeard = trackers[index].reception.lastHeard
        let silence = location.since.duration(since: lastHeard)
        let isHeard = (.zero...max(awayAfter(trackers[index].id), Parameters.Household.longestSilence)).contains(
            silence)
        return location.state == .away && isHeard ? lastHeard : location.since
    }

    /// True if this fuser publishes the item of a tracker.
    func isPublisher(of index: Int) -> Bool { failover.serves(shard: trackers[index].shard) }

    /// The rooms that an item refers to by their indices, except those in which it only might have been.
    func rooms(of index: Int) -> [Int] {
        let answer = failover.peerAnswer(of: index)
        return trackers[index].rooms + [answer?.room, answer?.previous].compactMap { $0 }
    }
}
