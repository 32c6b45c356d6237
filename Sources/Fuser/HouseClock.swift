internal import Bytes
internal import Sightings

/// The time in the house: the wall's, or that of the nodes where they replay or simulate.
struct HouseClock: Sendable {
    /// The clock that a node last told; nil where it lives on the wall's time.
    private(set) var clock: NodeClock?
    /// The latest end of an interval; the time itself where nodes run as fast as they can.
    private(set) var latest: Timestamp?

    /// Takes over the clock of a node's message.
    mutating func follow(_ clock: NodeClock?) {
        self.clock = clock
    }

    /// Notes that an interval ended at `end`.
    mutating func reach(_ end: Timestamp) {
        guard let clock, clock.speed == nil else { return }
        latest = max(latest ?? end, end)
    }

    /// The time in the house at a wall time.
    func time(atWall wall: Timestamp) -> Timestamp {
        guard let clock else { return wall }
        return clock.time(atWall: wall) ?? latest ?? clock.start
    }

    /// The wall time at which it is `time` in the house; nil where only messages move it.
    func wall(at time: Timestamp) -> Timestamp? {
        guard let clock else { return time }
        return clock.wall(at: time)
    }
}
