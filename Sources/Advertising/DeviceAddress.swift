import Bytes

/// A Bluetooth device address: 48 bits and the kind of address (Core Vol 6 Part B 1.3).
public struct DeviceAddress: Sendable, BitwiseCopyable {
    /// The kind of an advertiser's address (Core Vol 4 Part E 7.7.65.2 and 7.7.65.13, Address_Type).
    public enum Kind: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
        /// Assigned by the IEEE to the maker.
        case `public` = 0x00
        /// Chosen by the device: see ``DeviceAddress/randomSubtype``.
        case random = 0x01
        /// A public identity that the controller resolved from a private address.
        case publicIdentity = 0x02
        /// A static random identity that the controller resolved from a private address.
        case randomIdentity = 0x03
        /// The advertiser sent no address.
        case anonymous = 0xFF

        /// `public`, `random`, `public_identity`, `random_identity` or `anonymous`.
        public var name: String {
            switch self {
            case .public: "public"
            case .random: "random"
            case .publicIdentity: "public_identity"
            case .randomIdentity: "random_identity"
            case .anonymous: "anonymous"
            }
        }
    }

    /// The meaning of the two most significant bits of a random address (Core Vol 6 Part B 1.3.2).
    public enum RandomSubtype: Hashable, Sendable {
        /// Bits 11: constant at least until the device restarts.
        case `static`
        /// Bits 01: changes; a holder of the identity resolving key can resolve it.
        case resolvable
        /// Bits 00: changes and can't be resolved.
        case nonResolvable
        /// Bits 10: reserved for future use.
        case reserved
    }

    /// The address in the low 48 bits, the byte that is written first in text being the most significant.
    public let bits: UInt64
    /// The kind of address.
    public let kind: Kind

    /// An address of the low 48 bits of `bits`; any others are dropped.
    @inlinable
    public init(_ bits: UInt64, _ kind: Kind) {
        self.bits = bits & 0xFFFF_FFFF_FFFF
        self.kind = kind
    }

    /// The address of an advertiser that sent none.
    public static let anonymous = DeviceAddress(0, .anonymous)

    /// The subtype that a random address's own bits give; nil for any other kind.
    @inlinable
    public var randomSubtype: RandomSubtype? {
        guard kind == .random || kind == .randomIdentity else { return nil }
        return switch bits >> 46 {
        case 0b11: .static
        case 0b01: .resolvable
        case 0b00: .nonResolvable
        default: .reserved
        }
    }
}

extension DeviceAddress: Hashable {
    /// Feeds both parts as one integer: this is the key of hot tables.
    @inlinable
    public func hash(into hasher: inout Hasher) {
        hasher.combine(bits | UInt64(kind.rawValue) << 48)
    }
}

extension DeviceAddress: CustomStringConvertible {
    /// Reads `aa:bb:cc:dd:ee:ff` or twelve digits, of either case; nil for anything else.
    public init?(_ text: some StringProtocol, _ kind: Kind = .public) {
        let length = text.utf8.count
        guard length == 12 || length == 17 else { return nil }
        var bits: UInt64 = 0
        var place = 0
        for character in text.utf8 {
            if length == 17, place % 3 == 2 {
                guard character == UInt8(ascii: ":") else { return nil }
            } else {
                guard let value = Hex.value(character) else { return nil }
                bits = bits << 4 | UInt64(value)
            }
            place += 1
        }
        self.init(bits, kind)
    }

    /// A text such as `aa:bb:cc:dd:ee:ff`.
    public var text: String {
        var ascii: [UInt8] = []
        ascii.reserveCapacity(17)
        for shift in stride(from: 40, through: 0, by: -8) {
            let byte = UInt8(truncatingIfNeeded: bits >> UInt64(shift))
            ascii.append(Hex.digit(byte >> 4))
            ascii.append(Hex.digit(byte))
            if shift > 0 { ascii.append(UInt8(ascii: ":")) }
        }
        return String(decoding: ascii, as: UTF8.self)
    }

    /// A text such as `aabbccddeeff`, the form used in topics.
    public var hex: String { Hex.text(bits, digits: 12) }

    /// The same as ``text``.
    public var description: String { text }
}
