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

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("item", item)
        json.field("at", at)
        json.field("state", state.rawValue)
        json.field("room", room)
        json.field("confidence", confidence, decimals: 3)
        json.field("since", since)
        json.field("previous", previous)
        json.field("last_heard", lastHeard)
        json.field("runner_up", runnerUp)
        json.field("trust", trust, decimals: 3)
        json.field("loudness_db", loudness, decimals: 1)
        json.field("plan", plan, decimals: 3)
        json.beginObject("rooms")
        for room in rooms { json.field(room.room, room.probability, decimals: 3) }
        json.endObject()
        json.beginArray("nodes")
        for node in nodes {
            json.beginObject()
            json.field("node", node.node)
            json.field("room", node.room)
            json.field("state", node.state.rawValue)
            json.field("weight", node.weight, decimals: 2)
            json.field("level", node.level, decimals: 1)
            json.field("changed_db", node.changed, decimals: 1)
            json.endObject()
        }
        json.endArray()
        if !items.isEmpty { writeItems(to: &json) }
        json.endObject()
    }

    @_lifetime(json: copy json)
    static func read(from json: inout JSONReader) throws(JSONFault) -> Explanation {
        let none = Timestamp(microseconds: 0)
        var read = Explanation(item: "", at: none, state: .unknown, room: nil, confidence: 0, since: none)
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "item": read.item = try json.string()
            case "at": read.at = try json.time()
            case "state": read.state = Location.State(rawValue: try json.string()) ?? .unknown
            case "room": read.room = try json.string()
            case "confidence": read.confidence = try json.share()
            case "since": read.since = try json.time()
            case "previous": read.previous = try json.string()
            case "last_heard": read.lastHeard = try json.time()
            case "runner_up": read.runnerUp = try json.string()
            case "trust": read.trust = try json.share()
            case "plan": read.plan = try json.share()
            case "loudness_db": read.loudness = try json.level()
            case "rooms":
                try json.beginObject()
                while let room = try json.nextKey() {
                    read.rooms.append(Probability(room: room, probability: try json.share()))
                }
            case "nodes":
                try json.beginArray()
                while try json.nextElement() { read.nodes.append(try Node.read(from: &json)) }
            case "items":
                try json.beginArray()
                while try json.nextElement() { read.items.append(try PersonReason.read(from: &json)) }
            case "must_have": read.mustHave = try json.strings()
            default: try json.skip()
            }
        }
        return read
    }
}

extension Explanation.Node {
    @_lifetime(json: copy json)
    fileprivate static func read(from json: inout JSONReader) throws(JSONFault) -> Self {
        var node = Self(node: "", room: nil, state: .missing)
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "node": node.node = try json.string()
            case "room": node.room = try json.string()
            case "state": node.state = State(rawValue: try json.string()) ?? .missing
            case "weight": node.weight = try json.number(in: -1e6...1e6)
            case "level": node.level = try json.level()
            case "changed_db": node.changed = try json.level()
            default: try json.skip()
            }
        }
        return node
    }
}
