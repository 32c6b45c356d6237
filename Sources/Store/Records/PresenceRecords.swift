public import Bytes

/// A region's state, to be restored.
public struct RegionRecord: Hashable, Sendable {
    /// A beacon that is inside.
    public struct Beacon: Hashable, Sendable {
        /// Its canonical id or item.
        public var id: String
        /// The time of its last packet.
        public var lastHeard: Timestamp

        /// A beacon by all its values.
        public init(id: String, lastHeard: Timestamp) {
            self.id = id
            self.lastHeard = lastHeard
        }
    }

    /// The region's id.
    public var id: String
    /// The state, such as `inside`.
    public var state: String
    /// The beginning of that state.
    public var since: Timestamp
    /// The time of its last determination; nil before the first one.
    public var determinedAt: Timestamp?
    /// The beacons inside.
    public var beacons: [Beacon]
    /// Further state, in the caller's form.
    public var detail: [UInt8]

    /// A region by all its values.
    public init(
        id: String, state: String, since: Timestamp, determinedAt: Timestamp? = nil, beacons: [Beacon] = [],
        detail: [UInt8] = []
    ) {
        self.id = id
        self.state = state
        self.since = since
        self.determinedAt = determinedAt
        self.beacons = beacons
        self.detail = detail
    }
}

/// The learned cadence of a beacon.
public struct CadenceRecord: Hashable, Sendable {
    /// The beacon's canonical id.
    public var beacon: String
    /// The cadence, in the caller's form.
    public var bytes: [UInt8]
    /// The time of the learning.
    public var at: Timestamp

    /// A cadence by all its values.
    public init(beacon: String, bytes: [UInt8], at: Timestamp) {
        self.beacon = beacon
        self.bytes = bytes
        self.at = at
    }
}

/// The visit for which an offer was made: once a visit, and not again after a restart. Never the offer itself.
public struct OfferRecord: Hashable, Sendable {
    /// The region (or item) of the offer.
    public var region: String
    /// The visit's id.
    public var visit: String
    /// The time of the offer.
    public var at: Timestamp

    /// An offer by all its values.
    public init(region: String, visit: String, at: Timestamp) {
        self.region = region
        self.visit = visit
        self.at = at
    }
}
