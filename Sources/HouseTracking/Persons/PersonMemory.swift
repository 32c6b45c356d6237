internal import Bytes
internal import RoomEstimation
internal import WireProtocol

/// The stored state of one person; in a store it is a JSON text of some hundred bytes an item, with times in
/// microseconds.
public struct PersonMemory: Hashable, Sendable {
    private static let version = 1

    /// The person's id.
    public private(set) var person: String
    var state = Location.State.unknown
    var room: String?
    var previous: String?
    var since = Timestamp(microseconds: 0)
    var wasHere = false
    var items: [PersonItem] = []

    /// The person alone, as if the rest cannot be read.
    public init(nothingOf person: String) { self.person = person }

    init(_ tracker: PersonTracker) {
        person = tracker.person.id
        (state, room, previous) = (tracker.state, tracker.room, tracker.previous)
        (since, wasHere, items) = (tracker.since, tracker.wasHere, tracker.items)
    }

    /// The bytes for a store.
    public var bytes: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.field("v", Self.version)
        json.field("person", person)
        json.field("state", state.rawValue)
        json.field("room", room)
        json.field("previous", previous)
        json.field("since", since.microseconds)
        json.field("here", wasHere)
        json.beginArray("items")
        for item in items {
            json.beginObject()
            item.write(to: &json)
            json.endObject()
        }
        json.endArray()
        json.endObject()
        return json.bytes
    }

    /// Reads stored bytes; nil if they cannot be read, or are of another person.
    public init?(person: String, bytes: Span<UInt8>) {
        do throws(JSONFault) {
            var json = JSONReader(bytes)
            let read = try Self.read(from: &json)
            try json.end()
            guard let read, read.person == person, read.isSound else { return nil }
            self = read
        } catch {
            return nil
        }
    }

    /// Reads the one text in which all persons were stored before each had a row; nil if it cannot be read.
    public static func all(in text: String) -> [PersonMemory]? {
        let bytes = Array(text.utf8)
        do throws(JSONFault) {
            var json = JSONReader(bytes.span)
            var memories: [PersonMemory] = []
            try json.beginObject()
            while let key = try json.nextKey() {
                guard key == "persons" else {
                    try json.skip()
                    continue
                }
                try json.beginArray()
                while try json.nextElement() {
                    guard let memory = try read(from: &json), memory.isSound else { return nil }
                    memories.append(memory)
                }
            }
            try json.end()
            return memories
        } catch {
            return nil
        }
    }

    /// True if its names can be published: rooms become topics.
    private var isSound: Bool {
        let rooms = [room, previous] + items.flatMap { [$0.room, $0.lastRoom] }
        return Identifier.isValid(person) && rooms.allSatisfy { $0.map(Identifier.isValid) ?? true }
    }

    /// Nil if it is of another version.
    @_lifetime(json: copy json)
    private static func read(from json: inout JSONReader) throws(JSONFault) -> PersonMemory? {
        var read = PersonMemory(nothingOf: "")
        var version = Self.version
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "v": version = try json.integer(Int.self)
            case "person": read.person = try json.string()
            case "state": read.state = Location.State(rawValue: try json.string()) ?? .unknown
            case "room": read.room = try json.string()
            case "previous": read.previous = try json.string()
            case "since": read.since = Timestamp(microseconds: try json.integer(Int64.self))
            case "here": read.wasHere = try json.boolean()
            case "items":
                try json.beginArray()
                while try json.nextElement() { read.items.append(try PersonItem.read(from: &json)) }
            default: try json.skip()
            }
        }
        return version == Self.version ? read : nil
    }
}

extension PersonTracker {
    /// Continues from the stored state of an earlier run; items that are no longer this person's are left out.
    mutating func resume(_ memory: PersonMemory) {
        (state, room, previous) = (memory.state, memory.room, memory.previous)
        (since, wasHere) = (memory.since, memory.wasHere)
        for item in memory.items {
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
