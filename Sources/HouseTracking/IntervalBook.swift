internal import Bytes
internal import RoomEstimation

/// Windows and scans of the intervals that are not weighed yet, by their ends.
///
/// An interval is weighed once, when the `scan`s of all live nodes have arrived or when no message of it has come for
/// `patience`. That time begins anew with each message: those of a large house take longer to arrive, and if all are late
/// alike, as on a slow network, each still finds the others. It ends `longestWait` after the first message at the latest.
struct IntervalBook: Sendable {
    /// Intervals open at once. A message that would open another is counted and dropped: to weigh the oldest before its
    /// time would make what other nodes still send late.
    static let capacity = 256
    /// Those of them that messages of one node opened: a minute in windows of a second.
    private static let nodeCapacity = 64
    /// Windows held at once over all open intervals; others are counted and dropped.
    static let windowCapacity = 1_000_000
    /// Tables retained for later intervals: one is filled while another is weighed.
    private static let spareCapacity = 2

    struct Interval: Sendable {
        let end: Timestamp
        /// The node whose message opened it.
        let opener: Int
        /// The time until which it waits for the remaining nodes; each message moves it …
        fileprivate(set) var due: Timestamp
        /// … up to this one.
        let latest: Timestamp
        var observations: ObservationTable
        /// The nodes whose messages of it are complete …
        var scanned = NodeSet()
        /// … and those of them that listened, whose silence counts.
        var listening = NodeSet()
        /// Its length by the `scan`s: the longest of the nodes that listened, or of the others if none did.
        fileprivate(set) var length = Parameters.Household.window
        /// The time by which it lengthens a silence: that since the interval before, and its length at most.
        ///
        /// Nodes may have windows of different lengths, and ends of their own. No moment counts twice for that, and
        /// none in which nobody listened.
        fileprivate(set) var elapsed = Parameters.Household.window

        /// True if any node listened.
        var isListened: Bool { listening != NodeSet() }

        /// Adds the `scan` of a node. The length of one that did not listen counts only if none did.
        fileprivate mutating func addScan(of node: Int, length: Duration, isListening: Bool) {
            if scanned == NodeSet() || (isListening && !isListened) {
                self.length = length
            } else if isListening || !isListened {
                self.length = max(self.length, length)
            }
            scanned.insert(node)
            if isListening { listening.insert(node) }
        }
    }

    /// In order of their ends.
    private(set) var intervals: [Interval] = []
    /// The end of the last interval that was weighed.
    private(set) var weighed: Timestamp?
    /// The end of the last of them in which a node listened.
    private var listened: Timestamp?
    private var windows = 0
    /// Tables of intervals that were weighed, for those to come.
    private var spare: [ObservationTable] = []
    /// Windows and scans that arrived after their interval was weighed.
    private(set) var late: UInt64 = 0
    /// Windows and scans dropped because a table was full.
    private(set) var dropped: UInt64 = 0
    /// Windows that arrived twice: the second is the first again.
    private(set) var doubled: UInt64 = 0

    /// Adds a window; false if it is dropped.
    mutating func add(_ observation: ObservationTable.Observation, item: Int, end: Timestamp, at time: Timestamp)
        -> Bool
    {
        guard windows < Self.windowCapacity else {
            dropped += 1
            return false
        }
        guard let place = findOrOpen(end, of: observation.node, at: time) else { return false }
        guard intervals[place].observations.add(observation, of: item) else {
            doubled += 1
            return false
        }
        windows += 1
        return true
    }

    /// Adds a node's `scan`, after which its part of the interval is complete.
    mutating func addScan(of node: Int, from: Timestamp, to end: Timestamp, isListening: Bool, at time: Timestamp) {
        guard let place = findOrOpen(end, of: node, at: time) else { return }
        intervals[place].addScan(of: node, length: end.duration(since: from), isListening: isListening)
    }

    /// Removes the windows of an item from the open intervals.
    mutating func removeObservations(of item: Int) {
        for place in intervals.indices { intervals[place].observations.removeObservations(of: item) }
    }

    /// Drops the open intervals and the end of the last weighed one; the counts continue.
    mutating func startAnew() {
        intervals = []
        (weighed, listened) = (nil, nil)
        windows = 0
    }

    /// The time by which the oldest interval is weighed; nil if there is none.
    var nextDeadline: Timestamp? { intervals.first?.due }

    /// Removes and returns the oldest interval if it is ready at `time`: complete by the live nodes, or waited for long
    /// enough.
    mutating func takeReady(at time: Timestamp, from nodes: NodeTable) -> Interval? {
        guard isReady(at: time, nodes) else { return nil }
        var first = intervals.removeFirst()
        windows -= first.observations.count
        // An interval in which nobody listened takes no time from the silence that the next one finds.
        let before = first.isListened ? listened : weighed
        first.elapsed = min(first.length, before.map { first.end.duration(since: $0) } ?? Parameters.Household.window)
        weighed = first.end
        if first.isListened { listened = first.end }
        return first
    }

    /// True if the oldest interval is ready at `time`.
    func isReady(at time: Timestamp, _ nodes: NodeTable) -> Bool {
        guard !intervals.isEmpty else { return false }
        if time >= intervals[0].due { return true }
        return time >= intervals[0].end && nodes.areAllLive(in: intervals[0].scanned, at: time)
    }

    /// Reuses the memory of an interval that was weighed.
    mutating func recycle(_ table: ObservationTable) {
        if spare.count < Self.spareCapacity { spare.append(table) }
    }

    /// The place of the interval that ended at `end`; nil if it has been weighed already, or if no other can be opened.
    private mutating func findOrOpen(_ end: Timestamp, of node: Int, at time: Timestamp) -> Int? {
        if let weighed, end <= weighed {
            late += 1
            return nil
        }
        var place = intervals.count
        while place > 0, intervals[place - 1].end > end { place -= 1 }
        let due = max(end, time).advanced(by: Parameters.Household.patience)
        if place > 0, intervals[place - 1].end == end {
            intervals[place - 1].due = min(due, intervals[place - 1].latest)
            return place - 1
        }
        guard intervals.count < Self.capacity, intervals.count(where: { $0.opener == node }) < Self.nodeCapacity else {
            dropped += 1
            return nil
        }
        // The caller that returned it may still hold a reference; by the next request that reference is gone.
        var observations = spare.popLast() ?? ObservationTable()
        observations.removeAll()
        let latest = max(end, time).advanced(by: Parameters.Household.longestWait)
        intervals.insert(
            Interval(end: end, opener: node, due: due, latest: latest, observations: observations), at: place)
        return place
    }
}
