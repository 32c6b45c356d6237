/// An expanded key of AES-256 (FIPS 197).
///
/// Encrypts only, like ``AES128``. The key can't be read back, and its description doesn't contain it.
public struct AES256: Sendable, CustomStringConvertible {
    /// The bytes of a key.
    public static let keySize = 32

    private let schedule: AESSchedule

    /// Expands a key of 32 bytes; nil for any other number of bytes.
    public init?(_ key: Span<UInt8>) {
        guard key.count == Self.keySize else { return nil }
        schedule = unsafe key.withUnsafeBytes { unsafe AESSchedule($0) }
    }

    /// Encrypts one block. Doesn't block and allocates nothing.
    public func encrypt(_ block: AESBlock) -> AESBlock { schedule.encrypt(block) }

    /// A constant text, since keys are not printed.
    public var description: String { "an AES-256 key" }
}
