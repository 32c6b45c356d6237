public import Bytes
public import Crypto

/// Why something isn't trusted or can't be used. `words` says it in a sentence, `mend` what to do about it.
public enum CertificateFault: Error, Hashable, Sendable {
    // MARK: One's own files
    /// The file holds no such thing; what it holds instead.
    case absent(PEMContent, file: String, found: [String], isBinary: Bool)
    /// The thing of that number in the file can't be read.
    case broken(PEMContent, file: String, number: Int)
    /// The key is encrypted, and no passphrase is given.
    case passphraseMissing(file: String)
    /// The passphrase isn't the key's.
    case passphraseWrong(file: String)
    /// The key belongs to another certificate.
    case otherKey(file: String, certificate: String)
    /// OpenSSL doesn't take it, and why.
    case unusable(file: String, reason: String)

    // MARK: The broker's certificate
    /// It is for other hosts.
    case otherHost(asked: String, hosts: [String])
    /// It, or one above it, has expired.
    case expired(subject: String, at: Timestamp, now: Timestamp)
    /// It, or one above it, begins later.
    case notYetValid(subject: String, from: Timestamp, now: Timestamp)
    /// Nobody trusted has signed it.
    case unknownAuthority(issuer: String, isSystem: Bool)
    /// It bears its own signature and isn't trusted by itself.
    case selfSigned(Fingerprint)
    /// The list of revoked certificates names it.
    case revoked(subject: String)
    /// No list of revoked certificates of that issuer is there.
    case listMissing(issuer: String)
    /// The list of revoked certificates has expired.
    case listExpired(at: Timestamp?)
    /// It is another one than the pinned one.
    case otherFingerprint(seen: Fingerprint)
    /// Anything else that OpenSSL finds, in its words.
    case untrusted(subject: String, reason: String)

    // MARK: The handshake
    /// The broker speaks nothing newer than TLS 1.1.
    case oldProtocol
    /// What came isn't TLS.
    case noTLS
    /// The connection was closed before a word of TLS came.
    case silent
    /// The broker refuses the shared key or its name.
    case keyRefused
    /// The broker was told the shared key's name, and closed the connection without a word to be heard.
    case closedAtKey
    /// The broker wants a certificate of this client, and none is given.
    case certificateWanted
    /// The broker refuses this client's certificate, in the words of its alert.
    case certificateRefused(alert: String)
    /// The broker asked for a certificate of this client, and closed the connection without a word to be heard.
    case closed(showedIdentity: Bool)
    /// The broker ended the handshake, in the words of its alert.
    case alert(String)
}
