internal import CCrypto

/// An expanded key of AES-256 (FIPS 197), by libcrypto's `AES_set_encrypt_key` and `AES_encrypt`.
///
/// Encrypts only, like ``AES128``. The key can't be read back, and its description doesn't contain it.
public struct AES256: Sendable, CustomStringConvertible {
    /// The bytes of a key.
    public static let keySize = 32

    private let schedule: AES_KEY

    /// Expands a key of 32 bytes; nil for any other number of bytes.
    public init?(_ key: Span<UInt8>) {
        guard key.count == Self.keySize else { return nil }
        var schedule = AES_KEY()
        // Fails only for null pointers and for other sizes than the three of AES.
        unsafe key.withUnsafeBytes { bytes in
            _ = unsafe AES_set_encrypt_key(bytes.baseAddress, 256, &schedule)
        }
        self.schedule = schedule
    }

    /// Encrypts one block. Doesn't block and allocates nothing.
    public func encrypt(_ block: AESBlock) -> AESBlock {
        let input = (block.high.bigEndian, block.low.bigEndian)
        var output: (high: UInt64, low: UInt64) = (0, 0)
        unsafe withUnsafeBytes(of: input) { input in
            unsafe withUnsafeMutableBytes(of: &output) { output in
                unsafe withUnsafePointer(to: schedule) { schedule in
                    unsafe AES_encrypt(input.baseAddress, output.baseAddress, schedule)
                }
            }
        }
        return AESBlock(high: UInt64(bigEndian: output.high), low: UInt64(bigEndian: output.low))
    }

    /// A constant text, since keys are not printed.
    public var description: String { "an AES-256 key" }
}
