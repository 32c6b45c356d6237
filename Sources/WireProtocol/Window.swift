public import BeaconFrames
public import Bytes

/// The reports of one beacon that one node received in one interval.
public struct Window: Hashable, Sendable {
    /// The levels of the reports that had one, in dBm.
    public struct Levels: Hashable, Sendable {
        /// Their mean.
        public var mean: Double
        /// Their median.
        public var median: Double
        /// The weakest.
        public var minimum: Int
        /// The strongest.
        public var maximum: Int
        /// Their standard deviation; nil for fewer than two.
        public var deviation: Double?

        /// Levels by their figures.
        public init(mean: Double, median: Double, minimum: Int, maximum: Int, deviation: Double?) {
            self.mean = mean
            self.median = median
            self.minimum = minimum
            self.maximum = maximum
            self.deviation = deviation
        }
    }

    /// An estimate of distance, in metres, with the interval in which two of three true distances lie.
    public struct Distance: Hashable, Sendable {
        /// The likeliest.
        public var metres: Double
        /// The lower end of the interval.
        public var low: Double
        /// The upper end of the interval.
        public var high: Double

        /// An estimate with its interval.
        public init(metres: Double, low: Double, high: Double) {
            self.metres = metres
            self.low = low
            self.high = high
        }
    }

    /// The proximity of a beacon, with Core Location's meaning (`CLProximity`).
    public enum Proximity: String, Hashable, Sendable {
        /// Without evidence.
        case unknown
        /// Very close.
        case immediate
        /// In the same part of a room.
        case near
        /// Heard, and farther.
        case far
    }

    /// The number of the node's interval: all windows of one interval and its `scan` share it.
    public var seq: UInt64
    /// The interval's beginning, a multiple of its length on the node's clock.
    public var from: Timestamp
    /// The interval's end, which is not part of it.
    public var to: Timestamp
    /// The receiving node.
    public var node: String
    /// The node's epoch, in which `seq` counts.
    public var epoch: String
    /// The beacon's canonical id.
    public var id: String
    /// The beacon's registered item; nil for others.
    public var item: String?
    /// The number of received reports that carry the frame which gives the id.
    public var count: Int
    /// The number of reports expected from the beacon's learned cadence; nil until it is known.
    public var expected: Double?
    /// Levels; nil if no report had one.
    public var rssi: Levels?
    /// The measured power in use, in dBm at one metre; nil if unknown.
    public var power: Int?
    /// The distance; nil if levels or power are unknown.
    public var distance: Distance?
    /// The proximity.
    public var proximity: Proximity
    /// Readings received with it.
    public var telemetry: Telemetry?
    /// The number of times that an address sent the beacon's frame again after another address had; nil for none, and for
    /// beacons whose addresses are private.
    public var addressReturns: Int?
    /// The web address that the transmitter sent (Eddystone-URL) in the interval; nil for none.
    public var url: String?
    /// The kind of transmitter, if it is known by its address alone and is no item; nil for others.
    public var transmitterClass: TransmitterClass?

    /// True if its id rests on a secret, by which a node resolves a private address or an ephemeral identifier.
    public var isKeyed: Bool { id.hasPrefix("irk:") || id.hasPrefix("eid:") || id.hasPrefix("fmdn:") }

    /// A window with the required fields; the others are absent until set.
    public init(
        seq: UInt64, from: Timestamp, to: Timestamp, node: String, epoch: String, id: String, item: String? = nil,
        count: Int
    ) {
        self.seq = seq
        self.from = from
        self.to = to
        self.node = node
        self.epoch = epoch
        self.id = id
        self.item = item
        self.count = count
        self.proximity = .unknown
    }
}
