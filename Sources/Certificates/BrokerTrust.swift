public import Crypto

/// The proof of identity required from a broker before any data is sent to it.
public enum BrokerTrust: Sendable {
    /// A certificate for its host, signed by an authority of the operating system's store.
    case system
    /// A certificate for its host, signed by one of these.
    case authorities([Certificate])
    /// One of these certificates, with any content; at least one.
    case pinned([Fingerprint])
    /// Knowledge of the same key (TLS-PSK, RFC 4279): `identity` is the key's name.
    case sharedKey(identity: String, key: [UInt8])
}

/// The identity that this client proves, if the broker asks for one.
public struct OwnIdentity: Sendable {
    /// Its certificate first, then those of the authorities up to one that the broker trusts.
    public var certificates: [Certificate]
    /// The key of the first certificate.
    public var key: PrivateKey

    /// A consistent identity; throws if the key belongs to another certificate, or there is none.
    public init(certificate: PEMText, key: PEMText, passphrase: [UInt8]? = nil) throws(CertificateFault) {
        certificates = try Certificate.read(certificate)
        self.key = try PrivateKey.read(key, passphrase: passphrase)
        guard let own = certificates.first, self.key.fits(own) else {
            throw .otherKey(file: key.name, certificate: certificate.name)
        }
    }
}
