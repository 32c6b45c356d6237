internal import Alerts
internal import Bytes
internal import HouseTracking
internal import WireProtocol

/// A part of the fuser, with a state of its own.
///
/// Components do not know each other. Each is called with a ``Turn``, through which it publishes messages, emits facts that
/// all components observe (``HouseObserver``), and asks ``ItemDirectory``, ``ItemTracker``, ``PersonDirectory``,
/// ``LessonDirectory`` and ``RoomDirectory``. `FuserPipeline` holds the list of components, and calls them in its order.
///
/// What an earlier run stored comes in through a component's initializer. ``AlertPublisher`` is the model to follow.
protocol FuserComponent: HouseObserver {
    /// Begins a connection, on which the broker sends anew what it retains.
    func connected(_ turn: Turn)
    /// Learns that the broker has granted all subscriptions: what it retains and does not send from now on is absent.
    func subscriptionsGranted(_ turn: Turn)
    /// Receives a message of the house; messages that are not its own are ignored.
    func receive(_ message: HouseMessage, _ turn: Turn)
    /// Advances the time.
    func advance(_ turn: Turn)
    /// The wall time by which `advance` must be called; nil while only a message can change anything.
    func nextDeadline(_ house: FuserHouse) -> Timestamp?
    /// Erases an item's data, and clears what is retained of it; the numbers of what was erased.
    func eraseData(_ erasure: Erasure, _ turn: Turn) -> PurgeReport
    /// Adds what is to be stored. Events and messages behind events that are added to `Publication` here come with the next
    /// batch: those of this one have been taken.
    func store(in effects: inout FuserEffects, _ request: StoreRequest, _ turn: Turn)
    /// Marks the whole state as changed, since the stored one is lost.
    func storeEverything(_ turn: Turn)
}

extension FuserComponent {
    func connected(_ turn: Turn) {}
    func subscriptionsGranted(_ turn: Turn) {}
    func receive(_ message: HouseMessage, _ turn: Turn) {}
    func advance(_ turn: Turn) {}
    func nextDeadline(_ house: FuserHouse) -> Timestamp? { nil }
    func eraseData(_ erasure: Erasure, _ turn: Turn) -> PurgeReport { PurgeReport() }
    func store(in effects: inout FuserEffects, _ request: StoreRequest, _ turn: Turn) {}
    func storeEverything(_ turn: Turn) {}
}

/// A change of the shards that this fuser serves.
struct Handover {
    /// The shards that were served before …
    let before: ShardSet
    /// … and those that are from now on.
    let served: ShardSet
    /// The last signs of life of fusers that have gone, by their names, in the time of the house.
    let ends: [String: Timestamp]

    /// The shards that are served and were not.
    var new: ShardSet { served.subtracting(before) }
    /// The shards that were served and are not.
    var lost: ShardSet { before.subtracting(served) }
}

/// An erasure of an item's data.
struct Erasure {
    /// The reason for an erasure, which decides how much of the data goes.
    enum Reason {
        /// The item was removed from the registry: what is retained of it goes, its history and its lessons stay.
        case removal
        /// Its data was purged: what is from before a moment of the house goes; all of it if there is no moment.
        case purge(before: Timestamp?)
    }

    let item: String
    let reason: Reason
    /// True if everything goes, so that nothing is known of the item any more.
    let isWhole: Bool

    /// The moment before which data goes; nil for all.
    var moment: Timestamp? {
        switch reason {
        case .removal: nil
        case .purge(let moment): moment
        }
    }

    /// True for a purge.
    var isPurge: Bool {
        switch reason {
        case .removal: false
        case .purge: true
        }
    }
}

/// A request for what is to be stored.
struct StoreRequest {
    /// True if rows of items and nodes are wanted, as where they outlast the program.
    let remembers: Bool
    /// True at the program's end, when all that differs from what was stored is wanted.
    let isLast: Bool
}
