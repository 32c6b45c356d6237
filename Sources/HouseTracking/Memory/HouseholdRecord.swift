public import Bytes
public import WireProtocol

/// The stored state of a household, as plain values for a store: all of it, or the rows that replace older ones.
///
///     let record = household.takeRecord(at: now)             // rows that have changed
///     let household = Household(settings: settings, remembering: all)
public struct HouseholdRecord: Hashable, Sendable {
    /// The stored state of an item.
    public struct Item: Hashable, Sendable {
        /// Its id: the row's key.
        public var id: String
        /// The time of the row.
        public var at: Timestamp
        /// The state of its presence.
        public var state: Location.State
        /// The room; nil while away or unknown.
        public var room: String?
        /// The time since which that is the answer.
        public var since: Timestamp
        /// The room before.
        public var previous: String?
        /// The time of its last packet.
        public var heard: Timestamp
        /// The time for which nodes listened and received no packet of it.
        public var silence: Duration
        /// The number of its last event.
        public var events: UInt64
        /// The belief about its rooms, in a format of its own.
        public var belief: [UInt8]

        /// A row of all its values.
        public init(
            id: String, at: Timestamp, state: Location.State, room: String?, since: Timestamp, previous: String?,
            heard: Timestamp, silence: Duration, events: UInt64, belief: [UInt8]
        ) {
            self.id = id
            self.at = at
            self.state = state
            self.room = room
            self.since = since
            self.previous = previous
            self.heard = heard
            self.silence = silence
            self.events = events
            self.belief = belief
        }
    }

    /// The room of a node, as the node published it.
    public struct Node: Hashable, Sendable {
        /// Its id: the row's key.
        public var id: String
        /// Its room.
        public var room: String

        /// A row of all its values.
        public init(id: String, room: String) {
            self.id = id
            self.room = room
        }
    }

    /// The end of the last interval with a listening node; nil if each item's own time applies.
    public var at: Timestamp?
    /// The items.
    public var items: [Item]
    /// The nodes.
    public var nodes: [Node]
    /// Nodes that no longer exist: their rows are to be deleted.
    public var goneNodes: [String] = []

    /// A record of these items and nodes.
    public init(items: [Item] = [], nodes: [Node] = []) {
        self.items = items
        self.nodes = nodes
    }
}

/// The bookkeeping of a household about its stored rows.
struct HouseholdMemory: Sendable {
    /// The latest time among the answers restored from an earlier run that no node has confirmed yet.
    var restored: Timestamp?
    /// True if an interval has come since then.
    private var hasBegun = false
    /// Nodes whose rooms have changed since they were last returned.
    private(set) var movedNodes: Set<String> = []
    /// Nodes removed since, whose rows are still stored.
    private(set) var goneNodes: Set<String> = []
    /// Items whose answers have changed since they were last returned, by index.
    private(set) var changed: [Int] = []
    private var isChanged: Set<Int> = []
    /// The position of the round of all items.
    var next = 0
    /// The time of its last step.
    private var round: Timestamp?

    /// True if an interval is to be left out: the first after a start was published in part before this fuser
    /// subscribed, and the missing part would look like silence.
    mutating func skipsFirst() -> Bool {
        guard restored != nil, !hasBegun else { return false }
        hasBegun = true
        return true
    }

    /// True if the round of all items continues: once a second.
    mutating func isRoundDue(at time: Timestamp) -> Bool {
        if let round, (.zero ..< .seconds(1)).contains(time.duration(since: round)) { return false }
        round = time
        return true
    }

    /// Records a node that is in another room, or new.
    mutating func record(movedNode node: String) {
        goneNodes.remove(node)
        movedNodes.insert(node)
    }

    /// Records that a node no longer exists. A node that was never returned has no row.
    ///
    /// - Parameter isKept: true if it may have a row although it has moved since.
    mutating func record(goneNode node: String, isKept: Bool = false) {
        if movedNodes.remove(node) == nil || isKept { goneNodes.insert(node) }
    }

    /// Nodes that have moved or gone since the last call, each by its id.
    mutating func takeNodes() -> (moved: [String], gone: [String]) {
        defer { (movedNodes, goneNodes) = ([], []) }
        return (movedNodes.sorted(), goneNodes.sorted())
    }

    /// Records that the answer of an item has changed.
    mutating func record(changedItem index: Int) {
        if isChanged.insert(index).inserted { changed.append(index) }
    }

    /// Removes and returns the items whose answers have changed.
    mutating func takeChanged() -> [Int] {
        defer {
            changed.removeAll()
            isChanged.removeAll()
        }
        return changed
    }
}
