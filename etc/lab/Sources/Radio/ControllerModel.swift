public import Advertising

/// What a controller is made to be.
public struct ControllerModel: Sendable {
    /// Which commands it knows.
    public enum Kind: String, Sendable {
        /// Low energy as of Bluetooth 4: the legacy commands.
        case legacy
        /// Low energy as of Bluetooth 5: the extended commands as well, of which a host may use one family only.
        case extended
        /// No low energy.
        case classic
    }

    /// Which commands it knows.
    public var kind: Kind
    /// Whether it hears and sends on the Coded PHY; extended ones only.
    public var coded: Bool
    /// Its public address.
    public var address: DeviceAddress
    /// How many advertising sets it has room for, 1...240.
    public var sets: Int

    /// A controller of these features.
    public init(kind: Kind = .legacy, coded: Bool = false, address: DeviceAddress, sets: Int = 4) {
        self.kind = kind
        self.coded = coded && kind == .extended
        self.address = address
        self.sets = max(1, min(240, sets))
    }

    /// The feature bits that LE Read Local Supported Features tells (Core Vol 6 Part B 4.6).
    var lowEnergyFeatures: UInt64 {
        guard kind == .extended else { return 0 }
        let phy2M: UInt64 = 1 << 8
        let codedPHY: UInt64 = 1 << 11
        let extendedAdvertising: UInt64 = 1 << 12
        return extendedAdvertising | phy2M | (coded ? codedPHY : 0)
    }

    /// The feature bits that Read Local Supported Features tells (Core Vol 2 Part C 3.3).
    var features: UInt64 {
        let classicNotSupported: UInt64 = 1 << 37
        let lowEnergy: UInt64 = 1 << 38
        // A classic one without any feature would look as if it hadn't told them yet.
        let packetsOfThreeAndFiveSlots: UInt64 = 0b11
        return kind == .classic ? packetsOfThreeAndFiveSlots : classicNotSupported | lowEnergy
    }
}
