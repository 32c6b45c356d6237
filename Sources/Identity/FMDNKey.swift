public import BeaconFrames
internal import Bytes
public import Crypto

/// The ephemeral identity key of a Find Hub tag, from which its identifiers are made (Google, "Find Hub Network Accessory
/// Specification" v1.3, "EID computation" and "Hashed flags").
///
/// Time here is the tag's own: its counter of seconds since it was set up.
public struct FMDNKey: Sendable {
    /// The rotation exponent, which the specification fixes.
    public static let exponent: UInt8 = 10
    /// The lifetime of an identifier in seconds.
    public static let period: Int64 = 1 << Int64(exponent)
    /// The largest random delay of a tag's change of identifier, in seconds. It prevents tracking by the time of
    /// change.
    public static let lateness: Int64 = 204
    /// The curves that a tag may use. Frames on secp160r1 are short enough for legacy advertising.
    public static let curves = [PrimeCurve.secp160r1, .secp256r1]

    private let key: AES256

    /// An identity key.
    public init(_ key: AES256) {
        self.key = key
    }

    /// The identifier at a time; nil once in 2¹⁶⁰ times, if there is none. Costs a point multiplication.
    public func identifier(at counter: UInt32, on curve: PrimeCurve) -> FMDNFrame.Identifier? {
        let number = number(at: counter)
        return curve.multiple(number.span).flatMap { FMDNFrame.Identifier($0.x.span) }
    }

    /// The byte that masks the flags beside an identifier. Costs no point multiplication.
    public func mask(at counter: UInt32, on curve: PrimeCurve) -> UInt8 {
        let number = number(at: counter)
        let scalar = curve.scalar(number.span)
        return SHA256.digest(scalar.span).last ?? 0
    }

    /// The frame that a tag of this key sends at a time.
    public func frame(
        at counter: UInt32, on curve: PrimeCurve, battery: FMDNFrame.Battery, isInProtectionMode: Bool
    ) -> FMDNFrame? {
        guard let identifier = identifier(at: counter, on: curve) else { return nil }
        let flags = battery.rawValue << 1 | (isInProtectionMode ? 1 : 0)
        return FMDNFrame(
            identifier: identifier, isInProtectionMode: isInProtectionMode,
            hashedFlags: flags ^ mask(at: counter, on: curve))
    }

    /// The frame with its battery's level, decoded from its flags at a time; nil if the flags are another time's or are
    /// missing. Their check has 6 bits: five that are zero, and the mode, which the frame's type contains as well.
    public func open(_ frame: FMDNFrame, at counter: UInt32) -> FMDNFrame? {
        let curve = Self.curves.first { $0.size == frame.identifier.bytes.count }
        guard let hashed = frame.hashedFlags, let curve else { return nil }
        let flags = hashed ^ mask(at: counter, on: curve)
        guard flags >> 3 == 0, (flags & 1 == 1) == frame.isInProtectionMode else { return nil }
        var opened = frame
        opened.battery = FMDNFrame.Battery(rawValue: flags >> 1)
        return opened
    }

    /// The pseudorandom number of 256 bits for a time: two blocks, ciphered one by one.
    private func number(at counter: UInt32) -> [UInt8] {
        let start = UInt64(counter) & ~UInt64(Self.period - 1)
        let low = UInt64(Self.exponent) << 32 | start
        var number: [UInt8] = []
        for block in [AESBlock(high: .max, low: 0xFFFF_FF00_0000_0000 | low), AESBlock(high: 0, low: low)] {
            let cipher = key.encrypt(block)
            number.append(bigEndian: cipher.high)
            number.append(bigEndian: cipher.low)
        }
        return number
    }
}
