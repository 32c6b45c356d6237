internal import Crypto
internal import System

/// The encryption of the secrets in a backup: AES-256-GCM, under a key that PBKDF2 with HMAC-SHA-512 makes of a
/// passphrase. The place of a file is covered by its tag, so that no two can be exchanged.
struct BackupSeal {
    /// The rounds that a new backup takes: some tenths of a second.
    static let iterations = 210_000
    /// The most rounds that are accepted of a file: more would be no end.
    static let mostIterations = 10_000_000

    private let key: [UInt8]

    /// The seal of a passphrase.
    init(_ passphrase: Secret, salt: [UInt8], iterations: Int) {
        key = Array(PBKDF2.sha512(passphrase.bytes, salt: salt, iterations: iterations).prefix(AESGCM.keySize))
    }

    /// Unpredictable bytes.
    static func random(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// A nonce and the encrypted bytes.
    func seal(_ bytes: [UInt8], place: String) -> [UInt8] {
        let nonce = Self.random(AESGCM.nonceSize)
        return nonce + AESGCM.seal(bytes, nonce: nonce, header: Array(place.utf8), key: key)
    }

    /// The bytes of a file.
    func open(_ sealed: [UInt8], place: String) throws(BackupFault) -> [UInt8] {
        let nonce = Array(sealed.prefix(AESGCM.nonceSize))
        let rest = Array(sealed.dropFirst(AESGCM.nonceSize))
        guard let bytes = AESGCM.open(rest, nonce: nonce, header: Array(place.utf8), key: key) else { throw .sealed }
        return bytes
    }
}
