public import Advertising
public import Crypto

/// Resolves resolvable private addresses (Core Vol 3 Part H 2.2.2, Vol 6 Part B 1.3.2.2) by many identity resolving
/// keys.
///
/// A new address costs one block cipher a key. The result, also a negative one, is retained in a table of bounded size
/// that evicts the least recently received address, so that an address costs that once for as long as it is received.
/// Any number of addresses may belong to one key at a time.
///
/// An address has 24 bits to check it by: a stranger's matches a given key once in 2²⁴ times, so that with n keys and m
/// new strangers' addresses n · m / 16,777,216 errors are expected. One that matches several keys, with a probability
/// of n² / 2⁴⁹, is treated as a stranger's.
public struct PrivateAddressResolver: Sendable {
    /// The default number of retained addresses.
    public static let defaultCapacity = 4_096

    /// Block cipher operations since the start: the cost of resolving.
    public private(set) var ciphers: UInt64 = 0
    /// The number of addresses evicted since the start.
    public var evicted: UInt64 { known.evicted }

    private let keys: [AES128]
    private var known: RecencyTable<UInt64, Int32>
    private static let nobody: Int32 = -1

    /// A resolver for these keys, which are identified by their indices, and for up to `capacity` (at least 1)
    /// addresses.
    public init(_ keys: [AES128], capacity: Int = defaultCapacity) {
        self.keys = keys
        known = RecencyTable(capacity: capacity)
    }

    /// The index of the key of an address; nil for other kinds of address and for strangers'.
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

    /// The index of the key of an address of unknown kind: its digits alone indicate that it may be resolvable.
    public mutating func resolve(_ beacon: BeaconID) -> Int? {
        guard case .address(let bits) = beacon else { return nil }
        return resolve(DeviceAddress(bits, .random))
    }

    /// The random address hash `ah` of the low 24 bits of `random` (Core Vol 3 Part H 2.2.2): 24 bits.
    public static func hash(_ random: UInt32, _ key: AES128) -> UInt32 {
        UInt32(truncatingIfNeeded: key.encrypt(AESBlock(low: UInt64(random & 0xFF_FFFF))).low & 0xFF_FFFF)
    }

    /// The address of a device with this key, made of the low 22 bits of `random`.
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
