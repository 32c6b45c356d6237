/// AES-128 in EAX mode (Bellare, Rogaway and Wagner, "The EAX Mode of Operation"), without a header, as Eddystone's
/// encrypted telemetry uses it.
public enum AESEAX {
    /// Decrypts the bytes; nil if `tag` (0...16 bytes: the leading ones of the whole tag) doesn't match.
    ///
    /// A wrong tag of n bits is accepted once in 2ⁿ times.
    public static func open(
        _ ciphertext: Span<UInt8>, tag: Span<UInt8>, nonce: Span<UInt8>, header: Span<UInt8>, key: AES128
    ) -> [UInt8]? {
        let start = key.cmac(nonce, behind: AESBlock())
        guard tag.isStart(of: whole(ciphertext, start, header, key)) else { return nil }
        return key.countered(ciphertext, from: start)
    }

    /// Encrypts the bytes and returns them with the whole tag of 16 bytes.
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
    /// Returns true if these bytes, 16 at the most, are the leading ones of a block. Runs in constant time.
    func isStart(of block: AESBlock) -> Bool {
        guard count <= 16 else { return false }
        var difference: UInt8 = 0
        for index in 0..<count { difference |= self[index] ^ block[index] }
        return difference == 0
    }
}
