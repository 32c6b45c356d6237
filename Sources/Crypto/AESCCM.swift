internal import Bytes

/// AES-128 in CCM mode (NIST SP 800-38C, RFC 3610), for short texts: BTHome's encryption.
///
/// A nonce has 7 to 13 bytes, a tag an even number of 4 to 16, and the associated data fewer than 65,280. The length of
/// the text must fit into 15 bytes less those of the nonce. Anything else gives nil.
public enum AESCCM {
    /// Decrypts the bytes; nil if the tag doesn't match.
    ///
    /// A wrong tag of n bits is accepted once in 2ⁿ times.
    public static func open(
        _ ciphertext: Span<UInt8>, tag: Span<UInt8>, nonce: Span<UInt8>, associatedData: Span<UInt8>, key: AES128
    ) -> [UInt8]? {
        guard fits(ciphertext.count, tag.count, nonce.count, associatedData.count) else { return nil }
        let counter = first(nonce)
        let plaintext = key.countered(ciphertext, from: counter.next)
        let sum = checksum(plaintext.span, tag.count, nonce, associatedData, key)
        return tag.isStart(of: sum ^ key.encrypt(counter)) ? plaintext : nil
    }

    /// Encrypts the bytes and appends a tag of so many bytes; nil for input that this mode doesn't allow.
    public static func seal(
        _ plaintext: Span<UInt8>, tagSize: Int, nonce: Span<UInt8>, associatedData: Span<UInt8>, key: AES128
    ) -> [UInt8]? {
        guard fits(plaintext.count, tagSize, nonce.count, associatedData.count) else { return nil }
        let counter = first(nonce)
        var bytes = key.countered(plaintext, from: counter.next)
        let tag = checksum(plaintext, tagSize, nonce, associatedData, key) ^ key.encrypt(counter)
        for place in 0..<tagSize { bytes.append(tag[place]) }
        return bytes
    }

    private static func fits(_ text: Int, _ tag: Int, _ nonce: Int, _ associatedData: Int) -> Bool {
        (4...16).contains(tag) && tag % 2 == 0 && (7...13).contains(nonce) && associatedData < 0xFF00
            && UInt64(text) >> UInt64(8 * (15 - nonce)) == 0
    }

    /// The counter block 0. Its first byte gives the number of bytes of the counter.
    private static func first(_ nonce: Span<UInt8>) -> AESBlock {
        var block = AESBlock()
        block[0] = UInt8(14 - nonce.count)
        for index in 0..<nonce.count { block[1 + index] = nonce[index] }
        return block
    }

    /// CBC-MAC of the formatted text (NIST SP 800-38C appendix A.2).
    private static func checksum(
        _ plaintext: Span<UInt8>, _ tagSize: Int, _ nonce: Span<UInt8>, _ associatedData: Span<UInt8>, _ key: AES128
    ) -> AESBlock {
        var block = first(nonce)
        block[0] |= UInt8((tagSize - 2) / 2) << 3 | (associatedData.isEmpty ? 0 : 0x40)
        block.low |= UInt64(plaintext.count)
        var sum = key.encrypt(block)
        if !associatedData.isEmpty {
            var prefixed: [UInt8] = []
            prefixed.append(bigEndian: UInt16(associatedData.count))
            for index in 0..<associatedData.count { prefixed.append(associatedData[index]) }
            sum = key.chained(prefixed.span, from: sum)
        }
        return key.chained(plaintext, from: sum)
    }
}

extension AES128 {
    /// The last block of cipher block chaining, the last bytes being padded with zeros.
    fileprivate func chained(_ bytes: Span<UInt8>, from start: AESBlock) -> AESBlock {
        var sum = start
        for offset in stride(from: 0, to: bytes.count, by: 16) { sum = encrypt(sum ^ AESBlock(bytes, from: offset)) }
        return sum
    }
}
