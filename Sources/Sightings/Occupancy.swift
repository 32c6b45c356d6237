public import Bytes

/// Who and what is in a room; retained.
public struct Occupancy: Hashable, Sendable {
    /// The ids of the items in it, in order.
    public var items: [String]

    /// The items of a room.
    public init(items: [String]) {
        self.items = items
    }

    /// Writes the payload of a `rooms/<room>/occupancy` topic.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("v", Window.version)
        json.field("count", items.count)
        json.beginArray("items")
        for item in items { json.value(item) }
        json.endArray()
        json.endObject()
    }

    /// Reads such a payload. Unknown keys are passed over.
    public init(payload: Span<UInt8>) throws(PayloadFault) {
        var items: [String]?
        try readPayload(payload, limit: 1 << 20) { json throws(JSONFault) in
            try json.beginObject()
            while let key = try json.nextKey() {
                if key == "items" { items = try json.strings() } else { try json.skip() }
            }
        }
        self.init(items: try require(items, "items"))
    }
}
