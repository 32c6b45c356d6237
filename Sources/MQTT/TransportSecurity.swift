/// What makes one connection of `mqtts` secure. Whoever knows TLS makes one for each connection; this target doesn't.
public protocol TransportSecurity: AnyObject {
    /// An `SSL_CTX *` of OpenSSL that proves the broker's identity by itself; it lives as long as this object.
    ///
    /// libmosquitto adds nothing to it but the host's name for the broker to choose a certificate by (SNI).
    @unsafe var context: UnsafeMutableRawPointer { get }

    /// Why the handshake failed; nil where that isn't a matter of TLS.
    ///
    /// - Parameter report: what libmosquitto logged, with OpenSSL's code as `error:0A00010B:…` in it; nil for nothing.
    func refusal(report: String?) -> SecurityRefusal?
}

/// Why a connection isn't secure, and what to do about it.
public struct SecurityRefusal: Error, Hashable, Sendable {
    /// What is wrong, in a sentence without its end.
    public var words: String
    /// What to do about it.
    public var mend: String

    /// A refusal with its words.
    public init(_ words: String, mend: String) {
        self.words = words
        self.mend = mend
    }
}

/// What one connection proves its client and its broker with.
public struct Credentials {
    /// The password, where the broker asks for one.
    public var password: String?
    /// What secures it; needed for `mqtts`.
    public var security: (any TransportSecurity)?

    /// Credentials by all their parts.
    public init(password: String? = nil, security: (any TransportSecurity)? = nil) {
        self.password = password
        self.security = security
    }
}
