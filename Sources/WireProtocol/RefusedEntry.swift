internal import Bytes

/// An entry of the registry that a node rejects, as its `info` reports it.
public struct RefusedEntry: Hashable, Sendable {
    /// The item.
    public var item: String
    /// The reason, and the remedy if there is one.
    public var reason: String

    /// An entry with the reason.
    public init(item: String, reason: String) {
        self.item = item
        self.reason = reason
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("item", item)
        json.field("reason", reason)
        json.endObject()
    }

    @_lifetime(json: copy json)
    static func read(from json: inout JSONReader) throws(JSONFault) -> RefusedEntry {
        var entry = RefusedEntry(item: "", reason: "")
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "item": entry.item = try json.string()
            case "reason": entry.reason = try json.string()
            default: try json.skip()
            }
        }
        return entry
    }
}
