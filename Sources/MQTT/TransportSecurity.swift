/// The security of one connection of `mqtts`. A target with TLS makes one for each connection; this target has none.
public protocol TransportSecurity: AnyObject {
    /// An `SSL_CTX *` of OpenSSL that verifies the broker's identity by itself, and names the host to it (SNI); it lives as long as
    /// this object.
    @unsafe var context: UnsafeMutableRawPointer { get }

    /// The reason why the handshake failed; nil if it isn't a matter of TLS.
    ///
    /// - Parameter report: the text that libmosquitto logged, which contains OpenSSL's code as `error:0A00010B:…`; nil
    ///   for none.
    func refusal(report: String?) -> SecurityRefusal?
}

/// The reason why a connection isn't secure, with the remedy.
public struct SecurityRefusal: Error, Hashable, Sendable {
    /// The fault, in a sentence without its end.
    public var words: String
    /// The remedy.
    public var mend: String

    /// A refusal from its texts.
    public init(_ words: String, mend: String) {
        self.words = words
        self.mend = mend
    }
}

/// The credentials of one connection: the client's, and the means to verify the broker.
public struct Credentials {
    /// The password, if the broker requires one.
    public var password: String?
    /// The security; required for `mqtts`.
    public var security: (any TransportSecurity)?

    /// Credentials from all their parts.
    public init(password: String? = nil, security: (any TransportSecurity)? = nil) {
        self.password = password
        self.security = security
    }
}
