/// AES-128 in EAX mode (Bellare, Rogaway and Wagner, "The EAX Mode of Operation"), without a header, as Eddystone's
/// encrypted telemetry uses it.
public enum AESEAX {
    /// The plain bytes, or nil where `tag` (0...16 bytes: the leading ones of the whole tag) is not theirs.
    ///
    /// A tag of n bits that is wrong is taken for right once in 2ⁿ times.
    public static func open(
        _ ciphertext: Span<UInt8>, tag: Span<UInt8>, nonce: Span<UInt8>, header: Span<UInt8>, key: AES128
    ) -> [UInt8]? {
        let start = key.cmac(nonce, behind: AESBlock())
        guard tag.isStart(of: whole(ciphertext, start, header, key)) else { return nil }
        return key.countered(ciphertext, from: start)
    }

    /// The ciphered bytes and the whole tag of 16 bytes.
    public static func seal(
        _ plaintext: Span<UInt8>, nonce: Span<UInt8>, header: Span<UInt8>, key: AES128
    ) -> (ciphertext: [UInt8], tag: AESBlock) {
        let start = key.cmac(nonce, behind: AESBlock())
        let ciphertext = key.countered(plaintext, from: start)
        return (ciphertext, whole(ciphertext.span, start, header, key))
    }

    private static func whole(
        _ ciphertext: Span<UInt8>, _ start: AESBlock, _ header: Span<UInt8>, _ key: AES128
    ) -> AESBlock {
        start ^ key.cmac(header, behind: AESBlock(low: 1)) ^ key.cmac(ciphertext, behind: AESBlock(low: 2))
    }
}

extension Span where Element == UInt8 {
    /// Whether these bytes, 16 at the most, are the leading ones of a block. Takes the same time wherever they differ.
    func isStart(of block: AESBlock) -> Bool {
        guard count <= 16 else { return false }
        var difference: UInt8 = 0
        for index in 0..<count { difference |= self[index] ^ block[index] }
        return difference == 0
    }
}
