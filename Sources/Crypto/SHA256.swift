internal import Bytes
internal import CCrypto

/// SHA-256 (FIPS 180-4), by libcrypto's `SHA256_Init`, `SHA256_Update` and `SHA256_Final`.
///
/// `EVP_Digest` is avoided. Its first use loads OpenSSL's providers, 2 MB that a program without TLS doesn't need
/// otherwise. Each use looks the algorithm up, which costs more time than the digest of such a short text.
public enum SHA256 {
    /// The 32 bytes of the digest of `bytes`.
    public static func digest(_ bytes: Span<UInt8>) -> [UInt8] {
        var context = SHA256_CTX()
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        // None of the three can fail: they only compute.
        unsafe SHA256_Init(&context)
        unsafe bytes.withUnsafeBytes { _ = unsafe SHA256_Update(&context, $0.baseAddress, $0.count) }
        unsafe SHA256_Final(&digest, &context)
        return digest
    }

    /// The 32 bytes of the digest of a text in UTF-8.
    public static func digest(_ text: String) -> [UInt8] {
        digest(Array(text.utf8).span)
    }

    /// The first `digits` (at most 64) hexadecimal digits of the digest of a text in UTF-8.
    public static func hex(_ text: String, digits: Int) -> String { hex(Array(text.utf8).span, digits: digits) }

    /// The first `digits` (at most 64) hexadecimal digits of the digest of some bytes.
    public static func hex(_ bytes: Span<UInt8>, digits: Int) -> String {
        String(Hex.text(digest(bytes).span).prefix(digits))
    }
}
