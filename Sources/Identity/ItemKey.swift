internal import Bytes
public import Crypto

/// A key that resolves or decrypts an item's transmissions. It never leaves the machine that has it.
public enum ItemKey: Sendable {
    /// An identity resolving key (Core Vol 3 Part H 2.4.2.1), for resolvable private addresses.
    case irk(AES128)
    /// The identity key and clock of an Eddystone-EID beacon, for its identifiers and its telemetry.
    case eid(EphemeralResolver.Beacon)
    /// The identity key and clock of a Find Hub tag, for its identifiers and its battery's level.
    case fmdn(FMDNResolver.Beacon)
    /// The bind key of a BTHome device, for the contents of its frames.
    case bthome(BTHomeKey)

    /// Its kind.
    public var kind: Item.KeyKind {
        switch self {
        case .irk: .irk
        case .eid: .eid
        case .fmdn: .fmdn
        case .bthome: .bthome
        }
    }
}

/// The counter of seconds of an Eddystone-EID beacon.
public struct EphemeralClock: Hashable, Sendable {
    /// The rotation exponent K: it changes its identifier every 2ᴷ seconds, 0...15.
    public var exponent: UInt8
    /// The time at which its counter of seconds was 0, in Unix seconds.
    public var origin: Int64

    /// The valid range of an origin: a counter of 32 bits is in range until the year 2100.
    public static let origins: ClosedRange<Int64> = 0...4_102_444_800

    /// A clock of these values.
    public init(exponent: UInt8, origin: Int64) {
        self.exponent = exponent
        self.origin = origin
    }
}

extension EphemeralResolver.Beacon {
    /// A beacon by its identity key and clock; nil for an invalid exponent.
    public init?(_ key: AES128, _ clock: EphemeralClock) {
        guard let key = EphemeralKey(key, exponent: clock.exponent) else { return nil }
        self.init(key: key, counter: 0, reference: Timestamp(microseconds: clock.origin * 1_000_000))
    }

    /// The time at which its counter was 0, in Unix seconds.
    var origin: Int64 { reference.microseconds / 1_000_000 - Int64(counter) }
}
