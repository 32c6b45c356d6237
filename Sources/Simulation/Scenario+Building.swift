extension Scenario {
    /// A room: an outline on the plan and the height of its floor.
    public struct Room: Hashable, Sendable {
        /// `[a-z0-9_-]+`; not `away` or `unknown`.
        public var id: String
        /// The name for people; nil: the id.
        public var name: String?
        /// The name of its floor for people. Only `z` has an effect on signals.
        public var floor: String?
        /// The outline: 3 … 64 corners in metres, in either direction. The whole room must be visible from at least one
        /// place (true of an L, not of a U).
        public var polygon: [Point]
        /// The height of its floor in metres, −100 … 1,000.
        public var z: Double

        /// A room with any outline.
        public init(id: String, name: String? = nil, floor: String? = nil, polygon: [Point], z: Double = 0) {
            self.id = id
            self.name = name
            self.floor = floor
            self.polygon = polygon
            self.z = z
        }

        /// A rectangular room from one corner to the opposite one.
        public init(
            id: String, name: String? = nil, floor: String? = nil, from: (x: Double, y: Double),
            to: (x: Double, y: Double), z: Double = 0
        ) {
            let polygon = [
                Point(x: from.x, y: from.y), Point(x: to.x, y: from.y), Point(x: to.x, y: to.y),
                Point(x: from.x, y: to.y),
            ]
            self.init(id: id, name: name, floor: floor, polygon: polygon, z: z)
        }
    }

    /// A way between two rooms, or between a room and `away`; between floors it is a staircase.
    public struct Door: Hashable, Sendable {
        /// One room's id.
        public var from: String
        /// The other room's id, or `away`; at most one door of a house leads there.
        public var to: String
        /// Metres, at most 0.5 m off the outlines of both rooms, or inside both for a staircase.
        public var x: Double
        /// Metres.
        public var y: Double

        /// A door at a place on the plan.
        public init(from: String, to: String, x: Double, y: Double) {
            self.from = from
            self.to = to
            self.x = x
            self.y = y
        }
    }

    /// The loss of a signal in walls and ceilings.
    public struct Walls: Hashable, Sendable {
        /// Decibels lost in a wall, 0 … 60.
        public var attenuation: Double
        /// Decibels lost in a ceiling, 0 … 60.
        public var ceiling: Double
        /// Walls that differ, by the rooms on their two sides.
        public var pairs: [Pair]

        /// Two rooms and the obstruction between them.
        public struct Pair: Hashable, Sendable {
            /// One room's id, or `away` for an outer wall.
            public var from: String
            /// The other room's id.
            public var to: String
            /// Decibels lost in the wall or ceiling between them, 0 … 60.
            public var attenuation: Double

            /// The wall between two rooms.
            public init(from: String, to: String, attenuation: Double) {
                self.from = from
                self.to = to
                self.attenuation = attenuation
            }
        }

        /// Walls; light ones by default.
        public init(attenuation: Double = 5, ceiling: Double = 14, pairs: [Pair] = []) {
            self.attenuation = attenuation
            self.ceiling = ceiling
            self.pairs = pairs
        }
    }

    /// A place with a loss for all signals sent in it: a steel cupboard, a corner behind the boiler.
    public struct DeadSpot: Hashable, Sendable {
        /// Its room's id.
        public var room: String
        /// Metres.
        public var x: Double
        /// Metres.
        public var y: Double
        /// Metres around it, 0.1 … 20.
        public var radius: Double
        /// Decibels lost in its middle, 0 … 60.
        public var loss: Double

        /// A dead spot.
        public init(room: String, x: Double, y: Double, radius: Double, loss: Double) {
            self.room = room
            self.x = x
            self.y = y
            self.radius = radius
            self.loss = loss
        }
    }

    /// A gateway that listens.
    public struct Node: Hashable, Sendable {
        /// `[a-z0-9_-]+`; not `away` or `unknown`.
        public var id: String
        /// The id of its room.
        public var room: String
        /// Its position in metres; its height has the same zero as the rooms' floors.
        public var position: Point
        /// Decibels that its receiver adds to each level, −40 … 40.
        public var offset: Double
        /// The share of time in which its scanner listens, 0 … 1.
        public var duty: Double

        /// A node.
        public init(id: String, room: String, position: Point, offset: Double = 0, duty: Double = 1) {
            self.id = id
            self.room = room
            self.position = position
            self.offset = offset
            self.duty = duty
        }
    }
}
