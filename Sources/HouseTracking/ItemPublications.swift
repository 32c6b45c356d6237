internal import Bytes
internal import WireProtocol

/// The publications of one item: its last answers, and the number of its last event.
struct ItemPublications: Sendable {
    /// The last answer that this fuser published: its place, its belief, its time, and the number of the item's last event.
    private(set) var last: (placeText: String, state: Location.State, belief: Double, at: Timestamp, event: UInt64)?
    /// The time since which the answer holds that was published last, by this fuser or another: it names the move that
    /// ends it.
    private(set) var stood: Timestamp?
    /// The same of the answer before.
    private(set) var stoodBefore: Timestamp?
    /// The number of its last event.
    private(set) var events: UInt64 = 0
    /// The number of the last event that an answer or a move had, of which an alert may be a later one.
    private(set) var moves: UInt64 = 0
    /// The time up to which an earlier run knew its events; nil without one.
    let knownUntil: Timestamp?

    /// Without an answer, after events up to this number, which an earlier run knew until some time.
    init(events: UInt64 = 0, knownUntil: Timestamp? = nil) {
        (self.events, moves) = (events, events)
        self.knownUntil = knownUntil
    }

    /// Drops this fuser's answer; what other fusers publish is counted on.
    mutating func dropAnswer() { last = nil }

    /// Numbers the next event.
    mutating func countEvent() { events += 1 }

    /// Adopts another fuser's event number if it is higher.
    mutating func follow(events other: UInt64) { events = max(events, other) }

    /// Adopts the number of another fuser's answer or move if it is higher.
    mutating func follow(moves other: UInt64) {
        moves = max(moves, other)
        follow(events: other)
    }

    /// Records an answer that this fuser publishes, and the time since which it holds.
    mutating func record(
        _ placeText: String, _ state: Location.State, belief: Double, since: Timestamp, at time: Timestamp
    ) {
        last = (placeText, state, belief, time, events)
        moves = events
        record(since: since)
    }

    /// Records a published answer, of this fuser or another, by the time since which it holds.
    mutating func record(since time: Timestamp) {
        guard time.milliseconds != stood?.milliseconds else { return }
        (stood, stoodBefore) = (time, stood)
    }
}
