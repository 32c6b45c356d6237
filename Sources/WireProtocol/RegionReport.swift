public import Bytes

/// How a region stands at a node; retained.
public struct RegionReport: Hashable, Sendable {
    /// Whether a beacon is in it, with Core Location's meaning (`CLRegionState`).
    public enum State: String, Hashable, Sendable {
        /// Not known yet.
        case unknown
        /// At least one of its beacons is there.
        case inside
        /// None is.
        case outside
    }

    /// What keeps a region from being watched as promised.
    public enum Problem: String, Hashable, Sendable {
        /// A beacon speaks so seldom that its exit takes longer than 180 s; an `exit_after` of the user's ends that.
        case cadenceTooSlow = "cadence_too_slow"
    }

    /// The most beacons that are named; `count` tells them all.
    public static let beaconBound = 100

    /// Its state.
    public var state: State
    /// Since when; nil while unknown.
    public var since: Timestamp?
    /// When it was determined last; nil before the first time.
    public var determinedAt: Timestamp?
    /// The beacons inside, by item or else canonical id, in order; of many the first `beaconBound`.
    public var beacons: [String]
    /// How many are inside.
    public var count: Int
    /// Seconds of silence after which it is left: as given, else the longest that was learned of a beacon inside.
    public var exitAfter: Double
    /// What keeps it from being watched as promised.
    public var problem: Problem?
    /// Of a region of one item: the alerts about it that stand and were told, by their names.
    public var alerts: [String] = []

    /// The most alerts of one item.
    public static let alertBound = 100

    /// A region that isn't known yet.
    public init(exitAfter: Double) {
        state = .unknown
        beacons = []
        count = 0
        self.exitAfter = exitAfter
    }
}
