internal import Bytes
internal import CCrypto

/// SHA-256 (FIPS 180-4), by libcrypto's `EVP_Digest`.
public enum SHA256 {
    /// The 32 bytes of the digest of `bytes`.
    public static func digest(_ bytes: Span<UInt8>) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        let done = unsafe bytes.withUnsafeBytes { message in
            unsafe digest.withUnsafeMutableBufferPointer { result in
                unsafe EVP_Digest(message.baseAddress, message.count, result.baseAddress, nil, EVP_sha256(), nil)
            }
        }
        // It fails only where libcrypto was built or configured without SHA-256: nothing of ours can go on then.
        precondition(done == 1, "libcrypto has no SHA-256")
        return digest
    }

    /// The 32 bytes of the digest of a text in UTF-8.
    public static func digest(_ text: String) -> [UInt8] {
        digest(Array(text.utf8).span)
    }

    /// The first `digits` (at most 64) hexadecimal digits of the digest of a text in UTF-8.
    public static func hex(_ text: String, digits: Int) -> String {
        String(Hex.text(digest(text).span).prefix(digits))
    }
}
