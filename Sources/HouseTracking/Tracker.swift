internal import Bytes
internal import RoomEstimation
internal import WireProtocol

/// The presence and the room of one item, from its hops.
struct Tracker: Sendable {

    /// A change that is to be published.
    struct Change: Sendable {
        var kind: ItemEvent.Kind?
        var room: String?
        var previous: String?
        var at: Timestamp
        /// The earliest time at which it can have happened.
        var notBefore: Timestamp
        /// The window that decided, by node, epoch and seq: it names the move if the answer that it ends was never
        /// published.
        var deciding: (node: Int, epoch: String, seq: UInt64)?
        /// True if another fuser's answer has counted its event.
        var isCounted = false
        /// The time since which the answer held that it ends, if another fuser has published the new one already.
        var ending: Timestamp?
    }

    let id: String
    /// The shard of its topics.
    let shard: UInt8
    private(set) var locator: Locator
    private(set) var state = Location.State.unknown
    /// The room; retained through quiet.
    private(set) var room: Int?
    private(set) var since: Timestamp
    private(set) var previous: Int?
    /// The belief with lessons that are not learned yet.
    private var awaiting: LocatorRecord?
    /// True if it is registered, even without any packet: if it stays silent it is away, and not unknown.
    private(set) var isExpected = false
    var reception: ItemReception
    private var confirmation: Confirmation
    var publications = ItemPublications()
    /// The suspicion about its identity, and its consequences.
    var cloneSuspicion = CloneSuspicion()
    private var storage = StorageSchedule()

    /// A tracker of an item; `locator` has no observation.
    init(id: String, locator: Locator, at time: Timestamp) {
        self.id = id
        shard = Topics.shardNumber(of: id)
        self.locator = locator
        since = time
        reception = ItemReception(at: time)
        confirmation = Confirmation(at: time)
    }

    /// Expects an item.
    ///
    /// - Parameters:
    ///   - isNew: true if nothing else is known of it.
    ///   - interval: the time between its advertisements, unless that is measured.
    mutating func expect(isNew: Bool, interval: Duration?) {
        isExpected = true
        if isNew { reception.isUnheard = true }
        if reception.interval == nil { reception.interval = interval?.seconds }
    }

    /// Continues in the house of another locator.
    mutating func update(like other: Locator) { locator.update(like: other) }

    /// Follows nodes to the rooms that the house has them in now, by their indices.
    mutating func followNodes(_ nodes: [Int]) { locator.follow(nodes) }

    /// Clears the observations of a node that no longer exists, by its index.
    mutating func forgetNode(_ node: Int) {
        reception.forgetNode(node)
        locator.forget(node: node)
    }

    /// Clears a room that no longer exists, by its index: see ``rooms``.
    mutating func forgetRoom(_ room: Int) { locator.forget(room: room) }

    /// The rooms that it refers to by their indices, except those in which it only might have been.
    var rooms: [Int] {
        [room, previous, locator.answer.room].compactMap { $0 }
    }

    /// Its room while it is present.
    var presentRoom: Int? { state == .present ? room : nil }

    /// Its place as a string, as in `Location`.
    var placeText: String { state.placeText(room.map { locator.house.rooms[$0].id }) }

    /// Continues with the trained model of another locator.
    mutating func learn(like other: Locator, keepsTrust: Bool) {
        locator.learn(like: other, keepsTrust: keepsTrust)
    }

    /// True if it has yet to be placed in this run.
    var isUnplaced: Bool { awaiting != nil || room == nil }

    /// Begins to be placed, by lessons that were learned since the start: continues from the belief that was stored
    /// with them.
    ///
    /// - Parameter taughtAt: time of the last lesson. A state stored before it holds no reception levels relative to
    ///   that lesson.
    mutating func beginPlacing(like blank: Locator, taughtAt: Timestamp?) {
        var next = blank
        if var awaiting {
            if let taughtAt, awaiting.at <= taughtAt { awaiting.taughtNodes = [] }
            next.resume(awaiting)
        }
        // It may have another answer by now, another fuser's.
        if state != .unknown, state != .away, let room, next.answer.room != room {
            next.hold(room, confidence: locator.answer.confidence)
        }
        (locator, awaiting) = (next, nil)
    }

    /// True if it needs no hop while no packet of it arrives.
    var isResting: Bool {
        state == .away || (state == .unknown && room == nil && publications.last == nil && !isExpected)
    }

    /// The probability that the answer is right.
    var confidence: Double {
        switch state {
        case .unknown: 0
        case .present, .quiet: cloneSuspicion.bounded(locator.answer.confidence, at: locator.lastEnd ?? since)
        case .away: Parameters.Household.awayConfidence
        }
    }

    /// The belief in the answer, without the bound that holds the answer: an answer of unchanged confidence may have
    /// lost much of that.
    var belief: Double {
        switch state {
        case .unknown, .away: confidence
        case .present, .quiet: cloneSuspicion.bounded(locator.believed, at: locator.lastEnd ?? since)
        }
    }

    /// Consumes one interval.
    ///
    /// - Parameters:
    ///   - hop: the readings, and the nodes that listened.
    ///   - observations: the windows that it was made of.
    ///   - elapsed: the time by which it lengthens a silence.
    ///   - isListened: true if any node reported that it listened.
    ///   - awayAfter: the time of silence after which it has left.
    ///   - isPlacing: true if its room is estimated; otherwise the room stays, and only its presence is estimated.
    mutating func consumeInterval(
        _ hop: Hop, _ observations: [ObservationTable.Observation], elapsed: Duration, isListened: Bool,
        awayAfter: Duration, isPlacing: Bool
    ) -> Change? {
        let isHeard = !hop.readings.isEmpty
        if isHeard {
            storage.markNew()
            reception.record(observations, at: hop.end, nodes: locator.house.nodes)
        } else if !observations.isEmpty {
            // Received without a level, as by its telemetry alone: it is present, and that is no evidence of a room.
            reception.endSilence()
        } else if isListened {
            reception.extendSilence(by: elapsed)
            if !isResting { storage.markNew() }
        }
        guard isPlacing else { return updateState(isHeard, nil, awayAfter, hop.end) }
        if state == .away, isHeard { locator.forget() }
        if isHeard || !isResting { locator.weigh(hop) }
        let answer = cloneSuspicion.settle(locator.answer.room, before: room, at: hop.end)
        let change = updateState(isHeard, answer, awayAfter, hop.end)
        if isHeard, locator.answer.isLikeliest, locator.answer.room == room { confirmation.confirm(at: hop.end) }
        return change
    }

    /// Consumes an interval in which no node reported that it listened: after a while its place is unknown.
    mutating func consumeUnwatched(_ elapsed: Duration, awayAfter: Duration, at time: Timestamp) -> Change? {
        reception.extendUnwatched(by: elapsed, awayAfter: awayAfter) ? losePlace(at: time) : nil
    }

    /// Handles the loss of all listening nodes: its place is unknown.
    mutating func losePlace(at time: Timestamp) -> Change? {
        reception.endSilence()
        guard state != .unknown else { return nil }
        (previous, room, state, since) = (room, nil, .unknown, time)
        locator.forget()
        awaiting = nil
        return Change(at: time, notBefore: reception.lastHeard)
    }

    private mutating func updateState(
        _ isHeard: Bool, _ answer: Int?, _ awayAfter: Duration, _ time: Timestamp
    ) -> Change? {
        if isHeard, let answer { return moveTo(answer, time) }
        guard state == .present || state == .quiet else {
            let isAwaited = state == .unknown && (publications.last != nil || isExpected)
            return isAwaited && reception.silence >= reception.patience(awayAfter) ? leaveUnseen(at: time) : nil
        }
        if reception.silence >= reception.patience(awayAfter) { return leave(at: time) }
        let isQuiet = reception.silence >= reception.patience(Parameters.Household.quietAfter)
        let next: Location.State = isQuiet ? .quiet : .present
        if let answer, answer != room { return moveTo(answer, time, as: next) }
        guard next != state else { return nil }
        state = next
        return Change(room: room.map { locator.house.rooms[$0].id }, at: time, notBefore: confirmation.last)
    }

    private mutating func moveTo(_ answer: Int, _ time: Timestamp, as next: Location.State = .present) -> Change? {
        let before = (state: state, room: room)
        state = next
        guard answer != before.room else {
            return before.state == next
                ? nil : Change(room: locator.house.rooms[answer].id, at: time, notBefore: confirmation.last)
        }
        room = answer
        since = time
        previous = before.room ?? previous
        // The first answer after a start determines its place; it has not moved.
        let kind: ItemEvent.Kind? =
            switch before.state {
            case .unknown: nil
            case .away: .arrived
            case .present, .quiet: .moved
            }
        let rooms = locator.house.rooms
        return Change(
            kind: kind, room: rooms[answer].id,
            previous: before.state == .away ? nil : before.room.map { rooms[$0].id }, at: time,
            notBefore: confirmation.earliestMove, deciding: reception.loudest)
    }

    private mutating func leave(at time: Timestamp) -> Change {
        let before = room.map { locator.house.rooms[$0].id }
        (previous, room, state, since) = (room, nil, .away, time)
        awaiting = nil
        reception.clearReadings()
        confirmation.confirmAway(at: time)
        return Change(
            kind: .left, previous: before, at: time, notBefore: reception.lastPacket(ifLeftAt: time),
            deciding: reception.loudest)
    }

    /// Handles an item that is absent now that nodes listen again; one that was present before has left since.
    private mutating func leaveUnseen(at time: Timestamp) -> Change {
        let before = previous.map { locator.house.rooms[$0].id }
        var change = leave(at: time)
        if before == nil { change.kind = nil }
        change.previous = before
        previous = before.flatMap(locator.house.room)
        return change
    }

    // MARK: Beside other fusers

    /// True if a packet of it was ever processed.
    var hasHeard: Bool { state != .unknown || reception.loudest != nil || publications.last != nil }

    /// True if it holds more than what another fuser publishes.
    var hasState: Bool { hasHeard || isExpected }

    /// True if there is an answer to publish.
    var isKnown: Bool { state != .unknown || publications.last != nil }

    /// Adopts another fuser's answer.
    mutating func adopt(_ answer: PeerPublication.Answer) {
        (state, room, since, previous) = (answer.state, answer.room, answer.since, answer.previous)
        if let room { locator.hold(room, confidence: answer.confidence) }
    }

    /// Holds its answer from `time` on, after another fuser's move to a room, or away.
    mutating func resume(at time: Timestamp, from room: Int?) { (since, previous) = (time, room ?? previous) }
}

// MARK: State that is stored over a restart

extension Tracker {
    /// A tracker that continues from the record of its item; `blank` holds the house, and the lessons unless it
    /// `isAwaiting` them.
    init(_ record: HouseholdRecord.Item, blank: Locator, isAwaiting: Bool, listened: Timestamp?) {
        self.init(id: record.id, locator: blank, at: record.since)
        reception = ItemReception(at: record.heard)
        confirmation = Confirmation(
            at: record.state == .away ? max(record.at, listened ?? record.at) : record.at, isPaused: true)
        publications = ItemPublications(events: record.events, knownUntil: record.at)
        storage = StorageSchedule(lastStored: record.at)
        previous = record.previous.flatMap(blank.house.room)
        guard record.state != .unknown else { return }
        let believed = restoreBelief(record.belief, isAwaiting: isAwaiting)
        if record.state != .away {
            guard let place = record.room.flatMap(blank.house.room), believed == place else {
                (locator, awaiting) = (blank, nil)
                return
            }
            room = place
        }
        state = record.state
        reception.restore(silence: record.silence)
        publications.record(placeText, state, belief: belief, since: since, at: record.at)
    }

    /// Restores the belief, and returns the room; for an item that is away only the reception by each node is of use.
    /// Nil if the row is incomplete, or has no such room.
    private mutating func restoreBelief(_ bytes: [UInt8], isAwaiting: Bool) -> Int? {
        var row = RowReader()
        guard let microseconds = row.next(Int64.self, bytes.span), let node = row.nextText(bytes.span),
            let epoch = row.nextText(bytes.span), let seq = row.next(UInt64.self, bytes.span),
            let belief = LocatorRecord(&row, bytes.span)
        else { return nil }
        reception.restore(
            loudest: locator.house.node(node).map { ($0, epoch, seq) },
            interval: microseconds > 0 ? Double(microseconds) / 1e6 : nil)
        locator.resume(belief)
        if isAwaiting { awaiting = belief }
        return locator.answer.room
    }

    /// True if its belief should be stored: if it has changed, and not too soon unless it is the last time.
    func isStorageDue(at time: Timestamp, isLast: Bool) -> Bool {
        storage.isNew && (isLast || storage.isDue(at: time, since: since, isSilent: reception.silence > .zero))
    }

    /// The row to store of it, which counts as stored from then on.
    mutating func takeRecord(at time: Timestamp) -> HouseholdRecord.Item {
        storage.markStored(at: time)
        var row = RowWriter()
        let (rooms, loudest) = (locator.house.rooms, reception.loudest)
        if state != .unknown {
            row.append(Int64((reception.interval ?? 0) * 1e6))
            row.append(loudest.map { locator.house.nodes[$0.node].id } ?? "")
            row.append(loudest?.epoch ?? "")
            row.append(loudest?.seq ?? 0)
            (awaiting ?? locator.record)?.write(to: &row)
        }
        return HouseholdRecord.Item(
            id: id, at: locator.lastEnd ?? time, state: state, room: room.map { rooms[$0].id }, since: since,
            previous: previous.map { rooms[$0].id }, heard: reception.lastHeard, silence: reception.silence,
            events: publications.events, belief: row.bytes)
    }
}
