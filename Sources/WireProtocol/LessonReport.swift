internal import Bytes

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

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("id", id)
        json.field("item", item)
        json.field("room", room)
        json.field("running", isRunning)
        json.field("seconds", seconds, decimals: 1)
        json.field("limit", limit, decimals: 1)
        json.field("packets", packets)
        json.beginArray("nodes")
        for node in nodes {
            json.beginObject()
            json.field("node", node.node)
            json.field("packets", node.packets)
            json.field("level", node.level, decimals: 1)
            json.endObject()
        }
        json.endArray()
        json.endObject()
    }

    @_lifetime(json: copy json)
    static func read(from json: inout JSONReader) throws(JSONFault) -> LessonReport {
        var report = LessonReport(item: "", room: "", isRunning: false, seconds: 0, packets: 0)
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "id": report.id = try json.string()
            case "item": report.item = try json.string()
            case "room": report.room = try json.string()
            case "running": report.isRunning = try json.boolean()
            case "seconds": report.seconds = try json.duration()
            case "limit": report.limit = try json.duration()
            case "packets": report.packets = try json.integer(Int.self)
            case "nodes":
                try json.beginArray()
                while try json.nextElement() { report.nodes.append(try Node.read(from: &json)) }
            default: try json.skip()
            }
        }
        return report
    }
}

extension LessonReport.Node {
    @_lifetime(json: copy json)
    fileprivate static func read(from json: inout JSONReader) throws(JSONFault) -> Self {
        var node = Self(node: "", packets: 0, level: 0)
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "node": node.node = try json.string()
            case "packets": node.packets = try json.integer(Int.self)
            case "level": node.level = try json.level()
            default: try json.skip()
            }
        }
        return node
    }
}
