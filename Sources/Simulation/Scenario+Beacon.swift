public import Advertising
public import BeaconFrames

extension Scenario {
    /// A transmitter, fixed or carried.
    public struct Beacon: Hashable, Sendable {
        /// The item's id: `[a-z0-9_-]+`; not `away` or `unknown`.
        public var id: String
        /// The frames that it sends.
        public var kind: Kind
        /// The address that it sends from.
        public var address: Address
        /// Seconds between advertisements, before the standard's random delay of up to 10 ms; 0.02 … 60.
        public var interval: Double
        /// The level in dBm at a receiver without an offset at 1 m in the open, −100 … 20.
        public var power: Double
        /// The power in dBm at 1 m in its frames; nil: the rounded `power`.
        public var claimedPower: Int8?
        /// The place of the beacon.
        public var place: Place
        /// Seconds between Eddystone-TLM frames, each in place of an advertisement, 1 … 86,400; nil: none.
        public var telemetryInterval: Double?

        /// A beacon.
        public init(
            id: String, kind: Kind, address: Address = .derived, interval: Double = 1, power: Double = -59,
            claimedPower: Int8? = nil, place: Place, telemetryInterval: Double? = nil
        ) {
            self.id = id
            self.kind = kind
            self.address = address
            self.interval = interval
            self.power = power
            self.claimedPower = claimedPower
            self.place = place
            self.telemetryInterval = telemetryInterval
        }
    }

    /// The frames of a beacon.
    public enum Kind: Hashable, Sendable {
        /// An iBeacon frame.
        case iBeacon(uuid: BeaconUUID, major: UInt16, minor: UInt16)
        /// An AltBeacon frame.
        case altBeacon(company: UInt16, uuid: BeaconUUID, major: UInt16, minor: UInt16)
        /// An Eddystone-UID frame; only the low 48 bits of `instance` are used.
        case eddystoneUID(namespace: EddystoneUID.Namespace, instance: UInt64)
        /// No frame: an advertisement with flags alone.
        case addressOnly
    }

    /// The address that a beacon sends from.
    public enum Address: Hashable, Sendable {
        /// A random static address made from the seed and the beacon's id.
        case derived
        /// A constant address, public or random.
        case fixed(DeviceAddress)
        /// A new non-resolvable private address every so many seconds, 1 … 86,400.
        case rotating(period: Double)
    }

    /// The place of a beacon.
    public enum Place: Hashable, Sendable {
        /// A constant place, in metres.
        case fixed(Point)
        /// With a walker (its id), worn in a way, `height` metres above the floor (0 … 2.5).
        case carried(by: String, worn: Worn, height: Double = 1)
    }

    /// The side of its walker on which a beacon is worn. The body shadows the other side.
    public enum Worn: String, Hashable, Sendable, CaseIterable {
        /// On the chest, in the walker's heading.
        case front
        /// On the back or in a rucksack.
        case back
        /// In a trouser pocket, on the right.
        case pocket
    }
}
