public import Bytes

/// The reasons for an item's published location.
public struct Explanation: Hashable, Sendable {
    /// The contribution of a node.
    public struct Node: Hashable, Sendable {
        /// The state of a node.
        public enum State: String, Hashable, Sendable {
            /// It received a packet of the item in the last interval.
            case heard
            /// It was scanning and received nothing of the item.
            case silent
            /// It is scanning, but receives nothing of this item although others receive it well: it is ignored.
            case deaf
            /// Its `scan`s are missing.
            case missing
            /// It published that state.
            case offline
        }

        /// The node.
        public var node: String
        /// The node's room, if it is known.
        public var room: String?
        /// The node's state.
        public var state: State
        /// The logarithm of the odds that it adds for the room against the runner-up; nil if it has no influence.
        public var weight: Double?
        /// The mean received level, in dBm.
        public var level: Double?
        /// The time of its last reading of the item; nil if none is retained.
        public var heard: Timestamp?
        /// The difference of the item's level from that of its lessons, in dB, positive if louder; nil if it may be
        /// chance.
        public var changed: Double?

        /// A node without influence.
        public init(node: String, room: String?, state: State) {
            (self.node, self.room, self.state) = (node, room, state)
        }
    }

    /// The item.
    public var item: String
    /// The time of the explanation, on the nodes' clock.
    public var at: Timestamp
    /// The state of its presence.
    public var state: Location.State
    /// The room; nil while away or unknown.
    public var room: String?
    /// The probability that the answer is right.
    public var confidence: Double
    /// The time since which this has been the answer.
    public var since: Timestamp
    /// The room before this one.
    public var previous: String?
    /// The time of its last packet; nil if there was none.
    public var lastHeard: Timestamp?
    /// The next likeliest room, against which the nodes' weights are computed.
    public var runnerUp: String?
    /// The weight of the lessons against proximity, 0...1; nil if there are no lessons.
    public var trust: Double?
    /// The item's level relative to the tags that were taught, in dB; nil if there are no lessons.
    public var loudness: Double?
    /// The weight of the floor plan beside the nearest node, 0...1; nil if it has no influence.
    public var plan: Double?
    /// The probability of each room, the likeliest first.
    public var rooms: [Probability] = []
    /// The evidence that several transmitters send the item's identity; nil unless that is suspected.
    public var cloned: String?
    /// The nodes, those of the largest weight first.
    public var nodes: [Node] = []
    /// For a person, in place of the nodes: its items, the deciding one first.
    public var items: [PersonReason] = []
    /// Those of the person's items one of which must be present.
    public var mustHave: [String] = []

    /// A room with its probability.
    public struct Probability: Hashable, Sendable {
        /// The room.
        public var room: String
        /// 0...1.
        public var probability: Double

        /// A room with its probability.
        public init(room: String, probability: Double) {
            (self.room, self.probability) = (room, probability)
        }
    }

    /// An explanation without reasons.
    public init(
        item: String, at: Timestamp, state: Location.State, room: String?, confidence: Double, since: Timestamp
    ) {
        self.item = item
        self.at = at
        self.state = state
        self.room = room
        self.confidence = confidence
        self.since = since
    }
}

extension Explanation.Node.State: WireValue {}

extension Explanation: WireObject {
    static var blank: Self {
        let none = Timestamp(microseconds: 0)
        return Self(item: "", at: none, state: .unknown, room: nil, confidence: 0, since: none)
    }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        try fields.field("item", &item)
        try fields.field("at", &at)
        try fields.field("state", &state)
        try fields.field("room", &room)
        try fields.number("confidence", &confidence, decimals: 3, in: .share)
        try fields.field("since", &since)
        try fields.field("previous", &previous)
        try fields.field("last_heard", &lastHeard)
        try fields.field("runner_up", &runnerUp)
        try fields.number("trust", &trust, decimals: 3, in: .share)
        try fields.number("loudness_db", &loudness, decimals: 1, in: .level)
        try fields.number("plan", &plan, decimals: 3, in: .share)
        try fields.field("cloned", &cloned)
        try fields.visitFields("rooms", &rooms) {
            Self.write($0, to: &$1)
        } read: { json throws(JSONFault) in
            try Self.rooms(&json)
        }
        try fields.field("nodes", &nodes)
        try fields.field("items", &items, unless: [])
        try fields.field("must_have", &mustHave, unless: [])
    }

    private static func write(_ rooms: [Probability], to json: inout JSONWriter) {
        json.beginObject("rooms")
        for room in rooms { json.field(room.room, room.probability, decimals: 3) }
        json.endObject()
    }

    @_lifetime(json: copy json)
    private static func rooms(_ json: inout JSONReader) throws(JSONFault) -> [Probability] {
        var rooms: [Probability] = []
        try json.beginObject()
        while let room = try json.nextKey() {
            rooms.append(Probability(room: room, probability: try json.number(in: .share)))
        }
        return rooms
    }
}

extension Explanation.Node: WireObject {
    static var blank: Self { Self(node: "", room: nil, state: .missing) }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        try fields.field("node", &node)
        try fields.field("room", &room)
        try fields.field("state", &state)
        try fields.number("weight", &weight, decimals: 2, in: -1e6...1e6)
        try fields.number("level", &level, decimals: 1, in: .level)
        try fields.field("heard", &heard)
        try fields.number("changed_db", &changed, decimals: 1, in: .level)
    }
}
