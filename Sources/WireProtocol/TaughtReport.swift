public import Bytes

/// The lessons of a house, and how well they distinguish its rooms.
public struct TaughtReport: Hashable, Sendable {
    /// One lesson.
    public struct Lesson: Hashable, Sendable {
        /// The id by which it can be undone.
        public var id: String
        /// The item that taught.
        public var item: String
        /// The room that it was in.
        public var room: String
        /// The time of the lesson.
        public var taughtAt: Timestamp
        /// Seconds that count.
        public var seconds: Double
        /// The number of packets received by all nodes.
        public var packets: Int
        /// The walk that it is a part of, if it is one.
        public var walk: String?
        /// The reasons why nodes are left out of it, such as `kitchen: another adapter`.
        public var leftOut: [String] = []

        /// A lesson without left-out nodes.
        public init(
            id: String, item: String, room: String, taughtAt: Timestamp, seconds: Double, packets: Int, walk: String?
        ) {
            self.id = id
            self.item = item
            self.room = room
            self.taughtAt = taughtAt
            self.seconds = seconds
            self.packets = packets
            self.walk = walk
        }
    }

    /// A lesson that exists but isn't used.
    public struct LeftOut: Hashable, Sendable {
        /// The item that taught.
        public var item: String
        /// The room that it was in.
        public var room: String
        /// The time of the lesson.
        public var taughtAt: Timestamp
        /// Seconds that it lasted.
        public var seconds: Double
        /// The reason why it isn't used, as text.
        public var why: String

        /// A lesson by all its values.
        public init(item: String, room: String, taughtAt: Timestamp, seconds: Double, why: String) {
            (self.item, self.room, self.taughtAt) = (item, room, taughtAt)
            (self.seconds, self.why) = (seconds, why)
        }
    }

    /// One room.
    public struct Room: Hashable, Sendable {
        /// Its id.
        public var id: String
        /// Seconds of lessons that count.
        public var seconds: Double
        /// The rooms that a door leads to.
        public var nextTo: [String] = []
        /// A Boolean value that is true if it must be taught again, since a node of its lessons has changed.
        public var isStale = false
        /// The share of seconds that were estimated right by a model trained without them; nil if it isn't known.
        public var right: Double?
        /// The most frequent wrong estimate for it.
        public var takenFor: String?

        /// A room by its lessons.
        public init(id: String, seconds: Double) {
            self.id = id
            self.seconds = seconds
        }
    }

    /// The lessons, the oldest first.
    public var lessons: [Lesson] = []
    /// Lessons that exist but aren't used, the oldest first; at most 500.
    public var leftOut: [LeftOut] = []
    /// All rooms of the house.
    public var rooms: [Room] = []
    /// Lessons that go on now.
    public var running: [LessonReport] = []
    /// A Boolean value that is true while a model is being trained from them, so that `right` will change.
    public var isLearning = false
    /// A Boolean value that is true if the fuser stores them in a state database.
    public var isKept = true
    /// The share of seconds that were estimated right, over all rooms; nil if fewer than two rooms were taught.
    public var right: Double?

    /// A house without lessons.
    public init() {}
}
