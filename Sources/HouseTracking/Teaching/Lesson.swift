public import Bytes
public import RoomEstimation

/// The packets of an item during a time for which a person has stated its room. It never changes.
///
/// Nodes and rooms go by their ids, so that a lesson outlives a restart in which their indices change.
public struct Lesson: Hashable, Sendable {
    /// A node as it was then: another adapter, or another place, receives otherwise.
    public struct Node: Hashable, Sendable {
        /// Its id.
        public var id: String
        /// The address of its adapter; nil if it published none.
        public var address: String?
        /// The room that it was in; nil if that was unknown.
        public var room: String?
        /// The offset that it added to its levels, in dB.
        public var offset: Int

        /// A node as it is.
        public init(id: String, address: String?, room: String?, offset: Int) {
            self.id = id
            self.address = address
            self.room = room
            self.offset = offset
        }
    }

    /// The packets of one node in one interval.
    public struct Reading: Hashable, Sendable {
        /// The node, by its place in `nodes`.
        public var node: UInt16
        /// The mean level in hundredths of dBm.
        public var level: Int16
        /// Packets.
        public var count: UInt16
    }

    /// One interval.
    public struct Second: Hashable, Sendable {
        /// Its end, in milliseconds since the lesson's `from`.
        public var end: UInt32
        /// The nodes that published their observations of it, by their places in `nodes`.
        public var listening: NodeSet
        /// The readings, by ascending node.
        public var readings: [Reading]
    }

    /// Its name for people: a number that no lesson of this fuser had before. Another fuser may know it by another one.
    public var id: String
    /// The item that taught.
    public var item: String
    /// The room that it was in.
    public var room: String
    /// The walk that it is a part of; nil for one that stands alone.
    public var walk: String?
    /// The wall clock's time at its end.
    public var taughtAt: Timestamp
    /// Its begin and its end on the clock of the house.
    public var from: Timestamp, to: Timestamp
    /// The nodes that received packets or listened.
    public var nodes: [Node]
    /// The intervals that count, in order of time; those without a packet included.
    public var hops: [Second]

    /// Its name among fusers: an item is taught one thing at a time.
    public var key: String { "\(item)-\(taughtAt.microseconds / 1000)" }

    /// Packets received by all nodes.
    public var packets: Int { hops.reduce(0) { $0 + $1.readings.reduce(0) { $0 + Int($1.count) } } }
    /// Intervals with at least one packet.
    var heard: Int { hops.count { !$0.readings.isEmpty } }
    /// Seconds from its begin to its end.
    public var seconds: Double { to.seconds(since: from) }

    /// A lesson of all its values.
    public init(
        id: String, item: String, room: String, walk: String?, taughtAt: Timestamp, from: Timestamp, to: Timestamp,
        nodes: [Node], hops: [Second]
    ) {
        self.id = id
        self.item = item
        self.room = room
        self.walk = walk
        self.taughtAt = taughtAt
        self.from = from
        self.to = to
        self.nodes = nodes
        self.hops = hops
    }
}
