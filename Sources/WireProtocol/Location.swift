public import Bytes

/// The fuser's answer for one item; retained.
public struct Location: Hashable, Sendable {
    /// The certainty of its presence.
    public enum State: String, Hashable, Sendable {
        /// Received recently.
        case present
        /// Silent for too long to be certain, not long enough to be away.
        case quiet
        /// Silent for so long that it has left.
        case away
        /// Without any evidence.
        case unknown

        /// The plain text of the `room` topic for something in this state, with `room` as its room.
        public func placeText(_ room: String?) -> String {
            switch self {
            case .unknown, .away: rawValue
            case .present, .quiet: room ?? Self.unknown.rawValue
            }
        }
    }

    /// The evidence of one node for the room.
    public struct Reason: Hashable, Sendable {
        /// The node.
        public var node: String
        /// The logarithm of the odds that it adds for the room against the runner-up; negative values are evidence
        /// against it.
        public var weight: Double
        /// The received level, in dBm; nil if it received nothing.
        public var level: Double?

        /// The evidence of a node.
        public init(node: String, weight: Double, level: Double?) {
            self.node = node
            self.weight = weight
            self.level = level
        }
    }

    /// The fuser that publishes it.
    public var fuser: String
    /// The certainty of the item's presence.
    public var state: State
    /// The room; nil while away or unknown.
    public var room: String?
    /// The probability that the answer is right.
    public var confidence: Double
    /// The time since which this has been the answer.
    public var since: Timestamp
    /// The room before this one.
    public var previous: String?
    /// The evidence, the strongest first.
    public var reason: [Reason]
    /// The probability of each room, in the order of the rooms.
    public var rooms: [(room: String, probability: Double)]
    /// Each node's last distance in metres, by node.
    public var distances: [(node: String, metres: Double)]
    /// The time of reception of the latest packets that are evidence.
    public var at: Timestamp
    /// The time of its last packet; nil if that is not known.
    public var heard: Timestamp?
    /// The number of the item's last event; 0 before the first.
    public var itemSeq: UInt64 = 0
    /// A Boolean value that is true for a person …
    public var isPerson = false
    /// … and the person's display name.
    public var name: String?
    /// For a person, in place of `reason`: its items, the deciding one first.
    public var items: [PersonReason] = []

    /// An answer without reason, probabilities or distances.
    public init(
        fuser: String, state: State, room: String?, confidence: Double, since: Timestamp, previous: String?,
        at: Timestamp
    ) {
        self.fuser = fuser
        self.state = state
        self.room = room
        self.confidence = confidence
        self.since = since
        self.previous = previous
        self.at = at
        reason = []
        rooms = []
        distances = []
    }

    /// The answer that holds since a move, as far as its event tells it.
    public init(after move: ItemEvent, confidence: Double) {
        self.init(
            fuser: move.fuser, state: move.room == nil ? .away : .present, room: move.room, confidence: confidence,
            since: move.at, previous: move.previous, at: move.at)
        itemSeq = move.itemSeq
    }

    // By hand, since the tuples in `rooms` and `distances` are not Equatable. Add each new property here: one that is missing
    // makes different answers equal.
    /// Returns true if all properties of both are equal.
    public static func == (left: Location, right: Location) -> Bool {
        left.fuser == right.fuser && left.state == right.state && left.room == right.room
            && left.confidence == right.confidence && left.since == right.since && left.previous == right.previous
            && left.reason == right.reason && left.at == right.at && left.heard == right.heard
            && left.itemSeq == right.itemSeq && left.isPerson == right.isPerson && left.name == right.name
            && left.items == right.items
            && left.rooms.elementsEqual(right.rooms, by: ==)
            && left.distances.elementsEqual(right.distances, by: ==)
    }

    /// Hashes the identifying fields of the answer.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(fuser)
        hasher.combine(state)
        hasher.combine(room)
        hasher.combine(since)
    }
}

extension Location {
    static let payloadLimit = 262_144

    /// The plain text of the `room` topic: the room's id, `away` or `unknown`.
    public var placeText: String { state.placeText(room) }

    /// Writes the payload of an `items/<item>/location` topic.
    public func write(to json: inout JSONWriter) { writeObject(to: &json) }

    /// Reads the displayed fields of such a payload: reason, probabilities and distances are skipped.
    public init(payload: Span<UInt8>) throws(PayloadFault) {
        try self.init(payload: payload, limit: Self.payloadLimit)
    }
}

extension Location: WireObject {
    static var blank: Self {
        let none = Timestamp(microseconds: 0)
        return Self(fuser: "", state: .unknown, room: nil, confidence: 0, since: none, previous: nil, at: none)
    }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        fields.version()
        try fields.required("fuser", &fuser)
        try fields.field("person", &isPerson, unless: false)
        try fields.field("name", &name)
        try fields.required("state", &state)
        try fields.field("room", &room, where: Identifier.isValid)
        try fields.number("confidence", &confidence, decimals: 3, where: (0...1).contains)
        fields.require("confidence", unknown: PayloadFault.missing)
        try fields.required("since", &since)
        try fields.field("previous", &previous)
        try fields.field("at", &at, orElse: since)
        try fields.field("heard", &heard)
        try fields.field("item_seq", &itemSeq, unless: 0) { $0 <= ItemEvent.latest }
        fields.written(writeEvidence)
    }

    private func writeEvidence(to json: inout JSONWriter) {
        json.beginArray("reason")
        for reason in reason {
            json.beginObject()
            json.field("node", reason.node)
            json.field("weight", reason.weight, decimals: 2)
            json.field("level", reason.level, decimals: 1)
            json.endObject()
        }
        for item in items { item.write(to: &json) }
        json.endArray()
        json.beginObject("rooms")
        for (room, probability) in rooms { json.field(room, probability, decimals: 3) }
        json.endObject()
        json.beginObject("distances")
        for (node, metres) in distances { json.field(node, metres, decimals: 2) }
        json.endObject()
    }
}

extension Location.State: WireValue {}
