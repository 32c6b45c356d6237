internal import Bytes
internal import WireProtocol

/// Another fuser's publications of a person while that fuser publishes it.
struct PeerPersonPublication: Sendable {
    /// The other's last answer.
    private(set) var answer: Location?
    /// A move that the other's answer shows, and of which no event has been received.
    private(set) var unpublished: PersonChange?

    /// Retains an answer until it counts.
    mutating func retain(_ location: Location) { answer = location }

    /// Consumes an answer; `state` and `room` are those of the answer before it, which held since `since`.
    mutating func receive(
        _ location: Location, countsEvent: Bool, after state: Location.State, _ room: String?, since: Timestamp,
        cause: PersonItem?
    ) {
        answer = location
        guard state != .unknown, location.state != .unknown else { return }
        guard (state == .away) != (location.state == .away) || room != location.room else { return }
        var change = PersonChange(person: "", at: location.since, ending: since)
        change.kind = location.state == .away ? .left : state == .away ? .arrived : .moved
        (change.room, change.previous) = (location.room, room)
        change.isCounted = countsEvent
        change.notBefore = cause.map { min($0.notBefore, location.since) } ?? location.since
        unpublished = change
    }

    /// Consumes an event: the move needs no second one.
    mutating func receive(_ event: ItemEvent) {
        if event.kind == unpublished?.kind, event.room == unpublished?.room { unpublished = nil }
    }

    /// Removes and returns the move that the other, whose last sign of life was at `end`, may have had no time to
    /// publish.
    mutating func takeUnpublished(end: Timestamp?) -> PersonChange? {
        defer { (answer, unpublished) = (nil, nil) }
        guard let end, let unpublished, unpublished.at > end.advanced(by: -Household.handover) else { return nil }
        return unpublished
    }
}
