extension Scenario {
    /// Somebody who carries beacons about: a person or an animal.
    public struct Walker: Hashable, Sendable {
        /// `[a-z0-9_-]+`.
        public var id: String
        /// Where it goes.
        public var plan: Plan
        /// Metres a second, 0.1 … 10. It hurries where a stay is too short for the way.
        public var pace: Double
        /// Decibels that its body takes from a signal through it, 0 … 40.
        public var bodyLoss: Double

        /// A walker.
        public init(id: String, plan: Plan, pace: Double = 1, bodyLoss: Double = 9) {
            self.id = id
            self.plan = plan
            self.pace = pace
            self.bodyLoss = bodyLoss
        }
    }

    /// Where a walker goes. The way to a room comes before its stay.
    public enum Plan: Hashable, Sendable {
        /// 1 … 256 visits in this order, over and over.
        case itinerary([Visit])
        /// From room to room by chance: 1 … 64 rooms (ids, or `away`), each for a stay of this kind.
        case roam(rooms: [String], stay: Stay)
    }

    /// One room of an itinerary.
    public struct Visit: Hashable, Sendable {
        /// The room's id, or `away`.
        public var room: String
        /// For how long.
        public var stay: Stay

        /// A visit.
        public init(room: String, stay: Stay) {
            self.room = room
            self.stay = stay
        }
    }

    /// How long a visit lasts: between two lengths, chosen anew each time.
    public struct Stay: Hashable, Sendable {
        /// Seconds, 1 … 604,800.
        public var shortest: Double
        /// Seconds, `shortest` … 604,800.
        public var longest: Double

        /// A stay of so many seconds.
        public init(_ shortest: Double, _ longest: Double) {
            self.shortest = shortest
            self.longest = longest
        }
    }
}
