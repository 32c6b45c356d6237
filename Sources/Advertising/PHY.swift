/// A physical channel's modulation and coding (Core Vol 4 Part E 7.7.65.13). A value of later specifications is
/// preserved.
public struct PHY: RawRepresentable, Hashable, Sendable, BitwiseCopyable {
    /// The number on the wire.
    public let rawValue: UInt8

    /// The PHY of a number on the wire.
    @inlinable
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// One megasymbol a second, supported by all devices.
    public static let le1M = PHY(rawValue: 1)
    /// Two megasymbols a second.
    public static let le2M = PHY(rawValue: 2)
    /// Coded for range; of S=8 if the controller distinguishes the codings.
    public static let leCoded = PHY(rawValue: 3)
    /// Coded with S=2, from controllers that distinguish the codings.
    public static let leCodedS2 = PHY(rawValue: 4)
}
