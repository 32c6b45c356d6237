internal import Bytes
internal import Sightings

/// What is remembered of persons over a restart, as one JSON text: some hundred bytes a person; times are in microseconds.
extension Persons {
    /// What is remembered of one.
    struct Row {
        var person = ""
        var state = Location.State.unknown
        var room: String?
        var previous: String?
        var since = Timestamp(microseconds: 0)
        var wasHere = false
        var items: [PersonItem] = []
    }

    static func text(of trackers: [PersonTracker]) -> String {
        var json = JSONWriter()
        json.beginObject()
        json.field("v", 1)
        json.beginArray("persons")
        for tracker in trackers {
            json.beginObject()
            json.field("person", tracker.person.id)
            json.field("state", tracker.state.rawValue)
            json.field("room", tracker.room)
            json.field("previous", tracker.previous)
            json.field("since", tracker.since.microseconds)
            json.field("here", tracker.wasHere)
            json.beginArray("items")
            for item in tracker.items {
                json.beginObject()
                item.write(to: &json)
                json.endObject()
            }
            json.endArray()
            json.endObject()
        }
        json.endArray()
        json.endObject()
        return json.text
    }

    /// The rows of such a text; none where it is another.
    static func rows(in text: String) -> [Row] {
        let bytes = Array(text.utf8)
        return (try? read(bytes.span)) ?? []
    }

    private static func read(_ bytes: Span<UInt8>) throws(JSONFault) -> [Row] {
        var json = JSONReader(bytes)
        var rows: [Row] = []
        try json.beginObject()
        while let key = try json.nextKey() {
            guard key == "persons" else {
                try json.skip()
                continue
            }
            try json.beginArray()
            while try json.nextElement() { rows.append(try row(&json)) }
        }
        try json.end()
        return rows
    }

    @_lifetime(json: copy json)
    private static func row(_ json: inout JSONReader) throws(JSONFault) -> Row {
        var row = Row()
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "person": row.person = try json.string()
            case "state": row.state = Location.State(rawValue: try json.string()) ?? .unknown
            case "room": row.room = try json.string()
            case "previous": row.previous = try json.string()
            case "since": row.since = Timestamp(microseconds: try json.integer(Int64.self))
            case "here": row.wasHere = try json.boolean()
            case "items":
                try json.beginArray()
                while try json.nextElement() { row.items.append(try PersonItem.read(from: &json)) }
            default: try json.skip()
            }
        }
        return row
    }
}

extension PersonTracker {
    /// Goes on where an earlier run stopped; items that are not this person's any more are left out.
    mutating func resume(_ row: Persons.Row) {
        (state, room, previous) = (row.state, row.room, row.previous)
        (since, wasHere) = (row.since, row.wasHere)
        for item in row.items {
            guard let index = items.firstIndex(where: { $0.id == item.id }) else { continue }
            items[index] = item
            items[index].isRemembered = true
        }
    }
}

extension PersonItem {
    fileprivate func write(to json: inout JSONWriter) {
        json.field("item", id)
        json.field("state", state.rawValue)
        json.field("room", room)
        json.field("last_room", lastRoom)
        json.field("was_away", wasAway)
        json.field("confidence", confidence, decimals: Parameters.Persons.keptDecimals)
        json.field("since", since.microseconds)
        json.field("at", at.microseconds)
        json.field("heard", heard?.microseconds)
        json.field("not_before", notBefore.microseconds)
        json.field("moved", movedAt?.microseconds)
        json.field("weighed", isWeighed)
        json.field("left_behind", isLeftBehind)
    }

    @_lifetime(json: copy json)
    fileprivate static func read(from json: inout JSONReader) throws(JSONFault) -> PersonItem {
        var item = PersonItem(id: "")
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "item": item.id = try json.string()
            case "state": item.state = Location.State(rawValue: try json.string()) ?? .unknown
            case "room": item.room = try json.string()
            case "last_room": item.lastRoom = try json.string()
            case "was_away": item.wasAway = try json.boolean()
            case "confidence": item.confidence = min(1, max(0, try json.number()))
            case "since": item.since = Timestamp(microseconds: try json.integer(Int64.self))
            case "at": item.at = Timestamp(microseconds: try json.integer(Int64.self))
            case "heard": item.heard = Timestamp(microseconds: try json.integer(Int64.self))
            case "not_before": item.notBefore = Timestamp(microseconds: try json.integer(Int64.self))
            case "moved": item.movedAt = Timestamp(microseconds: try json.integer(Int64.self))
            case "weighed": item.isWeighed = try json.boolean()
            case "left_behind": item.isLeftBehind = try json.boolean()
            default: try json.skip()
            }
        }
        return item
    }
}
