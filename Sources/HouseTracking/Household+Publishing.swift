internal import Bytes
internal import RoomEstimation
internal import WireProtocol

/// Publication of an item's answer, and of the rooms.
extension Household {
    /// Publishes an answer again if its confidence has changed enough, or if its time of the last packet is too old.
    mutating func refresh(_ index: Int, _ time: Timestamp, _ body: (Outcome) -> Void) {
        guard speaks(for: index), let told = trackers[index].told,
            time.duration(since: told.at) >= Parameters.Household.confidenceSpacing,
            abs(told.belief - trackers[index].belief) >= Parameters.Household.confidenceStep
                || trackers[index].lastHeard.duration(since: told.at) >= Parameters.Household.heardSpacing
        else { return }
        publish(index, time, body)
    }

    mutating func tell(_ change: Tracker.Change, _ index: Int, _ body: (Outcome) -> Void) {
        guard speaks(for: index) else { return failover.hold(change, of: index) }
        let before = trackers[index].told?.word ?? Location.State.unknown.rawValue
        let stood = change.ending ?? trackers[index].stood
        if change.kind != nil { trackers[index].events += 1 }
        publish(index, change.at, body)
        occupancy.move(trackers[index].id, to: trackers[index].room.map { house.rooms[$0].id })
        tellStay(index, change, before: before, body)
        guard let kind = change.kind else { return }
        events += 1
        // An item that is away is not weighed: it was not received until the interval before this one.
        let notBefore = kind == .arrived ? max(change.notBefore, weighedBefore ?? change.notBefore) : change.notBefore
        let item = trackers[index].id
        let id = name(of: kind, change, item: item, ending: stood)
        body(
            .event(
                item: item,
                ItemEvent(
                    fuser: settings.fuser, epoch: settings.epoch, seq: events, itemSeq: trackers[index].events, id: id,
                    at: change.at, notBefore: notBefore, kind: kind, room: change.room, previous: change.previous)))
    }

    /// The id of a move. Two fusers may find it in different intervals, and both know the answer that it ends. If no
    /// answer was published before, the window that decided names it.
    private func name(
        of kind: ItemEvent.Kind, _ change: Tracker.Change, item: String, ending stood: Timestamp?
    ) -> String {
        if let stood { return ItemEvent.id(item: item, kind: kind, room: change.room, ending: stood) }
        let deciding = change.deciding
        return ItemEvent.id(
            item: item, kind: kind, room: change.room, node: deciding.map { house.nodes[$0.node].id } ?? "",
            epoch: deciding?.epoch ?? "", seq: deciding?.seq ?? 0)
    }

    mutating func publish(_ index: Int, _ time: Timestamp, _ body: (Outcome) -> Void) {
        guard speaks(for: index) else { return }
        let tracker = trackers[index]
        let rooms = house.rooms
        var location = Location(
            fuser: settings.fuser, state: tracker.state, room: tracker.room.map { rooms[$0].id },
            confidence: tracker.confidence, since: tracker.since, previous: tracker.previous.map { rooms[$0].id },
            at: time)
        location.itemSeq = tracker.events
        if tracker.state != .unknown, !tracker.isUnheard { location.heard = tracker.lastHeard }
        let probabilities = tracker.locator.roomProbabilities
        if tracker.room != nil {
            for room in rooms.indices
            where room < probabilities.count && probabilities[room] >= Parameters.Household.leastTold {
                location.rooms.append((rooms[room].id, probabilities[room]))
            }
            location.reason = tracker.locator.reason().votes
                .sorted { $0.nats.magnitude > $1.nats.magnitude }
                .map { .init(node: house.nodes[$0.node].id, weight: $0.nats, level: tracker.levels[$0.node]) }
        }
        location.distances = tracker.distances.map { (house.nodes[$0.key].id, $0.value) }.sorted { $0.0 < $1.0 }
        trackers[index].told = (location.word, location.state, tracker.belief, time)
        trackers[index].note(told: location.since)
        body(.location(item: tracker.id, location))
    }

    /// Publishes the place of an item from now on, if it differs from the one before.
    private func tellStay(_ index: Int, _ change: Tracker.Change, before: String, _ body: (Outcome) -> Void) {
        let tracker = trackers[index]
        guard tracker.word != before else { return }
        // It was in its room until its last packet, as far as is known.
        let from = change.room == nil ? change.notBefore : change.at
        let room = tracker.state == .unknown ? nil : tracker.word
        body(.stay(item: tracker.id, room: room, from: from, confidence: tracker.confidence))
    }

    mutating func tellRooms(_ body: (Outcome) -> Void) {
        for room in occupancy.takeChanged() where failover.serves(shard: Topics.shardNumber(of: room)) {
            body(.occupancy(room: room, occupancy(of: room)))
        }
    }

    private func occupancy(of room: String) -> Occupancy {
        let present = occupancy.items(in: room)
        guard !persons.isEmpty else { return Occupancy(items: present.sorted()) }
        let persons = present.intersection(persons)
        let carried = present.count { settings.personOfItem[$0].map(present.contains) ?? false }
        return Occupancy(items: present.sorted(), persons: persons.sorted(), carried: carried)
    }
}
