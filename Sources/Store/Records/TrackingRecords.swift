public import Bytes

/// The whereabouts of an item in a fuser.
public struct TrackerRecord: Hashable, Sendable {
    /// The item's id.
    public var item: String
    /// The time to which the record refers.
    public var at: Timestamp
    /// The state, such as `present`.
    public var state: String
    /// The room; nil if away or unknown.
    public var room: String?
    /// The beginning of that state and room.
    public var since: Timestamp
    /// The room before.
    public var previous: String?
    /// The time of its last packet.
    public var heard: Timestamp
    /// The time during which nodes listened and received nothing of it.
    public var silence = Duration.zero
    /// The number of its last event.
    public var itemSeq: UInt64 = 0
    /// The probabilities of its rooms, in the caller's form.
    public var belief: [UInt8] = []

    /// A record of these values; the others are none.
    public init(item: String, at: Timestamp, state: String, since: Timestamp, heard: Timestamp) {
        self.item = item
        self.at = at
        self.state = state
        self.since = since
        self.heard = heard
    }
}

/// An item's stay in a room.
public struct VisitRecord: Hashable, Sendable {
    /// The item's id.
    public var item: String
    /// The room's id, or `away`.
    public var room: String
    /// The beginning of the stay; with the item it identifies the visit.
    public var from: Timestamp
    /// The end of the stay; nil while it lasts.
    public var to: Timestamp?
    /// The probability that the room is right, 0...1; stored in thousandths.
    public var confidence: Double

    /// A visit by all its values.
    public init(item: String, room: String, from: Timestamp, to: Timestamp?, confidence: Double) {
        self.item = item
        self.room = room
        self.from = from
        self.to = to
        self.confidence = confidence
    }
}

/// The state of a person in a fuser.
public struct PersonRecord: Hashable, Sendable {
    /// The person's id.
    public var person: String
    /// The state, in the caller's form.
    public var detail: [UInt8]

    /// A record of these values.
    public init(person: String, detail: [UInt8]) {
        (self.person, self.detail) = (person, detail)
    }
}

/// A mark of the room in which an item truly is from a time on, as a person said.
public struct TruthRecord: Hashable, Sendable {
    /// The item's id.
    public var item: String
    /// The time from which on it is there; with the item it identifies the mark.
    public var at: Timestamp
    /// The room's id; nil at the end of a walk.
    public var room: String?
    /// The user who said so, as far as it is known.
    public var user: String

    /// A mark by all its values.
    public init(item: String, at: Timestamp, room: String?, user: String) {
        self.item = item
        self.at = at
        self.room = room
        self.user = user
    }
}
