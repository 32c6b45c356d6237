internal import CCrypto

/// The hash of passwords that brokers store (RFC 8018 section 5.2), by libcrypto's `PKCS5_PBKDF2_HMAC`.
public enum PBKDF2 {
    /// The 64 bytes of a password, a salt and so many rounds of HMAC with SHA-512; at least one round.
    public static func sha512(_ password: [UInt8], salt: [UInt8], iterations: Int) -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: 64)
        let isDone = unsafe password.withUnsafeBytes { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                unsafe PKCS5_PBKDF2_HMAC(
                    characters.baseAddress, Int32(characters.count), salt, Int32(salt.count),
                    Int32(clamping: max(1, iterations)), EVP_sha512(), Int32(hash.count), &hash) == 1
            }
        }
        precondition(isDone, "libcrypto lacks SHA-512")
        return hash
    }
}

/// Base64 with padding and without line ends (RFC 4648 section 4), by libcrypto's `EVP_EncodeBlock`.
public enum Base64 {
    /// The text of some bytes.
    public static func text(_ bytes: [UInt8]) -> String {
        var text = [UInt8](repeating: 0, count: (bytes.count + 2) / 3 * 4 + 1)
        let count = unsafe EVP_EncodeBlock(&text, bytes, Int32(bytes.count))
        return String(decoding: text.prefix(Int(count)), as: UTF8.self)
    }
}
