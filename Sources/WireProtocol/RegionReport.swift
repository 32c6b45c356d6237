public import Bytes

/// The state of a region at a node; retained.
public struct RegionReport: Hashable, Sendable {
    /// The presence of a beacon in it, with Core Location's meaning (`CLRegionState`).
    public enum State: String, Hashable, Sendable {
        /// Not known yet.
        case unknown
        /// At least one of its beacons is inside.
        case inside
        /// None is.
        case outside
    }

    /// A problem that prevents a region from being watched as specified.
    public enum Problem: String, Hashable, Sendable {
        /// A beacon sends so seldom that its exit takes longer than 180 s; a configured `exit_after` overrides that.
        case cadenceTooSlow = "cadence_too_slow"
    }

    /// The maximum number of beacons that are named; `count` includes all of them.
    public static let beaconBound = 100

    /// Its state.
    public var state: State
    /// The time since which it has this state; nil while unknown.
    public var since: Timestamp?
    /// The time of its last determination; nil before the first.
    public var determinedAt: Timestamp?
    /// The beacons inside, by item or else canonical id, sorted; at most the first `beaconBound`.
    public var beacons: [String]
    /// The number of beacons inside.
    public var count: Int
    /// Seconds of silence after which it is left: as configured, else the longest that was learned of a beacon inside.
    public var exitAfter: Double
    /// A problem that prevents it from being watched as specified.
    public var problem: Problem?
    /// For a region of one item: the names of its open alerts that were published.
    public var alerts: [String] = []

    /// The maximum number of alerts of one item.
    public static let alertBound = 100

    /// A region in its unknown state.
    public init(exitAfter: Double) {
        state = .unknown
        beacons = []
        count = 0
        self.exitAfter = exitAfter
    }
}
