internal import Bytes
internal import RoomEstimation
internal import WireProtocol

/// The location of one person, from the answers of its items.
struct PersonTracker: Sendable {
    var person: Person
    /// The shard of its topics.
    let shard: UInt8
    private let mustHave: Set<Int>
    var items: [PersonItem]
    var state = Location.State.unknown
    var room: String?
    var since = Timestamp(microseconds: 0)
    var previous: String?
    /// The item that decided, by its place.
    var decider: Int?
    /// True if it was present when it was last known: if it is not present after a time in which nobody listened, it
    /// has left meanwhile.
    var wasHere = false
    /// The time until which its first answer may be corrected without an event; nil if it has none.
    var freshUntil: Timestamp?
    /// The time of its last move from one room to another.
    private var lastMove: Timestamp?
    private(set) var review = PersonReview()
    var serving = PersonServing()

    init(_ person: Person) {
        self.person = person
        shard = Topics.shardNumber(of: person.id)
        items = person.items.map { PersonItem(id: $0) }
        mustHave = Set(person.items.indices.filter { person.mustHave.contains(person.items[$0]) })
    }

    /// Consumes an answer of the item at a place in its list; true if that is news.
    mutating func receive(_ location: Location, of index: Int, heard: Timestamp?) -> Bool {
        review.request(at: location.at)
        return items[index].receive(location, heard: heard)
    }

    /// Removes the answer of the item at a place in its list.
    mutating func removeAnswer(of index: Int, at time: Timestamp) {
        items[index] = PersonItem(id: items[index].id)
        review.request(at: time)
    }

    /// Weighs the answers and the time that has passed; returns the change, or nil.
    ///
    /// - Parameter isPublisher: true if this fuser publishes the person.
    mutating func update(at time: Timestamp, isPublisher: Bool) -> PersonChange? {
        // It is of a future time: the nodes' clock is not the one that they had.
        if since.duration(since: time) > Parameters.Household.clockTolerance { startAnew(at: time) }
        guard let moment = review.begin(at: time, since: since) else { return nil }
        let nextMove = checkMoves(at: max(moment, time))
        guard isPublisher else {
            review.finish(next: nextMove)
            return nil
        }
        let verdict = PersonVerdict(
            items, mustHave: mustHave, stands: room, since: since, lastMove: lastMove,
            isFresh: freshUntil.map { moment < $0 } ?? false,
            at: max(moment, time))
        review.finish(next: [nextMove, verdict.next].compactMap { $0 }.min())
        return adoptVerdict(verdict, at: moment)
    }

    /// Clears all that is of another clock; answers received in this run remain.
    private mutating func startAnew(at time: Timestamp) {
        for index in items.indices {
            if items[index].isRemembered { items[index].clearPlace() }
            (items[index].movedAt, items[index].isWeighed, items[index].isLeftBehind) = (nil, true, false)
        }
        review.startAnew(at: time)
        lastMove = nil
        clearPlace(at: time)
    }

    /// Marks items as left behind that stayed in their rooms while another went elsewhere and had time to follow;
    /// returns the time of the next check.
    private mutating func checkMoves(at time: Timestamp) -> Timestamp? {
        var next: Timestamp?
        for index in items.indices where !items[index].isWeighed {
            guard let moved = items[index].movedAt else { continue }
            let due = moved.advanced(by: Parameters.Persons.follow)
            guard time >= due else {
                next = min(next ?? due, due)
                continue
            }
            items[index].isWeighed = true
            let earliest = moved.advanced(by: -Parameters.Persons.follow)
            for other in items.indices where items[other].isHere && items[other].room != items[index].lastRoom {
                if items[other].movedAt.map({ $0 < earliest }) ?? true { items[other].isLeftBehind = true }
            }
        }
        return next
    }

    private mutating func adoptVerdict(_ verdict: PersonVerdict, at time: Timestamp) -> PersonChange {
        let before = (state: state, room: room)
        decider = verdict.item
        var change = PersonChange(person: person.id, at: time, ending: since)
        if verdict.state != before.state || verdict.room != before.room {
            state = verdict.state
            room = verdict.room
            if before.state.placeText(before.room) != placeText { recordPlace(from: before, at: time, &change) }
        }
        if state != .unknown { wasHere = state != .away }
        serving.isPublished = true
        return change
    }

    /// Records another place.
    private mutating func recordPlace(
        from before: (state: Location.State, room: String?), at time: Timestamp, _ change: inout PersonChange
    ) {
        let hasMoved = decider.flatMap { items[$0].movedAt }.map { $0 > since } ?? false
        let isFound = !hasMoved && freshUntil.map { time < $0 } ?? false
        if before.state == .unknown, state != .unknown, !wasHere {
            freshUntil = time.advanced(by: Parameters.Persons.alone)
        }
        since = time
        change.isElsewhere = true
        let last = previous
        previous = before.room ?? previous
        let decided = decider.map { items[$0] }
        switch (before.state, state) {
        case (.unknown, .away):
            // It was present, and is gone now that nodes listen again.
            if wasHere, let last { (change.kind, change.previous) = (.left, last) }
        case (.unknown, _), (_, .unknown): break
        case (.away, _): change.kind = .arrived
        case (_, .away): (change.kind, change.previous) = (.left, before.room)
        case (.present, _), (.quiet, _): if !isFound { (change.kind, change.previous) = (.moved, before.room) }
        }
        if change.kind == .moved { lastMove = time }
        change.room = room
        change.notBefore = min(time, decided.map { state == .away ? $0.heard ?? $0.notBefore : $0.notBefore } ?? time)
    }

    /// Its place as a string, as in `Location`.
    var placeText: String { state.placeText(room) }

    /// Time of the last packet of any of its items; nil if none is known.
    var heard: Timestamp? { items.compactMap(\.heard).max() }

    /// The answer as `fuser` publishes it, at a moment at which no item has a time.
    func location(fuser: String, at time: Timestamp) -> Location {
        let decided = decider.map { items[$0] }
        var location = Location(
            fuser: fuser, state: state, room: room, confidence: state == .unknown ? 0 : decided?.confidence ?? 0,
            since: since, previous: previous, at: max(decided?.at ?? time, since))
        (location.isPerson, location.name) = (true, person.name)
        location.heard = state == .unknown ? nil : heard
        location.items = reasons
        if room != nil { location.rooms = decided?.rooms.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } ?? [] }
        return location
    }

    /// The answers of its items, the one that decided first.
    var reasons: [PersonReason] {
        let order = (decider.map { [$0] } ?? []) + items.indices.filter { $0 != decider }
        return order.map { index in
            let item = items[index]
            return PersonReason(
                item: item.id, state: item.state, room: item.room, isLeftBehind: item.isLeftBehind)
        }
    }

    /// Gives up the answers that an earlier run received and this one has not: they are no longer known.
    mutating func giveUp(at time: Timestamp) {
        for index in items.indices where items[index].isRemembered {
            items[index].clearPlace()
            review.request(at: time)
        }
    }

    /// Clears its place: its items' answers find it anew.
    mutating func clearPlace(at time: Timestamp) {
        (state, room, previous, decider, wasHere, since) = (.unknown, nil, nil, nil, false, time)
        freshUntil = nil
        serving.clearPeer()
        review.request(at: time)
    }

    /// Consumes another fuser's answer; true if it counts.
    ///
    /// - Parameter isPublisher: true if this fuser publishes the person.
    mutating func receivePeer(_ location: Location, countsEvent: Bool, isPublisher: Bool, at time: Timestamp) -> Bool {
        if serving.isPast(location) || isPublisher && !serving.receiveLast(location, at: time) { return false }
        serving.receive(location, countsEvent: countsEvent, after: self)
        adopt(location)
        if isPublisher { review.request() }
        return true
    }

    /// Begins to publish it; returns the move that another fuser left unpublished.
    mutating func takeOver(ends: [String: Timestamp], at time: Timestamp) -> PersonChange? {
        var change = serving.takeOver(ends: ends, at: time)
        change?.person = person.id
        review.request()
        return change
    }

    /// Ceases to publish it; true if it was unknown, so that the answer holds that the other published meanwhile.
    mutating func handOver() -> Bool {
        serving.isPublished = false
        guard state == .unknown, let answer = serving.peerAnswer else { return false }
        adopt(answer)
        return true
    }

    /// Adopts another fuser's answer.
    private mutating func adopt(_ location: Location) {
        (state, room, since, previous) = (location.state, location.room, location.since, location.previous)
        if state != .unknown { wasHere = state != .away }
        freshUntil = nil
    }
}
