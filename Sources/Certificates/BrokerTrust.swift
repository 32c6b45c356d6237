public import Crypto

/// What a broker must show before a word is said to it.
public enum BrokerTrust: Sendable {
    /// A certificate for its host, signed by an authority of the operating system's store.
    case system
    /// A certificate for its host, signed by one of these.
    case authorities([Certificate])
    /// One of these very certificates, whatever it says; at least one.
    case pinned([Fingerprint])
    /// That it knows the same key (TLS-PSK, RFC 4279): `identity` is the key's name.
    case sharedKey(identity: String, key: [UInt8])
}

/// What this client shows of itself, where the broker asks.
public struct OwnIdentity: Sendable {
    /// Its certificate first, then those of the authorities between it and one that the broker trusts.
    public var certificates: [Certificate]
    /// The key of the first.
    public var key: PrivateKey

    /// An identity that fits together; throws where the key belongs to another certificate, or there is none.
    public init(certificate: PEMText, key: PEMText, passphrase: [UInt8]? = nil) throws(CertificateFault) {
        certificates = try Certificate.read(certificate)
        self.key = try PrivateKey.read(key, passphrase: passphrase)
        guard let own = certificates.first, self.key.fits(own) else {
            throw .otherKey(file: key.name, certificate: certificate.name)
        }
    }
}
