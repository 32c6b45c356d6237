internal import Bytes
internal import RoomEstimation
internal import WireProtocol

/// Publication of an item's answer, and of the rooms.
extension Household {
    /// Publishes an answer again if its confidence has changed enough, or if its time of the last packet is too old.
    mutating func refreshLocation(_ index: Int, _ time: Timestamp, _ body: (Outcome) -> Void) {
        guard isPublisher(of: index), let last = trackers[index].publications.last,
            time.duration(since: last.at) >= Parameters.Household.confidenceSpacing,
            abs(last.belief - trackers[index].belief) >= Parameters.Household.confidenceStep
                || trackers[index].reception.lastHeard.duration(since: last.at) >= Parameters.Household.heardSpacing
        else { return }
        publishLocation(index, time, body)
    }

    /// Publishes a change of an item, or retains it if another fuser is to publish it.
    mutating func publishChange(_ change: Tracker.Change, _ index: Int, _ body: (Outcome) -> Void) {
        guard isPublisher(of: index) else { return failover.retain(change, of: index) }
        var change = change
        if change.kind != nil, let peerMove = failover.takePeerMove(of: index) {
            (change.previous, change.kind) = (peerMove.roomID, .leading(from: peerMove.roomID, to: change.room))
        }
        let before = trackers[index].publications.last?.placeText ?? Location.State.unknown.rawValue
        let stood = change.ending ?? trackers[index].publications.stood
        if change.kind != nil, !change.isCounted { trackers[index].publications.countEvent() }
        publishLocation(index, change.at, body)
        occupancy.move(trackers[index].id, to: trackers[index].room.map { house.rooms[$0].id })
        publishStay(index, change, before: before, body)
        guard let kind = change.kind else { return }
        failover.recordMove(of: index)
        events += 1
        // The room of an item that is away is not estimated: it was not received until the interval before this one.
        let notBefore =
            kind == .arrived ? max(change.notBefore, history.placedBefore ?? change.notBefore) : change.notBefore
        let item = trackers[index].id
        let id = eventID(of: kind, change, item: item, ending: stood)
        body(
            .event(
                item: item,
                ItemEvent(
                    fuser: settings.fuser, epoch: settings.epoch, seq: events,
                    itemSeq: trackers[index].publications.events,
                    id: id, at: change.at, notBefore: notBefore, kind: kind, room: change.room,
                    previous: change.previous)))
    }

    /// The id of a move. Two fusers may find it in different intervals, and both know the answer that it ends. If no
    /// answer was published before, the window that decided names it.
    private func eventID(
        of kind: ItemEvent.Kind, _ change: Tracker.Change, item: String, ending stood: Timestamp?
    ) -> String {
        if let stood { return ItemEvent.id(item: item, kind: kind, room: change.room, ending: stood) }
        let deciding = change.deciding
        return ItemEvent.id(
            item: item, kind: kind, room: change.room, node: deciding.map { house.nodes[$0.node].id } ?? "",
            epoch: deciding?.epoch ?? "", seq: deciding?.seq ?? 0)
    }

    /// Publishes the answer of an item, unless another fuser does.
    mutating func publishLocation(_ index: Int, _ time: Timestamp, _ body: (Outcome) -> Void) {
        guard isPublisher(of: index) else { return }
        let tracker = trackers[index]
        let rooms = house.rooms
        var location = Location(
            fuser: settings.fuser, state: tracker.state, room: tracker.room.map { rooms[$0].id },
            confidence: tracker.confidence, since: tracker.since, previous: tracker.previous.map { rooms[$0].id },
            at: time)
        location.itemSeq = tracker.publications.events
        if tracker.state != .unknown, !tracker.reception.isUnheard { location.heard = tracker.reception.lastHeard }
        let probabilities = tracker.locator.roomProbabilities
        if tracker.room != nil {
            for room in rooms.indices
            where room < probabilities.count && probabilities[room] >= Parameters.Household.leastPublished {
                location.rooms.append((rooms[room].id, probabilities[room]))
            }
            location.reason = tracker.locator.reason().votes
                .sorted { $0.nats.magnitude > $1.nats.magnitude }
                .map { .init(node: house.nodes[$0.node].id, weight: $0.nats, level: tracker.reception.levels[$0.node]) }
        }
        location.distances = tracker.reception.recentDistances.map { (house.nodes[$0.node].id, $0.metres) }
            .sorted { $0.0 < $1.0 }
        trackers[index].publications.record(
            location.placeText, location.state, belief: tracker.belief, since: location.since, at: time)
        body(.location(item: tracker.id, location))
    }

    /// Publishes the place of an item from now on, if it differs from the one before.
    private func publishStay(_ index: Int, _ change: Tracker.Change, before: String, _ body: (Outcome) -> Void) {
        let tracker = trackers[index]
        guard tracker.placeText != before else { return }
        // It was in its room until its last packet, as far as is known.
        let from = change.room == nil ? change.notBefore : change.at
        let room = tracker.state == .unknown ? nil : tracker.placeText
        body(.stay(item: tracker.id, room: room, from: from, confidence: tracker.confidence))
    }

    /// Publishes the rooms whose occupants have changed.
    mutating func publishRooms(_ body: (Outcome) -> Void) {
        for room in occupancy.takeChanged() where failover.serves(shard: Topics.shardNumber(of: room)) {
            body(.occupancy(room: room, occupancy.occupancy(of: room)))
        }
    }
}
