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
        /// The time since which the answer held that it ends, if another fuser has published the new one already.
        var ending: Timestamp?
    }

    let id: String
    /// The shard of its topics.
    let shard: UInt8
    var locator: Locator
    var state = Location.State.unknown
    /// The room; retained through quiet.
    var room: Int?
    var since: Timestamp
    var previous: Int?
    /// The loudest window of the hop that decided last, by node, epoch and seq.
    var deciding: (node: Int, epoch: String, seq: UInt64)?
    var lastHeard: Timestamp
    /// The time at which the answer was last the likeliest by packets; for an item that is away, the time at which it
    /// was found to be.
    var confirmed: Timestamp
    /// The time from which nobody listened before this run; nil once packets have confirmed its place for long enough.
    var pausedFrom: Timestamp?
    private var heardSincePause = 0
    private(set) var distances: [Int: Double] = [:]
    private(set) var levels: [Int: Double] = [:]
    var events: UInt64 = 0
    /// The last publication: its place, its belief and its time.
    var told: (word: String, state: Location.State, belief: Double, at: Timestamp)?
    /// The time since which the answer holds that was published last, by this fuser or another: it names the move that
    /// ends it.
    private(set) var stood: Timestamp?
    /// The same of the answer before.
    private(set) var stoodBefore: Timestamp?
    /// The belief with lessons that are not learned yet.
    var awaiting: LocatorRecord?
    /// True if there is something to store that was not there at `kept`.
    var isNew = false
    /// The time at which it was last returned for storage.
    var kept: Timestamp?

    /// True if it is registered, even without any packet: if it stays silent it is away, and not unknown.
    var isExpected = false
    /// True if no packet of it was ever received, as far as this run knows.
    var isUnheard = false
    /// The time of listening in which no packet of it was received.
    var silence = Duration.zero
    /// The time without a packet of it in which no node reported that it listened.
    var unwatched = Duration.zero
    /// Seconds between its advertisements, by its windows.
    var interval: Double?

    /// A tracker of an item; `locator` has no observation.
    init(id: String, locator: Locator, at time: Timestamp) {
        self.id = id
        shard = Topics.shardNumber(of: id)
        self.locator = locator
        since = time
        lastHeard = time
        confirmed = time
    }

    mutating func update(like other: Locator) { locator.update(like: other) }

    /// Records a published answer, of this fuser or another, and the time since which it holds.
    mutating func note(told time: Timestamp) {
        guard time.milliseconds != stood?.milliseconds else { return }
        (stood, stoodBefore) = (time, stood)
    }

    /// Clears the observations of a node that no longer exists, by its index.
    mutating func forget(node: Int) {
        (distances[node], levels[node]) = (nil, nil)
        if deciding?.node == node { deciding = nil }
        locator.forget(node: node)
    }

    /// Clears a room that no longer exists, by its index: see ``rooms``.
    mutating func forget(room: Int) { locator.forget(room: room) }

    /// The rooms that it refers to by their indices, except those in which it only might have been.
    var rooms: [Int] {
        [room, previous, locator.answer.room].compactMap { $0 }
    }

    /// Its place as a string, as in `Location`.
    var word: String {
        switch state {
        case .unknown, .away: state.rawValue
        case .present, .quiet: room.map { locator.house.rooms[$0].id } ?? Location.State.unknown.rawValue
        }
    }

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
    mutating func begin(like blank: Locator, taughtAt: Timestamp?) {
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
    var isResting: Bool { state == .away || (state == .unknown && room == nil && told == nil && !isExpected) }

    /// The probability that the answer is right.
    var confidence: Double {
        switch state {
        case .unknown: 0
        case .present, .quiet: locator.answer.confidence
        case .away: Parameters.Household.awayConfidence
        }
    }

    /// The belief in the answer, without the bound that holds the answer: an answer of unchanged confidence may have
    /// lost much of that.
    var belief: Double {
        switch state {
        case .unknown, .away: confidence
        case .present, .quiet: locator.believed
        }
    }

    /// Consumes one interval.
    ///
    /// - Parameters:
    ///   - hop: the readings, and the nodes that listened.
    ///   - hearings: the windows that it was made of.
    ///   - length: the interval's length.
    ///   - isListened: true if any node reported that it listened.
    ///   - awayAfter: the time of silence after which it has left.
    ///   - isPlacing: true if its room is estimated; otherwise the room stays, and only its presence is estimated.
    mutating func weigh(
        _ hop: Hop, _ hearings: [ObservationTable.Observation], length: Duration, isListened: Bool, awayAfter: Duration,
        isPlacing: Bool
    ) -> Change? {
        let isHeard = !hop.readings.isEmpty
        isNew = isNew || isHeard
        if isHeard {
            remember(hearings, at: hop.end)
            unwatched = .zero
        } else if !hearings.isEmpty {
            // Received without a level, as by its telemetry alone: it is present, and that is no evidence of a room.
            silence = .zero
        } else if isListened {
            silence += length
            isNew = isNew || !isResting
        }
        guard isPlacing else { return settle(isHeard, nil, awayAfter, hop.end) }
        if state == .away, isHeard { locator.forget() }
        if isHeard || !isResting { locator.weigh(hop) }
        let change = settle(isHeard, locator.answer.room, awayAfter, hop.end)
        if isHeard { confirm(at: hop.end) }
        return change
    }

    /// Records that its place is the likeliest by packets. After a pause it is so by belief alone at first.
    private mutating func confirm(at time: Timestamp) {
        guard locator.answer.isLikeliest, locator.answer.room == room else { return }
        guard pausedFrom != nil else { return confirmed = time }
        heardSincePause += 1
        if heardSincePause >= Parameters.Household.hopsAfterPause { pausedFrom = nil }
    }

    /// Handles the loss of all listening nodes: its place is unknown.
    mutating func forget(at time: Timestamp) -> Change? {
        silence = .zero
        guard state != .unknown else { return nil }
        (previous, room, state, since) = (room, nil, .unknown, time)
        locator.forget()
        awaiting = nil
        return Change(at: time, notBefore: lastHeard)
    }

    private mutating func remember(_ hearings: [ObservationTable.Observation], at time: Timestamp) {
        silence = .zero
        isUnheard = false
        lastHeard = time
        levels.removeAll(keepingCapacity: true)
        var loudest: ObservationTable.Observation?
        for hearing in hearings {
            if let distance = hearing.distance { distances[hearing.node] = distance }
            if let level = hearing.level { levels[hearing.node] = level }
            if let expected = hearing.expected, expected > 0 {
                interval = Double(hearing.length) / 1e6 / expected
            }
            if isLouder(hearing, than: loudest) { loudest = hearing }
        }
        deciding = loudest.map { ($0.node, $0.epoch, $0.seq) }
    }

    /// Of two alike the first node by its id, so that all fusers name a move by the same window.
    private func isLouder(_ one: ObservationTable.Observation, than other: ObservationTable.Observation?) -> Bool {
        guard let other else { return true }
        let (level, best) = (one.level ?? -.infinity, other.level ?? -.infinity)
        let nodes = locator.house.nodes
        return level == best ? nodes[one.node].id < nodes[other.node].id : level > best
    }

    /// The time of silence that is evidence: at least the given time, and longer for an item that advertises
    /// seldom.
    func patience(_ least: Duration) -> Duration {
        max(
            least,
            min(
                .microseconds(Int64(Parameters.Household.intervals * min(interval ?? 0, 1e6) * 1e6)),
                Parameters.Household.longestSilence))
    }

    private mutating func settle(_ isHeard: Bool, _ answer: Int?, _ awayAfter: Duration, _ time: Timestamp) -> Change? {
        if isHeard, let answer { return moved(to: answer, time) }
        guard state == .present || state == .quiet else {
            let isAwaited = state == .unknown && (told != nil || isExpected)
            return isAwaited && silence >= patience(awayAfter) ? missed(time) : nil
        }
        if silence >= patience(awayAfter) { return left(time) }
        let next: Location.State = silence >= patience(Parameters.Household.quietAfter) ? .quiet : .present
        if let answer, answer != room { return moved(to: answer, time, as: next) }
        guard next != state else { return nil }
        state = next
        return Change(room: room.map { locator.house.rooms[$0].id }, at: time, notBefore: confirmed)
    }

    private mutating func moved(to answer: Int, _ time: Timestamp, as next: Location.State = .present) -> Change? {
        let before = (state: state, room: room)
        state = next
        guard answer != before.room else {
            return before.state == next
                ? nil : Change(room: locator.house.rooms[answer].id, at: time, notBefore: confirmed)
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
            notBefore: pausedFrom ?? confirmed, deciding: deciding)
    }

    private mutating func left(_ time: Timestamp) -> Change {
        let before = room.map { locator.house.rooms[$0].id }
        (previous, room, state, since) = (room, nil, .away, time)
        awaiting = nil
        distances.removeAll()
        levels.removeAll()
        confirmed = time
        let silent = isUnheard ? time.advanced(by: -silence) : lastHeard
        return Change(kind: .left, previous: before, at: time, notBefore: silent, deciding: deciding)
    }

    /// Handles an item that is absent now that nodes listen again; one that was present before has left since.
    private mutating func missed(_ time: Timestamp) -> Change {
        let before = previous.map { locator.house.rooms[$0].id }
        var change = left(time)
        if before == nil { change.kind = nil }
        change.previous = before
        previous = before.flatMap(locator.house.room)
        return change
    }

    // MARK: Beside other fusers

    /// True if a packet of it was ever processed.
    var hasHeard: Bool { state != .unknown || deciding != nil || told != nil }

    /// True if there is an answer to publish.
    var isKnown: Bool { state != .unknown || told != nil }

    /// Adopts another fuser's answer.
    mutating func adopt(_ word: PeerPublication.Word) {
        (state, room, since, previous) = (word.state, word.room, word.since, word.previous)
        if let room { locator.hold(room, confidence: word.confidence) }
    }
}
