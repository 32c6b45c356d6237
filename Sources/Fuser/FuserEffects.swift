public import Bytes
public import HouseTracking
internal import RoomEstimation
public import WireProtocol

/// The effects of a period, to be stored in one transaction before its events are published.
public struct FuserEffects: Sendable {
    /// An event of an item. The store assigns its epoch and number.
    public struct Event: Hashable, Sendable {
        /// The item's id.
        public var item: String
        /// The event.
        public var event: ItemEvent
        /// False for an event of a purged item, of which the number alone is stored.
        var isKept = true
    }

    /// The place of an item from a moment on.
    public struct Stay: Hashable, Sendable {
        /// The item's id.
        public var item: String
        /// The room, or `away`; nil if it is unknown.
        public var room: String?
        /// The time at which it began, and the stay before ended.
        public var from: Timestamp
        /// The probability that the room is right.
        public var confidence: Double
    }

    /// Readings of an item's beacon, for a long history.
    struct Readings: Hashable, Sendable {
        var item: String
        var at: Timestamp
        /// The readings as they are published.
        var payload: [UInt8]
    }

    /// Events, in their order.
    public var events: [Event] = []
    /// Retained messages about those events: published behind them, so that none is retained whose event never came.
    public var states: [Message] = []
    /// Stays, in their order.
    public var stays: [Stay] = []
    /// Events of nodes, in their order …
    var journal: [NodeJournal.Entry] = []
    /// … and the positions that they reach, in their order.
    var positions: [NodeJournal.Change] = []
    /// Lessons that were added and undone, in their order.
    public var lessons: [LessonChange] = []
    /// Readings, in their order.
    var readings: [Readings] = []
    /// All lessons that were undone; nil if they have not changed.
    public var undone: [UndoneLesson]?
    /// The latest confidence of each item whose answer was published.
    public var confidences: [String: Double] = [:]
    /// The state of the alerts; nil if they have not changed.
    public var alerts: String?
    /// The plan of the house, as on its topic; nil if it has not changed.
    public var plan: String?
    /// The state of persons for whom it has changed.
    public var persons: [PersonMemory] = []
    /// Persons whose state is to be deleted.
    public var gonePersons: [String] = []
    /// The histories of batteries that have changed, by their items …
    public var batteries: [String: String] = [:]
    /// … and items whose history is to be deleted.
    public var goneBatteries: [String] = []
    /// The state of items and nodes.
    public var record = HouseholdRecord()

    /// Nothing.
    public init() {}

    /// True if there is nothing to be stored. Each property that `FuserMemory` writes needs a term here: without it the property
    /// alone causes no write, and is lost.
    public var isEmpty: Bool {
        events.isEmpty && stays.isEmpty && lessons.isEmpty && undone == nil && alerts == nil && record.items.isEmpty
            && record.nodes.isEmpty && record.goneNodes.isEmpty && persons.isEmpty && gonePersons.isEmpty
            && journal.isEmpty && positions.isEmpty && plan == nil && batteries.isEmpty && goneBatteries.isEmpty
            && readings.isEmpty
    }
}
