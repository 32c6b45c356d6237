public import Bytes

/// The plan of a house as people draw it: floors, rooms with their outlines, doors, and the places of nodes; retained.
///
/// Lengths are metres. On each floor the origin is the top left corner of its picture, and y goes down. All fusers of a
/// house follow the newest plan. A configuration file has precedence over it.
public struct HousePlan: Hashable, Sendable {
    /// The most bytes of a payload.
    public static let payloadLimit = 512 * 1024
    /// The most rooms, and the most nodes, of a house: of its plan, of its configuration, and of both together.
    public static let roomLimit = 1024, nodeLimit = 1024
    /// The most floors, corners of one room, and doors.
    public static let floorLimit = 64, cornerLimit = 1000, doorLimit = 16_384
    /// The most bytes of a name, and of a floor's id.
    public static let nameLimit = 128, floorNameLimit = 64
    /// The range of a coordinate, in metres.
    public static let metres = -10_000.0...10_000.0
    /// The largest revision, which every JSON reader holds exactly.
    public static let lastRevision: UInt64 = 1 << 53

    /// A floor.
    public struct Floor: Hashable, Sendable {
        /// Its id; one that has a picture is an `Identifier`.
        public var id: String
        /// Its name for people.
        public var name: String?
        /// True if it has a picture.
        public var hasPicture = false
        /// The width and the height of its picture, in metres; nil if that has no scale.
        public var size: Corner?

        /// A floor without a picture.
        public init(id: String, name: String? = nil) {
            self.id = id
            self.name = name
        }
    }

    /// A point on a floor.
    public struct Corner: Hashable, Sendable {
        /// Metres to the right, and down.
        public var x, y: Double

        /// A point.
        public init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }

    /// A room.
    public struct Room: Hashable, Sendable {
        /// Its id, as in topics.
        public var id: String
        /// Its name for people, and its floor.
        public var name: String?, floor: String?
        /// Its corners in order; none, or three or more.
        public var polygon: [Corner]

        /// A room with all its parts.
        public init(id: String, name: String? = nil, floor: String? = nil, polygon: [Corner] = []) {
            self.id = id
            self.name = name
            self.floor = floor
            self.polygon = polygon
        }
    }

    /// A door between two rooms, which the plan or the configuration names.
    public struct Door: Hashable, Sendable {
        /// The ids of the rooms.
        public var one, other: String

        /// A door.
        public init(_ one: String, _ other: String) {
            self.one = one
            self.other = other
        }
    }

    /// The place of a node.
    public struct Node: Hashable, Sendable {
        /// Its id, as in topics.
        public var id: String
        /// Its place; `z` is its height above the ground of the house.
        public var x, y, z: Double

        /// The place of a node.
        public init(id: String, x: Double, y: Double, z: Double = 0) {
            self.id = id
            self.x = x
            self.y = y
            self.z = z
        }
    }

    /// The number of the plan: each change has the next. The highest is in force.
    public var revision: UInt64
    /// The time of the change, and the user that made it.
    public var at: Timestamp, by: String
    /// The floors.
    public var floors: [Floor] = []
    /// The rooms.
    public var rooms: [Room] = []
    /// The doors.
    public var doors: [Door] = []
    /// The nodes that have a place.
    public var nodes: [Node] = []

    /// A plan without a room.
    public init(revision: UInt64, at: Timestamp, by: String) {
        self.revision = revision
        self.at = at
        self.by = by
    }

    /// True if this plan replaces another one. Of two with one number the later one does, so that all fusers agree.
    public func isNewer(than other: HousePlan?) -> Bool {
        guard let other else { return true }
        return (revision, at, by) > (other.revision, other.at, other.by)
    }

    /// The payload of the topic `house/plan`.
    public var payload: [UInt8] {
        var json = JSONWriter()
        write(to: &json)
        return json.bytes
    }
}
