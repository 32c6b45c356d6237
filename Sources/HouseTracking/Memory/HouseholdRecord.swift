public import Bytes
public import WireProtocol

/// What a household remembers, as plain values for a store: all of it, or what is to be put in the place of older rows.
///
///     let record = household.takeRecord(at: now)             // rows that have changed
///     let household = Household(settings: settings, remembering: all)
public struct HouseholdRecord: Hashable, Sendable {
    /// What is remembered of an item.
    public struct Item: Hashable, Sendable {
        /// Its id: the row's key.
        public var id: String
        /// As of which moment.
        public var at: Timestamp
        /// How sure its presence is.
        public var state: Location.State
        /// The room; nil while away or unknown.
        public var room: String?
        /// Since when that is the answer.
        public var since: Timestamp
        /// The room before.
        public var previous: String?
        /// When it was last heard.
        public var heard: Timestamp
        /// Microseconds for which nodes listened and heard nothing of it.
        public var silence: Int64
        /// The number of its last event.
        public var events: UInt64
        /// What is believed of its rooms, in a form of its own.
        public var belief: [UInt8]

        /// A row of all its values.
        public init(
            id: String, at: Timestamp, state: Location.State, room: String?, since: Timestamp, previous: String?,
            heard: Timestamp, silence: Int64, events: UInt64, belief: [UInt8]
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

    /// Where a node stands, by its own word.
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

    /// Until when it had listened; nil where that is as of each item alone.
    public var at: Timestamp?
    /// The items.
    public var items: [Item]
    /// The nodes.
    public var nodes: [Node]
    /// Nodes that are no more: their rows are to go.
    public var goneNodes: [String] = []

    /// A record of these items and nodes.
    public init(items: [Item] = [], nodes: [Node] = []) {
        self.items = items
        self.nodes = nodes
    }
}

/// What a household knows of its own memory.
struct HouseholdMemory: Sendable {
    /// The latest moment of what was taken over from an earlier run and is not confirmed by anybody yet.
    var restored: Timestamp?
    /// Whether an interval has come since then.
    private var hasBegun = false
    /// Nodes whose rooms have changed since they were given out.
    private(set) var movedNodes: Set<String> = []
    /// Nodes that have gone since, and whose rows are still kept.
    private(set) var goneNodes: Set<String> = []
    /// Items whose answers have changed since they were given out, by index.
    private(set) var changed: [Int] = []
    private var isChanged: Set<Int> = []
    /// Where the round of all items stands.
    var next = 0
    /// When it last went on.
    private var round: Timestamp?

    /// Whether an interval is to be left out: the first after a start was told in part before anybody listened, and what is
    /// missing of it would look like silence.
    mutating func skipsPart() -> Bool {
        guard restored != nil, !hasBegun else { return false }
        hasBegun = true
        return true
    }

    /// Whether the round of all items goes on: once a second.
    mutating func takesRound(at time: Timestamp) -> Bool {
        if let round, (0..<1_000_000).contains(time.microseconds(since: round)) { return false }
        round = time
        return true
    }

    /// Notes that a node stands in another room, or is new.
    mutating func note(movedNode node: String) {
        goneNodes.remove(node)
        movedNodes.insert(node)
    }

    /// Notes that a node is no more. Of one whose row was never given out there is none.
    ///
    /// - Parameter isKept: whether there may be one though it has moved since.
    mutating func note(goneNode node: String, isKept: Bool = false) {
        if movedNodes.remove(node) == nil || isKept { goneNodes.insert(node) }
    }

    /// Nodes that have moved or gone since the last call, each by its id.
    mutating func takeNodes() -> (moved: [String], gone: [String]) {
        defer { (movedNodes, goneNodes) = ([], []) }
        return (movedNodes.sorted(), goneNodes.sorted())
    }

    mutating func note(_ index: Int) {
        if isChanged.insert(index).inserted { changed.append(index) }
    }

    mutating func takeChanged() -> [Int] {
        defer {
            changed.removeAll()
            isChanged.removeAll()
        }
        return changed
    }
}
