internal import Bytes
internal import RoomEstimation

/// The stored form of a lesson: JSON whose intervals are rows of numbers, `[end, listening, node, level, count, node,
/// …]`.
///
/// `listening` is the place of a set in `sets`, which holds each different one once, as places of nodes.
extension Lesson {
    private static let version = 1
    /// Longer ones are rejected: half an hour at ten intervals a second with fifty nodes is 18 MB.
    private static let byteLimit = 64 << 20
    /// The offset that a node may add to its levels, in dB.
    private static let offsets = -1000...1000

    /// All of it in bytes.
    public var bytes: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.field("v", Self.version)
        json.field("id", id)
        json.field("item", item)
        json.field("room", room)
        json.field("walk", walk)
        json.field("taught_at", taughtAt.microseconds)
        json.field("from", from.microseconds)
        json.field("to", to.microseconds)
        json.beginArray("nodes")
        for node in nodes {
            json.beginObject()
            json.field("id", node.id)
            json.field("address", node.address)
            json.field("room", node.room)
            json.field("offset_db", node.offset)
            json.endObject()
        }
        json.endArray()
        var places: [NodeSet: Int] = [:]
        var sets: [NodeSet] = []
        for hop in hops where places[hop.listening] == nil {
            places[hop.listening] = sets.count
            sets.append(hop.listening)
        }
        json.beginArray("sets")
        for set in sets {
            json.beginArray()
            for node in nodes.indices where set.contains(node) { json.value(node) }
            json.endArray()
        }
        json.endArray()
        json.beginArray("hops")
        for hop in hops {
            json.beginArray()
            json.value(hop.end)
            json.value(places[hop.listening] ?? 0)
            for reading in hop.readings {
                json.value(reading.node)
                json.value(reading.level)
                json.value(reading.count)
            }
            json.endArray()
        }
        json.endArray()
        json.endObject()
        return json.bytes
    }

    /// Reads such bytes; nil if they are none, or of a later version.
    public init?(bytes: Span<UInt8>) {
        guard bytes.count <= Self.byteLimit else { return nil }
        self.init(
            id: "", item: "", room: "", walk: nil, taughtAt: Timestamp(microseconds: 0),
            from: Timestamp(microseconds: 0), to: Timestamp(microseconds: 0), nodes: [], hops: [])
        var version = 0
        var sets: [[Int]] = []
        var rows: [[Int]] = []
        do throws(JSONFault) {
            var json = JSONReader(bytes)
            try json.beginObject()
            while let key = try json.nextKey() {
                switch key {
                case "v": version = try json.integer(Int.self)
                case "id": id = try json.string()
                case "item": item = try json.string()
                case "room": room = try json.string()
                case "walk": walk = try json.string()
                case "taught_at": taughtAt.microseconds = try json.integer(Int64.self)
                case "from": from.microseconds = try json.integer(Int64.self)
                case "to": to.microseconds = try json.integer(Int64.self)
                case "nodes":
                    try json.beginArray()
                    while try json.nextElement() { nodes.append(try Self.readNode(&json)) }
                case "sets":
                    try json.beginArray()
                    while try json.nextElement() { sets.append(try Self.readNumbers(&json)) }
                case "hops":
                    try json.beginArray()
                    while try json.nextElement() { rows.append(try Self.readNumbers(&json)) }
                // A marker of an undone lesson is no lesson.
                case "undone": return nil
                default: try json.skip()
                }
            }
            try json.end()
        } catch {
            return nil
        }
        guard version == Self.version, !id.isEmpty, !item.isEmpty, !room.isEmpty, from <= to else { return nil }
        guard nodes.allSatisfy({ Self.offsets.contains($0.offset) }) else { return nil }
        guard sets.allSatisfy({ $0.allSatisfy(nodes.indices.contains) }) else { return nil }
        let listening = sets.map { NodeSet($0) }
        for row in rows {
            guard let hop = Self.makeSecond(row, listening, nodes: nodes.count) else { return nil }
            hops.append(hop)
        }
    }

    @_lifetime(json: copy json)
    private static func readNode(_ json: inout JSONReader) throws(JSONFault) -> Node {
        var node = Node(id: "", address: nil, room: nil, offset: 0)
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "id": node.id = try json.string()
            case "address": node.address = try json.string()
            case "room": node.room = try json.string()
            case "offset_db": node.offset = try json.integer(Int.self)
            default: try json.skip()
            }
        }
        return node
    }

    @_lifetime(json: copy json)
    private static func readNumbers(_ json: inout JSONReader) throws(JSONFault) -> [Int] {
        var numbers: [Int] = []
        try json.beginArray()
        while try json.nextElement() { numbers.append(try json.integer(Int.self)) }
        return numbers
    }

    private static func makeSecond(_ row: [Int], _ sets: [NodeSet], nodes: Int) -> Second? {
        guard row.count >= 2, row.count % 3 == 2, let end = UInt32(exactly: row[0]), sets.indices.contains(row[1])
        else { return nil }
        var hop = Second(end: end, listening: sets[row[1]], readings: [])
        for at in stride(from: 2, to: row.count, by: 3) {
            guard let node = UInt16(exactly: row[at]), Int(node) < nodes, let level = Int16(exactly: row[at + 1]),
                let count = UInt16(exactly: row[at + 2]), hop.readings.last.map({ $0.node < node }) ?? true
            else { return nil }
            hop.readings.append(Reading(node: node, level: level, count: count))
        }
        return hop
    }
}
