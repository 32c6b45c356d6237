public import Bytes
public import WireProtocol

/// The house as its configuration and its plan describe it: the value of topic `house`.
public struct PageHouse: Hashable, Sendable {
    /// The source of what is drawn of a room, or of a node's place.
    public enum Origin: String, Hashable, Sendable {
        case file
        /// The plan that people drew.
        case plan
    }

    /// The place of a node in the house's own axes, in metres.
    public struct Place: Hashable, Sendable {
        /// Metres along the level axes.
        public var x, y: Double
        /// The height.
        public var z: Double?

        /// A place by its coordinates.
        public init(x: Double, y: Double, z: Double? = nil) {
            self.x = x
            self.y = y
            self.z = z
        }
    }

    /// A room.
    public struct Room: Hashable, Sendable {
        /// Its id.
        public var id: String
        /// Its name for people, and its floor.
        public var name: String?, floor: String?
        /// Its corners; none if it is not drawn.
        public var polygon: [HousePlan.Corner]
        /// The rooms behind its doors.
        public var nextTo: [String]
        /// The source of its corners; `file` for a room without corners that the file names.
        public var from = Origin.file

        /// A room with all its parts.
        public init(id: String, name: String?, floor: String?, polygon: [HousePlan.Corner], nextTo: [String]) {
            self.id = id
            self.name = name
            self.floor = floor
            self.polygon = polygon
            self.nextTo = nextTo
        }
    }

    /// A node.
    public struct Node: Hashable, Sendable {
        /// Its id.
        public var id: String
        /// Its room and its place, as far as the configuration gives them.
        public var room: String?, place: Place?
        /// The source of its place; `file` for a node without one.
        public var from = Origin.file

        /// A node with all its parts.
        public init(id: String, room: String?, place: Place?) {
            self.id = id
            self.room = room
            self.place = place
        }
    }

    /// A person.
    public struct Person: Hashable, Sendable {
        /// Its id.
        public var id: String
        /// Its name for people.
        public var name: String?
        /// The items that it carries.
        public var items: [String]

        /// A person with all its parts.
        public init(id: String, name: String?, items: [String]) {
            self.id = id
            self.name = name
            self.items = items
        }
    }

    /// The fuser's id, and its version.
    public var fuser: String, version: String
    /// The rooms.
    public var rooms: [Room]
    /// The nodes whose room or place the configuration gives.
    public var nodes: [Node]
    /// The persons.
    public var persons: [Person]
    /// The rules for alerts.
    public var rules: [PageRule] = []
    /// True if the page shows other sites.
    public var hasSites = false
    /// The floors of the plan.
    public var floors: [HousePlan.Floor] = []
    /// The revision of the plan; nil without one.
    public var revision: UInt64?

    /// A house with all its parts.
    public init(fuser: String, version: String, rooms: [Room], nodes: [Node], persons: [Person]) {
        self.fuser = fuser
        self.version = version
        self.rooms = rooms
        self.nodes = nodes
        self.persons = persons
    }

    /// Writes the value of the topic.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("name", fuser)
        json.field("fuser", fuser)
        json.field("version", version)
        json.beginArray("rooms")
        for room in rooms { Self.write(room, to: &json) }
        json.endArray()
        json.beginArray("nodes")
        for node in nodes {
            json.beginObject()
            json.field("id", node.id)
            json.field("room", node.room)
            json.field("x", node.place?.x, decimals: 3)
            json.field("y", node.place?.y, decimals: 3)
            json.field("z", node.place?.z, decimals: 3)
            json.field("from", node.from.rawValue)
            json.endObject()
        }
        json.endArray()
        json.beginArray("persons")
        for person in persons {
            json.beginObject()
            json.field("id", person.id)
            json.field("name", person.name)
            json.beginArray("items")
            for item in person.items { json.value(item) }
            json.endArray()
            json.endObject()
        }
        json.endArray()
        json.beginArray("rules")
        for rule in rules { rule.write(to: &json) }
        json.endArray()
        if hasSites { json.field("sites", true) }
        writePlan(to: &json)
        json.endObject()
    }

    private func writePlan(to json: inout JSONWriter) {
        guard let revision else { return }
        json.field("rev", revision)
        json.beginArray("floors")
        for floor in floors { floor.write(to: &json) }
        json.endArray()
    }

    private static func write(_ room: Room, to json: inout JSONWriter) {
        json.beginObject()
        json.field("id", room.id)
        json.field("name", room.name)
        json.field("floor", room.floor)
        json.beginArray("polygon")
        for corner in room.polygon { corner.write(to: &json) }
        json.endArray()
        json.beginArray("next_to")
        for other in room.nextTo { json.value(other) }
        json.endArray()
        json.field("from", room.from.rawValue)
        json.endObject()
    }
}
