public import Bytes
public import WireProtocol

/// A change of a person's answer.
public struct PersonChange: Sendable {
    /// The person.
    public var person: String
    /// The time of the decision.
    public var at: Timestamp
    /// True if it is in another place than before, or is found.
    public var isElsewhere = false
    /// The kind of event to publish; nil for none.
    public var kind: ItemEvent.Kind?
    /// The room it is in now.
    public var room: String?
    /// The room it was in.
    public var previous: String?
    /// The earliest time at which it can have happened.
    public var notBefore: Timestamp
    /// The time since which the answer held that it ends: it names the move.
    public var ending: Timestamp
    /// True if another fuser's answer has counted its event, which that fuser may have failed to publish.
    public var isCounted = false

    init(person: String, at time: Timestamp, ending: Timestamp) {
        (self.person, at, notBefore, self.ending) = (person, time, time, ending)
    }
}
