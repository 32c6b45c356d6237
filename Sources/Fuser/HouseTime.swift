internal import Bytes
internal import WireProtocol

/// The time in the house, and the corrections of its nodes' clocks.
final class HouseTime {
    private var clock = HouseClock()
    private var offsets = NodeOffsets()

    /// The clock that the nodes share; nil where that is the wall's time.
    var nodeClock: NodeClock? { clock.clock }
    /// True once a node has published its clock.
    var isKnown: Bool { clock.isKnown }

    /// The time in the house at a wall time.
    func time(atWall wall: Timestamp) -> Timestamp { clock.time(atWall: wall) }

    /// The wall time at which it is `time` in the house; nil where only messages move it.
    func wallTime(at time: Timestamp) -> Timestamp? { clock.wallTime(at: time) }

    /// Checks the clock of a node's message that arrived at a wall time.
    func checkClock(_ next: NodeClock?, of node: String, atWall wall: Timestamp) -> HouseClock.Verdict {
        clock.checkClock(next, of: node, atWall: wall)
    }

    /// True if a node's clock is the house's, as its last message with a clock showed.
    func isFollowed(by node: String) -> Bool { clock.isFollowed(by: node) }

    /// Records that an interval ended at `end`.
    func recordEnd(_ end: Timestamp) { clock.recordEnd(end) }

    /// An interval of a node by the house's clock.
    func corrected(_ from: Timestamp, _ to: Timestamp, of node: String) -> (Timestamp, Timestamp) {
        let shift = offsets.shift(of: node)
        return shift == .zero
            ? (from, to) : (from.advanced(by: shift), to.advanced(by: shift))
    }

    /// Checks the end of a node's interval that arrived at a wall time; the microseconds by which the node is behind where
    /// that has been found just now.
    func checkInterval(_ scan: Scan, of node: String, atWall wall: Timestamp) -> Duration? {
        // Where time runs faster, a network's delay is longer.
        guard nodeClock.map({ $0.speed == 1 }) ?? true else { return nil }
        return offsets.checkInterval(
            node, end: scan.to, length: scan.to.duration(since: scan.from), cameAt: time(atWall: wall), wall: wall)
    }
}
