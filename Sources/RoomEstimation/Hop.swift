public import Bytes

/// One interval of one item: what each node heard of it, and which nodes listened.
///
/// All nodes cut their intervals at the same moments, so that the levels of a hop belong to the same packets. What was
/// not heard is absent; nothing stands for it.
public struct Hop: Hashable, Sendable {
    /// What one node heard in the interval.
    public struct Reading: Hashable, Sendable {
        /// The node's index in the house.
        public var node: Int
        /// The mean level of the packets, in dBm.
        public var level: Double
        /// How many packets were heard, 1 or more.
        public var count: Int
        /// How many packets the item's cadence promises in the interval, where it is known.
        public var expected: Double?

        /// A reading; it is judged when it is put into a hop.
        public init(node: Int, level: Double, count: Int, expected: Double? = nil) {
            self.node = node
            self.level = level
            self.count = count
            self.expected = expected
        }
    }

    /// The levels that a radio can report, in dBm (Core 5.4, Vol 4 Part E, 7.7.65.2: -127 to +20).
    public static let levels = -127.0...20.0

    /// When the interval ended.
    public private(set) var end: Timestamp
    /// The readings, by ascending node, one a node.
    public private(set) var readings: [Reading] = []
    /// The nodes whose report of this interval came; nil where nobody tells, as in a plain recording.
    public private(set) var listening: NodeSet?

    /// A hop that ended at `end`. Readings may come in any order.
    public init(end: Timestamp, readings: some Sequence<Reading> = EmptyCollection(), listening: NodeSet? = nil) {
        self.end = end
        self.listening = listening
        for reading in readings { insert(reading) }
    }

    /// Makes this the empty hop of another interval, and keeps its memory.
    public mutating func reset(end: Timestamp, listening: NodeSet? = nil) {
        self.end = end
        self.listening = listening
        readings.removeAll(keepingCapacity: true)
    }

    /// Adds what a node heard; two readings of a node become one, weighed by their counts.
    ///
    /// Returns false, and leaves the reading out, where its level is no level a radio reports, or its count or node is
    /// out of range.
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
    /// Leaves out readings of nodes that a house doesn't have.
    mutating func keep(nodesBelow count: Int) {
        while let last = readings.last, last.node >= count { readings.removeLast() }
    }
}
