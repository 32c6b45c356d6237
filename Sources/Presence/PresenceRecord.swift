public import Bytes
public import Identity
public import WireProtocol

/// What a monitor remembers, as plain values for a store: all of it, or what changed since it was asked last.
///
///     var record = monitor.takeChanges()   // regions and beacons to be put in the place of their older rows
///     store.write(record)
///     let monitor = RegionMonitor(registry: registry, at: now, restoring: store.read())
public struct PresenceRecord: Hashable, Sendable {
    /// What is remembered of a region.
    public struct Region: Hashable, Sendable {
        /// Its id: the row's key.
        public var id: String
        /// Its members as text: with other members the row is worth nothing.
        public var members: String
        /// Its state.
        public var state: RegionReport.State
        /// Since when; nil while unknown.
        public var since: Timestamp?
        /// When it was determined last; nil before the first time.
        public var determinedAt: Timestamp?
        /// The beacons inside, each of which has a row of its own.
        public var inside: [BeaconID]
        /// While others are still inside: whose packet was the last of those that have left.
        public var lastLeft: BeaconID?
        /// When that packet came.
        public var lastLeftAt: Timestamp?

        /// A row of all its values.
        public init(
            id: String, members: String, state: RegionReport.State, since: Timestamp?, determinedAt: Timestamp?,
            inside: [BeaconID]
        ) {
            self.id = id
            self.members = members
            self.state = state
            self.since = since
            self.determinedAt = determinedAt
            self.inside = inside
        }
    }

    /// What is remembered of a beacon.
    public struct Beacon: Hashable, Sendable {
        /// Its identity: the row's key.
        public var id: BeaconID
        /// When it was heard last.
        public var lastHeard: Timestamp
        /// Microseconds that had been listened in all when it was heard last.
        public var listened: Int64
        /// What is known of its cadence, and so of its exit time.
        public var rule: ExitRule.Record

        /// A row of all its values.
        public init(id: BeaconID, lastHeard: Timestamp, listened: Int64, rule: ExitRule.Record) {
            self.id = id
            self.lastHeard = lastHeard
            self.listened = listened
            self.rule = rule
        }
    }

    /// Until when the monitor had listened: an outage begins there. Written with every change, and every few seconds.
    public var at: Timestamp
    /// Microseconds that had been listened in all by then.
    public var listened: Int64
    /// The regions.
    public var regions: [Region]
    /// The beacons.
    public var beacons: [Beacon]
    /// Regions that are there no more, by their ids.
    public var removedRegions: [String]
    /// Beacons that were forgotten.
    public var removedBeacons: [BeaconID]

    /// A record of these regions and beacons.
    public init(
        at: Timestamp, listened: Int64, regions: [Region] = [], beacons: [Beacon] = [], removedRegions: [String] = [],
        removedBeacons: [BeaconID] = []
    ) {
        self.at = at
        self.listened = listened
        self.regions = regions
        self.beacons = beacons
        self.removedRegions = removedRegions
        self.removedBeacons = removedBeacons
    }
}
