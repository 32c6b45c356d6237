internal import CSSL

/// OpenSSL's context (`SSL_CTX`) for one connection to a broker: the trusted authorities, and the client's own
/// identity.
///
/// Made anew for each connection, so that renewed files apply from the next one. TLS 1.2 is the oldest version used.
/// The broker's identity can't be left unverified. After a failed handshake `refusal` returns the reason.
///
/// The target as a whole: `PEMText` is a file's content; `Certificate`, `PrivateKey` and `RevocationList` hold one
/// object of OpenSSL each, internally as `pointer`, made by `init(owning:)`, with `read` for PEM; `CertificateFault`
/// has a sentence and a remedy for each fault; `SecureContext` joins them. No file is opened here except the system's
/// store: the caller reads the files. `CertificateAuthority` signs on the same types.
@safe public final class SecureContext {
    /// `SSL_CTX *`, for the TLS library; it must not outlive this object.
    @unsafe public var pointer: UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(context) }
    let context: OpaquePointer
    let handshake: Handshake

    /// Makes a context. Reads no file; the system's store is read during the handshake.
    ///
    /// - Parameters:
    ///   - host: the name or address that the broker's certificate must be for; a zone after `%` is ignored.
    ///   - revoked: unless empty, the broker's certificate must be by an issuer of one of these lists, and in none.
    ///   - whenProved: called in a handshake, on its thread, with the broker's certificate and those above it, after
    ///     their verification. It isn't called for a shared key.
    public init(
        host: String, trust: BrokerTrust, revoked: [RevocationList] = [], identity: OwnIdentity? = nil,
        whenProved: @escaping ([Certificate]) -> Void = { _ in }
    ) throws(CertificateFault) {
        ERR_clear_error()
        guard let context = unsafe SSL_CTX_new(TLS_client_method()) else { throw Self.fault("OpenSSL") }
        unsafe self.context = context
        handshake = Handshake(host: host, trust: trust, showsIdentity: identity != nil, whenProved: whenProved)
        unsafe wb_save_memory(context)
        try demand(trust, host, revoked)
        if let identity { try presentIdentity(identity) }
    }

    deinit {
        unsafe SSL_CTX_free(context)
    }

    private func demand(
        _ trust: BrokerTrust, _ host: String, _ revoked: [RevocationList]
    ) throws(CertificateFault) {
        let listener = unsafe Unmanaged.passUnretained(handshake).toOpaque()
        unsafe SSL_CTX_set_ex_data(context, 0, listener)
        unsafe SSL_CTX_set_info_callback(context, noteHandshake)
        unsafe SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        unsafe SSL_CTX_set_cert_verify_callback(context, verify, listener)
        var newest = TLS1_3_VERSION
        switch trust {
        case .pinned: break
        case .sharedKey:
            // Brokers don't support shared keys in TLS 1.3, which requires a key to name its hash.
            newest = TLS1_2_VERSION
            unsafe SSL_CTX_set_cipher_list(context, "kECDHEPSK:kDHEPSK:kPSK:!eNULL")
            unsafe SSL_CTX_set_psk_client_callback(context, giveSharedKey)
        case .system:
            unsafe SSL_CTX_set_default_verify_paths(context)
            try demand(host: host, revoked)
        case .authorities(let authorities):
            let store = unsafe SSL_CTX_get_cert_store(context)
            for authority in authorities { unsafe X509_STORE_add_cert(store, authority.pointer) }
            try demand(host: host, revoked)
        }
        unsafe wb_set_protocols(context, TLS1_2_VERSION, newest)
    }

    private func demand(host: String, _ revoked: [RevocationList]) throws(CertificateFault) {
        let parameters = unsafe SSL_CTX_get0_param(context)
        let address = String(host.prefix { $0 != "%" })
        if unsafe X509_VERIFY_PARAM_set1_ip_asc(parameters, address) != 1 {
            ERR_clear_error()
            unsafe X509_VERIFY_PARAM_set_hostflags(parameters, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
            guard unsafe X509_VERIFY_PARAM_set1_host(parameters, host, 0) == 1 else { throw Self.fault("OpenSSL") }
        }
        // The fleet's own authority may be an intermediate one: it is trusted because it is configured.
        unsafe X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_PARTIAL_CHAIN))
        guard !revoked.isEmpty else { return }
        let store = unsafe SSL_CTX_get_cert_store(context)
        for list in revoked { unsafe X509_STORE_add_crl(store, list.pointer) }
        unsafe X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_CRL_CHECK))
    }

    private func presentIdentity(_ identity: OwnIdentity) throws(CertificateFault) {
        guard let own = identity.certificates.first, unsafe SSL_CTX_use_certificate(context, own.pointer) == 1 else {
            throw Self.fault("certificate_file")
        }
        for certificate in identity.certificates.dropFirst() {
            unsafe wb_add_chain_certificate(context, certificate.pointer)
        }
        guard unsafe SSL_CTX_use_PrivateKey(context, identity.key.pointer) == 1 else { throw Self.fault("key_file") }
    }

    /// The fault that OpenSSL reported last.
    private static func fault(_ file: String) -> CertificateFault {
        let code = ERR_peek_last_error()
        ERR_clear_error()
        let words = unsafe ERR_reason_error_string(code).map { unsafe String(cString: $0) } ?? "error \(code)"
        return .unusable(file: file, reason: words)
    }
}
