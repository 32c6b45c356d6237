extension Scenario {
    /// A carrier of beacons: a person or an animal.
    public struct Walker: Hashable, Sendable {
        /// `[a-z0-9_-]+`.
        public var id: String
        /// The rooms that it visits.
        public var plan: Plan
        /// Metres a second, 0.1 … 10. It is faster if a stay is too short for the way.
        public var pace: Double
        /// Decibels lost in its body, 0 … 40.
        public var bodyLoss: Double

        /// A walker.
        public init(id: String, plan: Plan, pace: Double = 1, bodyLoss: Double = 9) {
            self.id = id
            self.plan = plan
            self.pace = pace
            self.bodyLoss = bodyLoss
        }
    }

    /// The visits of a walker. The way to a room precedes its stay.
    public enum Plan: Hashable, Sendable {
        /// 1 … 256 visits in this order, over and over.
        case itinerary([Visit])
        /// Random rooms: 1 … 64 rooms (ids, or `away`), each for a stay of this kind.
        case roam(rooms: [String], stay: Stay)
    }

    /// One room of an itinerary.
    public struct Visit: Hashable, Sendable {
        /// The room's id, or `away`.
        public var room: String
        /// The length of the visit.
        public var stay: Stay

        /// A visit.
        public init(room: String, stay: Stay) {
            self.room = room
            self.stay = stay
        }
    }

    /// The length of a visit: between two limits, random each time.
    public struct Stay: Hashable, Sendable {
        /// The shortest length in seconds, 1 … 604,800.
        public var shortest: Double
        /// The longest length in seconds, `shortest` … 604,800.
        public var longest: Double

        /// A stay between two lengths in seconds.
        public init(_ shortest: Double, _ longest: Double) {
            self.shortest = shortest
            self.longest = longest
        }
    }
}
