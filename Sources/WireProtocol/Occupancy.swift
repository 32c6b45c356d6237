public import Bytes

/// The persons and items in a room; retained.
public struct Occupancy: Hashable, Sendable {
    /// The ids of the items and persons in it, in order.
    public var items: [String]
    /// Those of them that are persons.
    public var persons: [String]
    /// Their number, a person and those of its items that are present counting as one.
    public var count: Int

    /// The items and persons of a room.
    ///
    /// - Parameter carried: The number of items that belong to a person who is present.
    public init(items: [String], persons: [String] = [], carried: Int = 0) {
        self.items = items
        self.persons = persons
        count = items.count - carried
    }

    /// Writes the payload of a `rooms/<room>/occupancy` topic.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("v", Window.version)
        json.field("count", count)
        json.beginArray("items")
        for item in items { json.value(item) }
        json.endArray()
        if !persons.isEmpty {
            json.beginArray("persons")
            for person in persons { json.value(person) }
            json.endArray()
        }
        json.endObject()
    }

    /// Reads such a payload. Unknown keys are ignored.
    public init(payload: Span<UInt8>) throws(PayloadFault) {
        var items: [String]?
        var persons: [String] = []
        var count: Int?
        try readPayload(payload, limit: 1 << 20) { json throws(JSONFault) in
            try json.beginObject()
            while let key = try json.nextKey() {
                switch key {
                case "items": items = try json.strings()
                case "persons": persons = try json.strings()
                case "count": count = try json.integer(Int.self)
                default: try json.skip()
                }
            }
        }
        self.init(items: try require(items, "items"), persons: persons)
        if let count, (0...self.items.count).contains(count) { self.count = count }
    }
}
