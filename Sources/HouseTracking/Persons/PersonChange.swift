public import Bytes
public import WireProtocol

/// What has become of a person.
public struct PersonChange: Sendable {
    /// The person.
    public var person: String
    /// When it was so decided.
    public var at: Timestamp
    /// Whether it is in another place than before, or is found.
    public var isElsewhere = false
    /// What is to be told as an event; nil where that is nothing.
    public var kind: ItemEvent.Kind?
    /// The room it is in now.
    public var room: String?
    /// The room it was in.
    public var previous: String?
    /// The earliest that it can have happened.
    public var notBefore: Timestamp
    /// Since when the answer held that it ends: it names the move.
    public var ending: Timestamp

    init(person: String, at time: Timestamp, ending: Timestamp) {
        (self.person, at, notBefore, self.ending) = (person, time, time, ending)
    }
}
