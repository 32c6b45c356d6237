internal import CCrypto

/// An expanded key of AES-128 (FIPS 197), by libcrypto's `AES_set_encrypt_key` and `AES_encrypt`.
///
/// `EVP_Encrypt` is avoided for the reasons given at ``SHA256``: it would cost 2 MB and a look-up a use. All modes used
/// here only encrypt blocks. The key can't be read back, and its description doesn't contain it.
public struct AES128: Sendable, CustomStringConvertible {
    /// The bytes of a key.
    public static let keySize = 16

    private let schedule: AESSchedule

    /// Expands a key of 16 bytes; nil for any other number of bytes.
    public init?(_ key: Span<UInt8>) {
        guard key.count == Self.keySize else { return nil }
        self.init(AESBlock(key))
    }

    /// Expands a key that is a block itself, such as a temporary key.
    public init(_ key: AESBlock) {
        schedule = unsafe withUnsafeBytes(of: (key.high.bigEndian, key.low.bigEndian)) { unsafe AESSchedule($0) }
    }

    /// Encrypts one block. Doesn't block and allocates nothing.
    public func encrypt(_ block: AESBlock) -> AESBlock { schedule.encrypt(block) }

    /// A constant text, since keys are not printed.
    public var description: String { "an AES-128 key" }
}

/// The expanded key of either size.
struct AESSchedule: Sendable {
    private let key: AES_KEY

    /// Expands a key of 16 or 32 bytes.
    init(_ bytes: UnsafeRawBufferPointer) {
        var key = AES_KEY()
        // Fails only for null pointers and for other sizes than the three of AES.
        _ = unsafe AES_set_encrypt_key(bytes.baseAddress, Int32(8 * bytes.count), &key)
        self.key = key
    }

    /// Encrypts one block. Doesn't block and allocates nothing.
    func encrypt(_ block: AESBlock) -> AESBlock {
        let input = (block.high.bigEndian, block.low.bigEndian)
        var output: (high: UInt64, low: UInt64) = (0, 0)
        unsafe withUnsafeBytes(of: input) { input in
            unsafe withUnsafeMutableBytes(of: &output) { output in
                unsafe withUnsafePointer(to: key) { key in
                    unsafe AES_encrypt(input.baseAddress, output.baseAddress, key)
                }
            }
        }
        return AESBlock(high: UInt64(bigEndian: output.high), low: UInt64(bigEndian: output.low))
    }
}

extension AES128 {
    /// CMAC of some bytes (NIST SP 800-38B), preceded by the block with which ``AESEAX`` marks its parts.
    func cmac(_ bytes: Span<UInt8>, behind first: AESBlock? = nil) -> AESBlock {
        let doubled = encrypt(AESBlock()).doubled
        var sum = AESBlock()
        guard first == nil || bytes.count > 0 else { return encrypt((first ?? sum) ^ doubled) }
        if let first { sum = encrypt(first) }
        var offset = 0
        while bytes.count - offset > 16 {
            sum = encrypt(sum ^ AESBlock(bytes, from: offset))
            offset += 16
        }
        var last = AESBlock(bytes, from: offset)
        if bytes.count - offset == 16 { return encrypt(sum ^ last ^ doubled) }
        last[bytes.count - offset] = 0x80
        return encrypt(sum ^ last ^ doubled.doubled)
    }

    /// Encrypts or decrypts the bytes in counter mode (NIST SP 800-38A).
    func countered(_ bytes: Span<UInt8>, from counter: AESBlock) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var (counter, mask) = (counter, AESBlock())
        for index in 0..<bytes.count {
            if index % 16 == 0 {
                mask = encrypt(counter)
                counter = counter.next
            }
            result.append(bytes[index] ^ mask[index % 16])
        }
        return result
    }
}
