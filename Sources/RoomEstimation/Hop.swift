public import Bytes

/// One interval of one item: the readings of the nodes, and the nodes that listened.
///
/// All nodes cut their intervals at the same moments, so that the levels of a hop belong to the same packets. A node
/// without a packet has no reading; no value represents it.
public struct Hop: Hashable, Sendable {
    /// A node's reading in the interval.
    public struct Reading: Hashable, Sendable {
        /// The node's index in the house.
        public var node: Int
        /// The mean level of the packets, in dBm.
        public var level: Double
        /// Number of packets received, 1 or more.
        public var count: Int
        /// Number of packets in the interval by the item's cadence, if that is known.
        public var expected: Double?

        /// A reading; it is validated when it is added to a hop.
        public init(node: Int, level: Double, count: Int, expected: Double? = nil) {
            self.node = node
            self.level = level
            self.count = count
            self.expected = expected
        }
    }

    /// The levels that a radio can report, in dBm (Core 5.4, Vol 4 Part E, 7.7.65.2: -127 to +20).
    public static let levels = -127.0...20.0

    /// The end of the interval.
    public private(set) var end: Timestamp
    /// The readings, by ascending node, one a node.
    public private(set) var readings: [Reading] = []
    /// The nodes whose report of this interval was received; nil if there are no reports, as in a plain recording.
    public private(set) var listening: NodeSet?

    /// A hop that ended at `end`. Readings may come in any order.
    public init(end: Timestamp, readings: some Sequence<Reading> = EmptyCollection(), listening: NodeSet? = nil) {
        self.end = end
        self.listening = listening
        for reading in readings { insert(reading) }
    }

    /// Makes this the empty hop of another interval, and retains its memory.
    public mutating func reset(end: Timestamp, listening: NodeSet? = nil) {
        self.end = end
        self.listening = listening
        readings.removeAll(keepingCapacity: true)
    }

    /// Adds a node's reading; two readings of a node become one, weighted by their counts.
    ///
    /// Returns false, and drops the reading, if its level is none that a radio reports, or if its count or node is out
    /// of range.
    @discardableResult
    public mutating func insert(_ reading: Reading) -> Bool {
        guard Self.levels.contains(reading.level), reading.count > 0, reading.count < 1 << 32,
            reading.node >= 0, reading.node <= NodeSet.highest
        else { return false }
        var place = readings.count
        while place > 0, readings[place - 1].node >= reading.node { place -= 1 }
        guard place < readings.count, readings[place].node == reading.node else {
            readings.insert(reading, at: place)
            return true
        }
        let known = readings[place]
        let count = known.count + reading.count
        guard count < 1 << 32 else { return false }
        readings[place].level =
            (known.level * Double(known.count) + reading.level * Double(reading.count)) / Double(count)
        readings[place].count = count
        readings[place].expected = known.expected ?? reading.expected
        return true
    }
}

extension Hop {
    /// Removes readings of nodes that a house does not have.
    mutating func keep(nodesBelow count: Int) {
        while let last = readings.last, last.node >= count { readings.removeLast() }
    }
}
