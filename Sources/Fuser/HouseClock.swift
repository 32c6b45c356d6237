internal import Bytes
internal import WireProtocol

/// The time in the house: the wall's, or that of the nodes if they replay or simulate.
///
/// All nodes of a house share one clock, that of the first that published. A node with another clock is ignored as long
/// as others publish, so that a replay beside real nodes does not change the house's time.
struct HouseClock: Sendable {
    /// The relation of a node's clock to the house's.
    enum Verdict {
        /// It is the house's.
        case same
        /// It is the house's from now on, and earlier than what was: another recording begins.
        case startedAnew
        /// It is not the house's: the node's messages are ignored.
        case other
    }

    /// The wall time after which a silent node does not hold the house to its clock any more.
    private static let memory: Duration = .seconds(10)
    /// The time by which clocks of one house may differ.
    private static let tolerance: Duration = .seconds(60)
    /// Nodes known at once; others are checked each time as if they were new.
    private static let capacity = 1024

    /// The house's clock; nil if its time is the wall's.
    private(set) var clock: NodeClock?
    /// The latest end of an interval; the time itself if nodes run as fast as they can.
    private var latest: Timestamp?
    /// The nodes of this clock: the clock that each published, and the time of its last message.
    private var followers: [String: (clock: NodeClock?, heard: Timestamp)] = [:]

    /// True once a node has published its clock.
    var isKnown: Bool { !followers.isEmpty }

    /// True if a node's clock is the house's, as its last message with a clock showed.
    func isFollowed(by node: String) -> Bool { followers[node] != nil }

    /// Checks the clock of a node's message that arrived at a wall time.
    mutating func checkClock(_ next: NodeClock?, of node: String, atWall wall: Timestamp) -> Verdict {
        let known = followers[node]
        let others = followers.contains {
            $0.key != node && wall.duration(since: $0.value.heard).magnitude <= Self.memory
        }
        if let known, known.clock == next {
            recordClock(node, next, wall)
            return .same
        }
        // A node that changes its clock begins another recording: alone it takes the house with it.
        let mayJoin = others || known == nil && !followers.isEmpty
        if mayJoin, isSameClock(next, atWall: wall) {
            recordClock(node, next, wall)
            return .same
        }
        guard !others else { return .other }
        let before = followers.isEmpty ? nil : time(atWall: wall)
        followers.removeAll()
        (clock, latest) = (next, nil)
        recordClock(node, next, wall)
        return before.map { time(atWall: wall) < $0 } ?? false ? .startedAnew : .same
    }

    /// Records that an interval ended at `end`.
    mutating func recordEnd(_ end: Timestamp) {
        guard let clock, clock.speed == nil else { return }
        latest = max(latest ?? end, end)
    }

    /// The time in the house at a wall time.
    func time(atWall wall: Timestamp) -> Timestamp {
        guard let clock else { return wall }
        return clock.time(atWall: wall) ?? latest ?? clock.start
    }

    /// The wall time at which it is `time` in the house; nil if only messages move it.
    func wallTime(at time: Timestamp) -> Timestamp? {
        guard let clock else { return time }
        return clock.wallTime(at: time)
    }

    private mutating func recordClock(_ node: String, _ clock: NodeClock?, _ wall: Timestamp) {
        guard followers.count < Self.capacity || followers[node] != nil else { return }
        followers[node] = (clock, wall)
    }

    /// True if a clock shows the house's time, nearly enough.
    private func isSameClock(_ next: NodeClock?, atWall wall: Timestamp) -> Bool {
        guard let clock, let next else { return clock == nil && next == nil }
        guard clock.speed == next.speed else { return false }
        let theirs = next.time(atWall: wall) ?? next.start
        return theirs.duration(since: time(atWall: wall)).magnitude <= Self.tolerance
    }
}
