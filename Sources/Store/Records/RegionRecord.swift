public import Bytes

/// A region's state as it is to be restored.
public struct RegionRecord: Hashable, Sendable {
    /// A beacon that is inside.
    public struct Beacon: Hashable, Sendable {
        /// Its canonical id or item.
        public var id: String
        /// When it was last heard.
        public var lastHeard: Timestamp

        /// A beacon by all its values.
        public init(id: String, lastHeard: Timestamp) {
            self.id = id
            self.lastHeard = lastHeard
        }
    }

    /// The region's id.
    public var id: String
    /// Such as `inside`.
    public var state: String
    /// Since when it is in that state.
    public var since: Timestamp
    /// When it was last determined, if ever.
    public var determinedAt: Timestamp?
    /// The beacons inside.
    public var beacons: [Beacon]
    /// Whatever else the caller keeps of it, in its own form.
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
