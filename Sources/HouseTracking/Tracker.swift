internal import Bytes
internal import RoomEstimation
internal import WireProtocol

/// Where one item is and whether it is there at all, from its hops.
struct Tracker: Sendable {

    /// What deserves to be told.
    struct Change: Sendable {
        var kind: ItemEvent.Kind?
        var room: String?
        var previous: String?
        var at: Timestamp
        /// The earliest that it can have happened.
        var notBefore: Timestamp
        /// The window that decided, by node, epoch and seq: it names the move where nobody told what that ends.
        var deciding: (node: Int, epoch: String, seq: UInt64)?
        /// Since when the answer held that it ends, where another fuser has told the new one already.
        var ending: Timestamp?
    }

    let id: String
    /// The shard of its topics.
    let shard: UInt8
    var locator: Locator
    var state = Location.State.unknown
    /// The room; kept through quiet.
    var room: Int?
    var since: Timestamp
    var previous: Int?
    /// The loudest window of the hop that decided last, by node, epoch and seq.
    var deciding: (node: Int, epoch: String, seq: UInt64)?
    var lastHeard: Timestamp
    /// When the answer was last the likeliest, by what was heard; for what is away, when it was found to be.
    var confirmed: Timestamp
    /// From when on nobody listened before this run; nil once it has been heard for long enough where it was.
    var pausedFrom: Timestamp?
    private var heardSincePause = 0
    private(set) var distances: [Int: Double] = [:]
    private(set) var levels: [Int: Double] = [:]
    var events: UInt64 = 0
    /// What was published last, what was believed of that, and when.
    var told: (word: String, state: Location.State, belief: Double, at: Timestamp)?
    /// Since when the answer holds that was told last, by this fuser or another: it names the move that ends it.
    private(set) var stood: Timestamp?
    /// The same of the answer before.
    private var stoodBefore: Timestamp?
    /// What was believed with lessons that are not learned yet.
    var awaiting: LocatorRecord?
    /// What another fuser tells of it, while that one speaks.
    var overheard = Overheard()
    /// When this one began to speak for it.
    var tookOver = Timestamp(microseconds: .min)
    /// Whether anything is to be kept that was not when `kept` was.
    var isNew = false
    /// When it was last given out to be kept.
    var kept: Timestamp?

    /// Whether it is to be there, though nobody may have heard it yet: what stays silent is away, and not unknown.
    var isExpected = false
    /// Whether it was never heard, as far as this run knows.
    var isUnheard = false
    /// Microseconds of listening in which nothing was heard of it.
    var silence: Int64 = 0
    /// Microseconds in which nothing was heard of it and nobody listened who says so.
    var unwatched: Int64 = 0
    /// Seconds between its advertisements, by its windows.
    var interval: Double?

    /// A tracker of an item; `locator` has heard nothing.
    init(id: String, locator: Locator, at time: Timestamp) {
        self.id = id
        shard = Topics.shardNumber(of: id)
        self.locator = locator
        since = time
        lastHeard = time
        confirmed = time
    }

    mutating func update(like other: Locator) { locator.update(like: other) }

    /// Notes an answer that was told, by this fuser or another, and since when it holds.
    mutating func note(told time: Timestamp) {
        guard time.milliseconds != stood?.milliseconds else { return }
        (stood, stoodBefore) = (time, stood)
    }

    /// Forgets what a node told that is no more, by its index.
    mutating func forget(node: Int) {
        (distances[node], levels[node]) = (nil, nil)
        if deciding?.node == node { deciding = nil }
        overheard.forget(node: node)
        locator.forget(node: node)
    }

    /// Forgets a room that is no more, by its index: see ``rooms``.
    mutating func forget(room: Int) { locator.forget(room: room) }

    /// The rooms that it knows by their indices, but for those in which it only might have been.
    var rooms: [Int] {
        [room, previous, locator.answer.room, overheard.word?.room, overheard.word?.previous].compactMap { $0 }
    }

    /// Where it is, in a word, as `Location` has it.
    var word: String {
        switch state {
        case .unknown, .away: state.rawValue
        case .present, .quiet: room.map { locator.house.rooms[$0].id } ?? Location.State.unknown.rawValue
        }
    }

    mutating func learn(like other: Locator, keepsTrust: Bool) {
        locator.learn(like: other, keepsTrust: keepsTrust)
    }

    /// Whether it has yet to be placed in this run.
    var isUnplaced: Bool { awaiting != nil || room == nil }

    /// Begins to be placed, by lessons that were learned since the start: goes on from what was believed with them before.
    ///
    /// - Parameter taughtAt: when something was taught last. What was kept before says nothing of how an item is heard beside that.
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

    /// Whether it needs no hop while nothing is heard of it.
    var isResting: Bool { state == .away || (state == .unknown && room == nil && told == nil && !isExpected) }

    /// The probability that the answer is right.
    var confidence: Double {
        switch state {
        case .unknown: 0
        case .present, .quiet: locator.answer.confidence
        case .away: Parameters.Household.awayConfidence
        }
    }

    /// What is believed of the answer, whatever keeps it: an answer that is as sure as before may have lost much of that.
    var belief: Double {
        switch state {
        case .unknown, .away: confidence
        case .present, .quiet: locator.believed
        }
    }

    /// Takes one interval into account.
    ///
    /// - Parameters:
    ///   - hop: what was heard, and which nodes listened.
    ///   - hearings: the windows it was made of.
    ///   - length: the interval's length in microseconds.
    ///   - isListened: whether any node told that it listened.
    ///   - awayAfter: microseconds of silence after which it has left.
    ///   - isPlacing: whether its room is asked; else it stands, and only whether it is there is.
    mutating func weigh(
        _ hop: Hop, _ hearings: [HearingTable.Hearing], length: Int64, isListened: Bool, awayAfter: Int64,
        isPlacing: Bool
    ) -> Change? {
        let isHeard = !hop.readings.isEmpty
        isNew = isNew || isHeard
        if isHeard {
            remember(hearings, at: hop.end)
            unwatched = 0
        } else if !hearings.isEmpty {
            // Heard without a level, as by its telemetry alone: it says nothing of the room, and is there.
            silence = 0
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

    /// Notes that its place is the likeliest by what is heard. After a pause belief alone makes it so at first.
    private mutating func confirm(at time: Timestamp) {
        guard locator.answer.isLikeliest, locator.answer.room == room else { return }
        guard pausedFrom != nil else { return confirmed = time }
        heardSincePause += 1
        if heardSincePause >= Parameters.Household.hopsAfterPause { pausedFrom = nil }
    }

    /// No node listens any more: nothing can be said.
    mutating func forget(at time: Timestamp) -> Change? {
        silence = 0
        guard state != .unknown else { return nil }
        (previous, room, state, since) = (room, nil, .unknown, time)
        locator.forget()
        awaiting = nil
        return Change(at: time, notBefore: lastHeard)
    }

    private mutating func remember(_ hearings: [HearingTable.Hearing], at time: Timestamp) {
        silence = 0
        isUnheard = false
        lastHeard = time
        levels.removeAll(keepingCapacity: true)
        var loudest: HearingTable.Hearing?
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
    private func isLouder(_ one: HearingTable.Hearing, than other: HearingTable.Hearing?) -> Bool {
        guard let other else { return true }
        let (level, best) = (one.level ?? -.infinity, other.level ?? -.infinity)
        let nodes = locator.house.nodes
        return level == best ? nodes[one.node].id < nodes[other.node].id : level > best
    }

    /// Microseconds of silence that tell something: at least so many, and longer for what speaks seldom.
    func patience(_ least: Int64) -> Int64 {
        max(
            least,
            min(
                Int64(Parameters.Household.intervals * min(interval ?? 0, 1e6) * 1e6),
                Parameters.Household.longestSilence))
    }

    private mutating func settle(_ isHeard: Bool, _ answer: Int?, _ awayAfter: Int64, _ time: Timestamp) -> Change? {
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
        // The first answer after a start determines where it is; it has not moved.
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
        let silent = isUnheard ? time.advanced(byMicroseconds: -silence) : lastHeard
        return Change(kind: .left, previous: before, at: time, notBefore: silent, deciding: deciding)
    }

    /// It isn't there any more now that nodes listen again; what was there before has left since.
    private mutating func missed(_ time: Timestamp) -> Change {
        let before = previous.map { locator.house.rooms[$0].id }
        var change = left(time)
        if before == nil { change.kind = nil }
        change.previous = before
        previous = before.flatMap(locator.house.room)
        return change
    }

    // MARK: Beside other fusers

    /// Whether anything was ever made of what was heard of it.
    var hasHeard: Bool { state != .unknown || deciding != nil || told != nil }

    /// Whether there is anything to tell of it.
    var isKnown: Bool { state != .unknown || told != nil }

    /// Goes on from what another fuser told, and gives the moves that it left untold.
    ///
    /// - Parameter ends: when fusers that have gone gave their last sign of life; one that isn't there may be alive.
    mutating func takeOver(ends: [String: Timestamp]) -> [Change] {
        if case .adopt(let word) = overheard.takeOver(
            isAway: state == .away, room: room, end: overheard.word.flatMap { ends[$0.fuser] },
            before: stoodBefore, rooms: locator.house.rooms.map(\.id))
        {
            adopt(word)
        }
        return overheard.takeUntold()
    }

    /// Makes another fuser's answer the own one.
    mutating func adopt(_ word: Overheard.Word) {
        (state, room, since, previous) = (word.state, word.room, word.since, word.previous)
        if let room { locator.hold(room, confidence: word.confidence) }
    }
}
