public import Bytes

/// The progress or result of a lesson: the packets of an item received while it was in a room.
public struct LessonReport: Hashable, Sendable {
    /// The packets received by one node.
    public struct Node: Hashable, Sendable {
        /// The node.
        public var node: String
        /// The number of packets.
        public var packets: Int
        /// The median of its levels, one an interval, in dBm.
        public var level: Double

        /// The packets of a node.
        public init(node: String, packets: Int, level: Double) {
            (self.node, self.packets, self.level) = (node, packets, level)
        }
    }

    /// The id by which it can be undone; nil while it is in progress, and if it wasn't stored.
    public var id: String?
    /// The item that taught.
    public var item: String
    /// The room that it was in.
    public var room: String
    /// A Boolean value that is true while it is in progress.
    public var isRunning: Bool
    /// Seconds that count so far.
    public var seconds: Double
    /// Seconds after which it ends by itself.
    public var limit: Double?
    /// The number of packets received by all nodes.
    public var packets: Int
    /// The nodes that received it, the loudest first.
    public var nodes: [Node] = []

    /// A report without nodes.
    public init(id: String? = nil, item: String, room: String, isRunning: Bool, seconds: Double, packets: Int) {
        self.id = id
        self.item = item
        self.room = room
        self.isRunning = isRunning
        self.seconds = seconds
        self.packets = packets
    }

    /// Writes it as an object.
    public func write(to json: inout JSONWriter) { writeObject(to: &json) }
}

extension LessonReport: WireObject {
    static var blank: Self { Self(item: "", room: "", isRunning: false, seconds: 0, packets: 0) }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        try fields.field("id", &id)
        try fields.field("item", &item)
        try fields.field("room", &room)
        try fields.field("running", &isRunning)
        try fields.number("seconds", &seconds, decimals: 1, in: .duration)
        try fields.number("limit", &limit, decimals: 1, in: .duration)
        try fields.field("packets", &packets)
        try fields.field("nodes", &nodes)
    }
}

extension LessonReport.Node: WireObject {
    static var blank: Self { Self(node: "", packets: 0, level: 0) }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        try fields.field("node", &node)
        try fields.field("packets", &packets)
        try fields.number("level", &level, decimals: 1, in: .level)
    }
}
