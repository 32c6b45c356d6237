public import Advertising
public import Crypto

/// Tells whose a resolvable private address is (Core Vol 3 Part H 2.2.2, Vol 6 Part B 1.3.2.2), for many identity
/// resolving keys.
///
/// A new address costs one block cipher a key; what was found, also that it is nobody's, is kept in a table of
/// bounded size that forgets what was heard longest ago, so that an address costs that once for as long as it is
/// heard. Any number of addresses may be one key's at a time.
///
/// An address has 24 bits to check it by: a stranger's is taken for a given key's once in 2²⁴ times, so with n keys
/// and m new strangers' addresses n · m / 16,777,216 mistakes are to be expected. One that fits several keys, of
/// which the chance is n² / 2⁴⁹, is said to be nobody's.
public struct PrivateAddressResolver: Sendable {
    /// How many addresses are kept unless told.
    public static let defaultCapacity = 4_096

    /// Block ciphers since the start: what resolving cost.
    public private(set) var ciphers: UInt64 = 0
    /// Addresses forgotten for newer ones since the start.
    public var evicted: UInt64 { known.evicted }

    private let keys: [AES128]
    private var known: RecencyTable<UInt64, Int32>
    private static let nobody: Int32 = -1

    /// A resolver for these keys, which are known by their places, and for up to `capacity` (at least 1) addresses.
    public init(_ keys: [AES128], capacity: Int = defaultCapacity) {
        self.keys = keys
        known = RecencyTable(capacity: capacity)
    }

    /// The place of the key that an address was made with; nil for other kinds of address and for strangers'.
    public mutating func resolve(_ address: DeviceAddress) -> Int? {
        guard !keys.isEmpty, address.randomSubtype == .resolvable else { return nil }
        let (keys, bits) = (keys, address.bits)
        var ciphers: UInt64 = 0
        let owner = known.withValue(
            forKey: bits,
            initial: {
                ciphers = UInt64(keys.count)
                return Self.owner(of: bits, keys)
            }, { $0 })
        self.ciphers += ciphers
        return owner == Self.nobody ? nil : Int(owner)
    }

    /// The place of the key of an address whose kind nobody told: its digits alone say that it may be a resolvable one.
    public mutating func resolve(_ beacon: BeaconID) -> Int? {
        guard case .address(let bits) = beacon else { return nil }
        return resolve(DeviceAddress(bits, .random))
    }

    /// The random address hash `ah` of the low 24 bits of `random` (Core Vol 3 Part H 2.2.2): 24 bits.
    public static func hash(_ random: UInt32, _ key: AES128) -> UInt32 {
        UInt32(truncatingIfNeeded: key.encrypt(AESBlock(low: UInt64(random & 0xFF_FFFF))).low & 0xFF_FFFF)
    }

    /// The address that a device of this key shows for the low 22 bits of `random`.
    public static func address(_ random: UInt32, _ key: AES128) -> DeviceAddress {
        let random = random & 0x3F_FFFF | 0x40_0000
        return DeviceAddress(UInt64(random) << 24 | UInt64(hash(random, key)), .random)
    }

    private static func owner(of bits: UInt64, _ keys: [AES128]) -> Int32 {
        let random = UInt32(truncatingIfNeeded: bits >> 24)
        let hash = UInt32(truncatingIfNeeded: bits & 0xFF_FFFF)
        var owner = nobody
        for place in keys.indices where Self.hash(random, keys[place]) == hash {
            guard owner == nobody else { return nobody }
            owner = Int32(place)
        }
        return owner
    }
}
