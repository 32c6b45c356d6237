/// The certificate chain and the key of a server, both as PEM text.
public struct ServerCertificate: Hashable, Sendable {
    /// The certificate, followed by those between it and its authority.
    public var chain: [UInt8]
    /// The private key of the certificate.
    public var key: [UInt8]

    /// A certificate with its key.
    public init(chain: [UInt8], key: [UInt8]) {
        self.chain = chain
        self.key = key
    }
}
