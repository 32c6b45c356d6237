public import Bytes
public import HouseTracking
internal import RoomEstimation
public import WireProtocol

/// What has come of a stretch of time: to be kept in one transaction before its events are told.
public struct FuserEffects: Sendable {
    /// An event of an item. Its epoch and number are the store's to give.
    public struct Event: Hashable, Sendable {
        /// The item's id.
        public var item: String
        /// What happened.
        public var event: ItemEvent
    }

    /// Where an item is from a moment on.
    public struct Stay: Hashable, Sendable {
        /// The item's id.
        public var item: String
        /// The room, or `away`; nil where nobody knows.
        public var room: String?
        /// When it began, and the stay before ended.
        public var from: Timestamp
        /// The probability that the room is right.
        public var confidence: Double
    }

    /// Events, in their order.
    public var events: [Event] = []
    /// Retained messages that speak of those events: published behind them, so that none stands whose event never came.
    public var states: [Message] = []
    /// Stays, in their order.
    public var stays: [Stay] = []
    /// What happened at nodes, in its order …
    var journal: [NodeJournal.Entry] = []
    /// … and how far their events were taken with that, in its order.
    var positions: [NodeJournal.Change] = []
    /// Lessons that were taught and undone, in their order.
    public var lessons: [LessonChange] = []
    /// The keys of all lessons that must not come back; nil where that is nothing new.
    public var undone: [String]?
    /// The latest confidence of each item whose answer was told.
    public var confidences: [String: Double] = [:]
    /// What alerts are to remember from now on; nil where that is nothing new.
    public var alerts: String?
    /// What is to be remembered from now on of persons of whom that is something new.
    public var persons: [PersonMemory] = []
    /// Persons of whom nothing is to be remembered any more.
    public var gonePersons: [String] = []
    /// What is to be remembered of items and nodes.
    public var record = HouseholdRecord()

    /// Nothing.
    public init() {}

    /// True if there is nothing to be stored. Each property that `FuserMemory` writes needs a term here: without it the property
    /// alone causes no write, and is lost.
    public var isEmpty: Bool {
        events.isEmpty && stays.isEmpty && lessons.isEmpty && undone == nil && alerts == nil && record.items.isEmpty
            && record.nodes.isEmpty && record.goneNodes.isEmpty && persons.isEmpty && gonePersons.isEmpty
            && journal.isEmpty && positions.isEmpty
    }
}
