internal import Bytes
internal import WireProtocol

/// Another fuser's publications of a person while that fuser publishes it.
struct PeerPersonPublication: Sendable {
    /// The other's last answer.
    private(set) var word: Location?
    /// A move that the other's answer shows, and of which no event has been received.
    private(set) var untold: PersonChange?

    /// Retains an answer until it counts.
    mutating func keep(_ location: Location) { word = location }

    /// Consumes an answer; `state` and `room` are those of the answer before it, which held since `since`.
    mutating func hear(
        _ location: Location, after state: Location.State, _ room: String?, since: Timestamp, cause: PersonItem?
    ) {
        word = location
        guard state != .unknown, location.state != .unknown else { return }
        guard (state == .away) != (location.state == .away) || room != location.room else { return }
        var change = PersonChange(person: "", at: location.since, ending: since)
        change.kind = location.state == .away ? .left : state == .away ? .arrived : .moved
        (change.room, change.previous) = (location.room, room)
        change.notBefore = cause.map { min($0.notBefore, location.since) } ?? location.since
        untold = change
    }

    /// Consumes an event: the move needs no second one.
    mutating func hear(_ event: ItemEvent) {
        if event.kind == untold?.kind, event.room == untold?.room { untold = nil }
    }

    /// Removes and returns the move that the other, whose last sign of life was at `end`, may have had no time to
    /// publish.
    mutating func takeUntold(end: Timestamp?) -> PersonChange? {
        defer { (word, untold) = (nil, nil) }
        guard let end, let untold, untold.at > end.advanced(by: -Household.handover) else { return nil }
        return untold
    }
}
