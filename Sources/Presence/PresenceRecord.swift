public import Bytes
public import Identity
public import WireProtocol

/// The state of a monitor, as plain values for a store: all of it, or the changes since the last call.
///
///     var record = monitor.takeChanges()   // regions and beacons to be put in the place of their older rows
///     store.write(record)
///     let monitor = RegionMonitor(registry: registry, at: now, restoring: store.read())
public struct PresenceRecord: Hashable, Sendable {
    /// The stored state of a region.
    public struct Region: Hashable, Sendable {
        /// Its id: the row's key.
        public var id: String
        /// Its members as text: the row is invalid for other members.
        public var members: String
        /// Its state.
        public var state: RegionReport.State
        /// The time since which it has this state; nil while unknown.
        public var since: Timestamp?
        /// The time of its last determination; nil before the first.
        public var determinedAt: Timestamp?
        /// The beacons inside, each of which has a row of its own.
        public var inside: [BeaconID]
        /// While others are still inside: the beacon with the last packet of those that have left.
        public var lastLeft: BeaconID?
        /// The time of that packet.
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

    /// The stored state of a beacon.
    public struct Beacon: Hashable, Sendable {
        /// Its identity: the row's key.
        public var id: BeaconID
        /// The time of its last packet.
        public var lastHeard: Timestamp
        /// The listening time at its last packet.
        public var listened: ListeningTime
        /// Its learned cadence, and thereby its exit time.
        public var rule: ExitRule.Record

        /// A row of all its values.
        public init(id: BeaconID, lastHeard: Timestamp, listened: ListeningTime, rule: ExitRule.Record) {
            self.id = id
            self.lastHeard = lastHeard
            self.listened = listened
            self.rule = rule
        }
    }

    /// The time up to which the monitor had listened: an outage begins there. Written with every change, and every few
    /// seconds.
    public var at: Timestamp
    /// The listening time up to then.
    public var listened: ListeningTime
    /// The regions.
    public var regions: [Region]
    /// The beacons.
    public var beacons: [Beacon]
    /// Regions that no longer exist, by their ids.
    public var removedRegions: [String]
    /// Beacons that were removed.
    public var removedBeacons: [BeaconID]

    /// A record of these regions and beacons.
    public init(
        at: Timestamp, listened: ListeningTime, regions: [Region] = [], beacons: [Beacon] = [],
        removedRegions: [String] = [],
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
