internal import CCrypto

/// A key of AES-128 (FIPS 197) that is ready for use, by libcrypto's `AES_set_encrypt_key` and `AES_encrypt`.
///
/// Not by `EVP_Encrypt`, for the reasons that ``SHA256`` gives: that would cost 2 MB and a look-up a use. Every mode
/// that is needed here ciphers forwards only. The key can't be read back, and a print of it doesn't show it.
public struct AES128: Sendable, CustomStringConvertible {
    /// The bytes of a key.
    public static let keySize = 16

    private let schedule: AES_KEY

    /// Makes a key of its 16 bytes ready; nil for any other number of bytes.
    public init?(_ key: Span<UInt8>) {
        guard key.count == Self.keySize else { return nil }
        self.init(AESBlock(key))
    }

    /// Makes a key ready that is a block itself, such as a temporary key.
    public init(_ key: AESBlock) {
        var schedule = AES_KEY()
        let bytes = (key.high.bigEndian, key.low.bigEndian)
        // It fails for null pointers and for other sizes than the three of AES.
        unsafe withUnsafeBytes(of: bytes) { bytes in
            _ = unsafe AES_set_encrypt_key(bytes.baseAddress, 128, &schedule)
        }
        self.schedule = schedule
    }

    /// The block that this one is ciphered to. Doesn't block and takes no memory.
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

    /// Always the same: keys are not printed.
    public var description: String { "an AES-128 key" }
}

extension AES128 {
    /// CMAC of some bytes (NIST SP 800-38B), begun with the block that ``AESEAX`` marks its parts with.
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

    /// The bytes ciphered by adding the ciphers of counted blocks (counter mode, NIST SP 800-38A), and back.
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
