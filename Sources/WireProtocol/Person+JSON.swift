internal import Bytes

extension PersonReason {
    /// Writes the fields of an object that is open.
    func fields(_ json: inout JSONWriter) {
        json.field("item", item)
        json.field("state", state.rawValue)
        json.field("room", room)
        if isLeftBehind { json.field("left_behind", true) }
    }

    @_lifetime(json: copy json)
    static func read(from json: inout JSONReader) throws(JSONFault) -> PersonReason {
        var reason = PersonReason(item: "", state: .unknown, room: nil)
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "item": reason.item = try json.string()
            case "state": reason.state = Location.State(rawValue: try json.string()) ?? .unknown
            case "room": reason.room = try json.string()
            case "left_behind": reason.isLeftBehind = try json.boolean()
            default: try json.skip()
            }
        }
        return reason
    }
}

extension Explanation {
    /// Writes the states of a person's items.
    func writeItems(to json: inout JSONWriter) {
        json.beginArray("items")
        for item in items {
            json.beginObject()
            item.fields(&json)
            json.endObject()
        }
        json.endArray()
        guard !mustHave.isEmpty else { return }
        json.beginArray("must_have")
        for item in mustHave { json.value(item) }
        json.endArray()
    }
}
