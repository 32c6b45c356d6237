internal import Bytes

/// The lessons of a house, on the wire.
extension TaughtReport.Lesson {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("id", id)
        json.field("item", item)
        json.field("room", room)
        json.field("taught_at", taughtAt)
        json.field("seconds", seconds, decimals: 1)
        json.field("packets", packets)
        json.field("walk", walk)
        json.beginArray("left_out")
        for words in leftOut { json.value(words) }
        json.endArray()
        json.endObject()
    }

    @_lifetime(json: copy json)
    static func read(from json: inout JSONReader) throws(JSONFault) -> Self {
        var lesson = Self(
            id: "", item: "", room: "", taughtAt: Timestamp(microseconds: 0), seconds: 0, packets: 0, walk: nil)
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "id": lesson.id = try json.string()
            case "item": lesson.item = try json.string()
            case "room": lesson.room = try json.string()
            case "taught_at": lesson.taughtAt = try json.time()
            case "seconds": lesson.seconds = try json.duration()
            case "packets": lesson.packets = try json.integer(Int.self)
            case "walk": lesson.walk = try json.string()
            case "left_out": lesson.leftOut = try json.strings()
            default: try json.skip()
            }
        }
        return lesson
    }
}

extension TaughtReport.Room {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("id", id)
        json.field("seconds", seconds, decimals: 1)
        json.beginArray("next_to")
        for room in nextTo { json.value(room) }
        json.endArray()
        if isStale { json.field("teach_again", true) }
        json.field("right", right, decimals: 3)
        json.field("taken_for", takenFor)
        json.endObject()
    }

    @_lifetime(json: copy json)
    static func read(from json: inout JSONReader) throws(JSONFault) -> Self {
        var room = Self(id: "", seconds: 0)
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "id": room.id = try json.string()
            case "seconds": room.seconds = try json.duration()
            case "next_to": room.nextTo = try json.strings()
            case "teach_again": room.isStale = try json.boolean()
            case "right": room.right = try json.share()
            case "taken_for": room.takenFor = try json.string()
            default: try json.skip()
            }
        }
        return room
    }
}

extension TaughtReport.LeftOut {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("item", item)
        json.field("room", room)
        json.field("taught_at", taughtAt)
        json.field("seconds", seconds, decimals: 1)
        json.field("why", why)
        json.endObject()
    }

    @_lifetime(json: copy json)
    static func read(from json: inout JSONReader) throws(JSONFault) -> Self {
        var lesson = Self(item: "", room: "", taughtAt: Timestamp(microseconds: 0), seconds: 0, why: "")
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "item": lesson.item = try json.string()
            case "room": lesson.room = try json.string()
            case "taught_at": lesson.taughtAt = try json.time()
            case "seconds": lesson.seconds = try json.duration()
            case "why": lesson.why = try json.string()
            default: try json.skip()
            }
        }
        return lesson
    }
}
