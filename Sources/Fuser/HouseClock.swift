internal import Bytes
internal import Sightings

/// The time in the house: the wall's, or that of the nodes where they replay or simulate.
struct HouseClock: Sendable {
    /// The clock that a node last told; nil where it lives on the wall's time.
    private(set) var clock: NodeClock?
    /// The latest end of an interval; the time itself where nodes run as fast as they can.
    private(set) var latest: Timestamp?

    /// The latest origin of any clock: a later one begins another recording.
    private var origin: Timestamp?

    /// Takes over the clock of a node's message. Whether it begins another recording, at an earlier time than the last.
    mutating func follow(_ next: NodeClock?, atWall wall: Timestamp) -> Bool {
        guard let next, origin.map({ next.origin > $0 }) ?? true else {
            clock = next
            return false
        }
        let before = clock.map { _ in time(atWall: wall) }
        (origin, latest, clock) = (next.origin, nil, next)
        return before.map { time(atWall: wall) < $0 } ?? false
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
