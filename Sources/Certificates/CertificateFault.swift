public import Bytes
public import Crypto

/// The reason why something isn't trusted or can't be used. `words` has the sentence, `mend` the remedy.
public enum CertificateFault: Error, Hashable, Sendable {
    // MARK: One's own files
    /// The file has no such content; with the content found instead.
    case absent(PEMContent, file: String, found: [String], isBinary: Bool)
    /// The content of that number in the file can't be read.
    case broken(PEMContent, file: String, number: Int)
    /// The key is encrypted, and there is no passphrase.
    case passphraseMissing(file: String)
    /// The passphrase isn't the key's.
    case passphraseWrong(file: String)
    /// The key belongs to another certificate.
    case otherKey(file: String, certificate: String)
    /// OpenSSL rejects it, with a reason.
    case unusable(file: String, reason: String)

    // MARK: The broker's certificate
    /// It is for other hosts.
    case otherHost(asked: String, hosts: [String])
    /// It, or one above it, has expired.
    case expired(subject: String, at: Timestamp, now: Timestamp)
    /// It, or one above it, begins later.
    case notYetValid(subject: String, from: Timestamp, now: Timestamp)
    /// No trusted authority has signed it.
    case unknownAuthority(issuer: String, isSystem: Bool)
    /// It is signed with its own key and isn't itself trusted.
    case selfSigned(Fingerprint)
    /// It is in the list of revoked certificates.
    case revoked(subject: String)
    /// There is no list of revoked certificates by that issuer.
    case listMissing(issuer: String)
    /// The list of revoked certificates has expired.
    case listExpired(at: Timestamp?)
    /// It differs from the pinned ones.
    case otherFingerprint(seen: Fingerprint)
    /// Any other fault, with OpenSSL's text.
    case untrusted(subject: String, reason: String)

    // MARK: The handshake
    /// The broker supports nothing newer than TLS 1.1.
    case oldProtocol
    /// The data received isn't TLS.
    case noTLS
    /// The connection was closed before any TLS data arrived.
    case silent
    /// The broker rejects the shared key or its name.
    case keyRefused
    /// The broker received the shared key's name, and closed the connection without an alert.
    case closedAtKey
    /// The broker requires a certificate of this client, and there is none.
    case certificateWanted
    /// The broker rejects this client's certificate, with the name of its alert.
    case certificateRefused(alert: String)
    /// The broker asked for a certificate of this client, and closed the connection without an alert.
    case closed(showedIdentity: Bool)
    /// The broker ended the handshake, with the name of its alert.
    case alert(String)
}
