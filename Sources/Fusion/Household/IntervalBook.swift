internal import Bytes
internal import Sightings

/// Windows and scans of the intervals that are not weighed yet, by their ends.
///
/// An interval is weighed once, when the `scan`s of all live nodes have come or when they had `patience` for it. That
/// begins with the first word of it: where all messages are late alike, as on a slow network, each still finds the others.
struct IntervalBook: Sendable {
    /// Microseconds after its end, and after its first message, for which an interval waits for its `scan`s.
    static let patience: Int64 = 300_000
    /// Intervals kept open at once; the oldest is weighed before its time when another comes.
    static let capacity = 64
    /// Windows kept at once over all open intervals; others are counted and left out.
    static let windowCapacity = 1_000_000

    /// What one node said of one item.
    struct Hearing: Sendable {
        var node: Int
        var level: Double?
        var count: Int
        var expected: Double?
        var distance: Double?
        var epoch: String
        var seq: UInt64
        var length: Int64
    }

    struct Interval: Sendable {
        /// When the first word of it came.
        let opened: Timestamp
        let end: Timestamp
        var hearings: [Int: [Hearing]] = [:]
        var scanned = NodeSet()
        var length: Int64 = 1_000_000
        var windows = 0

        /// Until when it waits for those that haven't told.
        var due: Timestamp { max(end, opened).advanced(byMicroseconds: IntervalBook.patience) }
    }

    /// In order of their ends.
    private(set) var intervals: [Interval] = []
    /// The end of the last interval that was weighed.
    private(set) var weighed: Timestamp?
    private var windows = 0
    /// Windows and scans that came after their interval was weighed.
    private(set) var late: UInt64 = 0
    /// Windows left out for want of room.
    private(set) var dropped: UInt64 = 0

    mutating func add(_ hearing: Hearing, item: Int, end: Timestamp, at time: Timestamp) {
        guard windows < Self.windowCapacity else {
            dropped += 1
            return
        }
        guard let place = open(end, at: time) else { return }
        // A window that comes twice is the same window.
        let isKnown = intervals[place].hearings[item]?.contains { $0.node == hearing.node } ?? false
        guard !isKnown else { return }
        intervals[place].hearings[item, default: []].append(hearing)
        intervals[place].windows += 1
        windows += 1
    }

    mutating func add(scanOf node: Int, from: Timestamp, to end: Timestamp, at time: Timestamp) {
        guard let place = open(end, at: time) else { return }
        intervals[place].scanned.insert(node)
        intervals[place].length = end.microseconds(since: from)
    }

    /// Forgets what is open and what was weighed; the counts go on.
    mutating func startAnew() {
        intervals = []
        weighed = nil
        windows = 0
    }

    /// When the oldest interval is weighed at the latest; nil where none waits.
    var nextDeadline: Timestamp? { intervals.first?.due }

    /// Takes out the oldest interval where it is ready at `time`: complete by the live nodes, or waited for long enough.
    mutating func take(at time: Timestamp, live: [NodeTable.Node]) -> Interval? {
        guard let first = intervals.first else { return nil }
        let isDue = time >= first.due || intervals.count > Self.capacity
        // While no node is known to live, as at the start, each may be the first of several.
        let isComplete = time >= first.end && !live.isEmpty && live.allSatisfy { first.scanned.contains($0.index) }
        guard isDue || isComplete else { return nil }
        intervals.removeFirst()
        windows -= first.windows
        weighed = first.end
        return first
    }

    /// Where the interval that ended at `end` stands; nil where it has been weighed already.
    private mutating func open(_ end: Timestamp, at time: Timestamp) -> Int? {
        if let weighed, end <= weighed {
            late += 1
            return nil
        }
        var place = intervals.count
        while place > 0, intervals[place - 1].end > end { place -= 1 }
        if place > 0, intervals[place - 1].end == end { return place - 1 }
        intervals.insert(Interval(opened: time, end: end), at: place)
        return place
    }
}
