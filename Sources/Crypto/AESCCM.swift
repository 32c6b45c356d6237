internal import Bytes

/// AES-128 in CCM mode (NIST SP 800-38C, RFC 3610), for short texts: BTHome's encryption.
///
/// A nonce has 7 to 13 bytes, a tag 4 to 16 of even number, the associated data fewer than 65,280, and the text what
/// 15 bytes less the nonce can count. Anything else is no text of this mode: nil.
public enum AESCCM {
    /// The plain bytes, or nil where the tag is not theirs.
    ///
    /// A tag of n bits that is wrong is taken for right once in 2ⁿ times.
    public static func open(
        _ ciphertext: Span<UInt8>, tag: Span<UInt8>, nonce: Span<UInt8>, associatedData: Span<UInt8>, key: AES128
    ) -> [UInt8]? {
        guard fits(ciphertext.count, tag.count, nonce.count, associatedData.count) else { return nil }
        let counter = first(nonce)
        let plaintext = key.countered(ciphertext, from: counter.next)
        let sum = checksum(plaintext.span, tag.count, nonce, associatedData, key)
        return tag.isStart(of: sum ^ key.encrypt(counter)) ? plaintext : nil
    }

    /// The ciphered bytes, and behind them the tag of so many bytes; nil for what this mode can't take.
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

    /// The counter block 0: its first byte says how many bytes count.
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
    /// The last block of cipher block chaining, the last bytes being filled up with zeros.
    fileprivate func chained(_ bytes: Span<UInt8>, from start: AESBlock) -> AESBlock {
        var sum = start
        for offset in stride(from: 0, to: bytes.count, by: 16) { sum = encrypt(sum ^ AESBlock(bytes, from: offset)) }
        return sum
    }
}
