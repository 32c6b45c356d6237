internal import Bytes
internal import HouseTracking
internal import Identity
internal import WireProtocol

/// A call of a component: its time, its outputs, and the questions that it may ask of the other components.
struct Turn {
    /// The wall time.
    let wall: Timestamp
    private let house: FuserHouse

    init(at wall: Timestamp, in house: FuserHouse) { (self.wall, self.house) = (wall, house) }

    /// The time in the house.
    var time: Timestamp { house.time.time(atWall: wall) }
    /// The clock of the house.
    var clock: HouseTime { house.time }
    /// The fuser's own names.
    var identity: FuserIdentity { house.identity }
    /// The messages and records that go out.
    var publication: Publication { house.publication }
    /// The messages to the operator.
    var diagnostics: Diagnostics { house.diagnostics }

    /// The registered items.
    var items: any ItemDirectory { house.items }
    /// The items that are tracked.
    var tracker: any ItemTracker { house.tracker }
    /// The persons.
    var persons: any PersonDirectory { house.persons }
    /// The lessons that the broker retains.
    var lessons: any LessonDirectory { house.lessons }
    /// The rooms.
    var rooms: any RoomDirectory { house.rooms }

    /// True if this fuser publishes of an item or a room. An item and its room have different shards: ask for each.
    func serves(_ id: String) -> Bool { house.publication.serves(id) }

    /// True if this fuser reads the windows of an item.
    func follows(_ id: String) -> Bool { house.followed.contains(level: id) }

    /// Publishes an outcome, and emits it as a fact.
    func publish(_ outcome: Household.Outcome) {
        publication.publish(outcome)
        emit { $0.outcomePublished(outcome, self) }
    }

    /// Passes a fact to all components, in their order, before the call returns.
    func emit(_ fact: (any HouseObserver) -> Void) {
        for component in house.components { fact(component) }
    }

    /// Erases an item's data in all components; returns the numbers of what was erased.
    func eraseData(_ erasure: Erasure) -> PurgeReport {
        house.components.reduce(into: PurgeReport()) { report, component in
            let part = component.eraseData(erasure, self)
            report.lessons += part.lessons
            report.messages += part.messages
        }
    }
}

/// The components of a fuser, and what they share.
final class FuserHouse {
    let identity: FuserIdentity
    let time = HouseTime()
    let publication: Publication
    let items: any ItemDirectory
    let tracker: any ItemTracker
    let persons: any PersonDirectory
    let lessons: any LessonDirectory
    let rooms: any RoomDirectory
    let diagnostics = Diagnostics()
    /// The shards whose windows this fuser reads.
    var followed: ShardSet
    /// All components, in the order in which they are called.
    let components: [any FuserComponent]

    init(
        _ identity: FuserIdentity, publication: Publication, items: any ItemDirectory,
        tracker: any ItemTracker, persons: any PersonDirectory, lessons: any LessonDirectory,
        rooms: any RoomDirectory, followed: ShardSet, components: [any FuserComponent]
    ) {
        self.followed = followed
        (self.identity, self.publication) = (identity, publication)
        (self.items, self.tracker, self.persons, self.lessons) = (items, tracker, persons, lessons)
        (self.rooms, self.components) = (rooms, components)
    }
}

/// The names of a fuser, which do not change while it runs.
struct FuserIdentity: Sendable {
    /// Its id.
    let name: String
    /// The id of this run's counts.
    let epoch: String
    /// The shards that it is there for.
    let shards: ClosedRange<UInt8>
    /// The topics that it reads and publishes.
    let topics: Topics
    /// The names that it had before: what was published under them is its own now.
    let formerNames: Set<String>

    /// True if it is there for an item or a room.
    func covers(_ id: String) -> Bool { shards.contains(Topics.shardNumber(of: id)) }

    /// True for its own name, and for one that it had before.
    func isOwn(_ publisher: String) -> Bool { publisher == name || formerNames.contains(publisher) }
}

/// Answers about the registered items.
protocol ItemDirectory: AnyObject {
    /// The entry of an item; nil if there is none.
    func entry(_ item: String) -> ItemEntry?
    /// True if an item is registered.
    func isRegistered(_ item: String) -> Bool
    /// True if an item was removed in this run: nothing is published of it.
    func isWithdrawn(_ item: String) -> Bool
    /// True if the registry says that an item was removed. The broker may have lost, or not yet sent, the entry of others.
    func isRemoved(_ item: String) -> Bool
    /// The registry, to read.
    var book: RegistryBook { get }
}

/// Answers about the tracked items, and the numbers of their events.
protocol ItemTracker: AnyObject {
    /// True while answers are remembered that no node has confirmed yet.
    var isWaiting: Bool { get }
    /// The time of an item's last packet; nil if there was none.
    func lastHeard(of item: String) -> Timestamp?
    /// True if a packet of the item was ever processed.
    func hasHeard(of item: String) -> Bool
    /// The items in a room, in order.
    func items(in room: String) -> [String]
    /// The ids of all rooms.
    var rooms: [String] { get }
    /// True if there is a room of this id.
    func hasRoom(_ room: String) -> Bool
    /// The room of a node by configuration; nil if there is none.
    func configuredRoom(ofNode node: String) -> String?
    /// The other fuser that last published an item's location; nil if there is none.
    func publisher(of item: String) -> String?
    /// The lessons that are held …
    var lessons: [Lesson] { get }
    /// … the keys of those that were undone …
    var undoneLessons: [String] { get }
    /// … and whether a lesson was.
    func isUndone(_ lesson: Lesson) -> Bool
    /// Forgets that lessons of these keys were undone.
    func forgetUndoneLessons(_ keys: Set<String>)

    /// Numbers an event of an item or a person that is not an item's move; another fuser's answer may have counted it for the
    /// item or the person.
    func countEvent(of item: String, isCounted: Bool, at time: Timestamp) -> (seq: UInt64, itemSeq: UInt64)
    /// The number of the last event of an item or a person; 0 before the first.
    func eventCount(of item: String) -> UInt64
    /// The number of the last event that an item's answers and moves had; 0 before the first.
    func moveCount(of item: String) -> UInt64
    /// Adopts another fuser's event count of a person.
    func adopt(eventCount: UInt64, of person: String, at time: Timestamp)

    /// Adds a node of another system in its room; false if there is no room for it.
    func addNode(external node: String, in room: String) -> Bool
    /// Removes a node of another system; false if it cannot go.
    func remove(external node: String) -> Bool
    /// Records the online state of a node of another system.
    func receive(isOnline: Bool, ofExternal node: String)
    /// The nodes of an earlier run that are another system's, by the prefixes of their ids.
    func adopt(externalNodes prefixes: [String]) -> [String]
    /// The length of the house's intervals.
    var intervalLength: Duration { get }
}

/// Answers about the persons of the configuration, and about those that only another fuser publishes.
protocol PersonDirectory: AnyObject {
    /// The person of an id; nil if the configuration names none.
    func person(_ id: String) -> Person?
    /// True if the configuration names a person of this id.
    func isPerson(_ id: String) -> Bool
    /// True if what is retained of an id is of a person that the configuration does not name.
    func isUnnamed(_ id: String, _ turn: Turn) -> Bool
    /// The last packet of an item, or of any item of a person.
    func lastHeard(of id: String, _ turn: Turn) -> Timestamp?
}

/// Answers about the lessons that the broker retains.
protocol LessonDirectory: AnyObject {
    /// The keys of the lessons that count.
    var taughtKeys: [String] { get }
}

/// Answers about the rooms that are published.
protocol RoomDirectory: AnyObject {
    /// The rooms that the configuration names.
    var configuredRooms: Set<String> { get }
    /// True if the configuration or one of some nodes names a room.
    func isNamed(_ room: String, byNodes counts: (String) -> Bool) -> Bool
}
