internal import Bytes
internal import Crypto
internal import System

/// Unguessable names, and a form of them in which they can be looked up.
enum RandomSecret {
    /// 256 random bits as 64 hexadecimal digits.
    static func make() -> String {
        (0..<8).map { _ in Hex.text(SystemRandom.number(), digits: 8) }.joined()
    }

    /// The digest under which a secret is stored and found: comparing digests tells nothing of the secret by its time.
    static func digest(_ secret: String) -> [UInt8] { SHA256.digest(secret) }
}
