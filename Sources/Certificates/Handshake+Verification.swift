internal import Bytes
internal import CSSL

extension Handshake {
    /// Verifies the broker's certificate, and records its fault.
    func verify(_ verification: OpaquePointer) -> Bool {
        fault = nil
        guard let own = unsafe X509_STORE_CTX_get0_cert(verification) else { return false }
        let leaf = unsafe Certificate(sharing: own)
        if case .pinned(let fingerprints) = trust {
            let seen = leaf.fingerprint
            guard fingerprints.contains(seen) else {
                fault = .otherFingerprint(seen: seen)
                unsafe X509_STORE_CTX_set_error(verification, X509_V_ERR_APPLICATION_VERIFICATION)
                return false
            }
            unsafe X509_STORE_CTX_set_error(verification, X509_V_OK)
            whenProved([leaf])
            return true
        }
        guard unsafe X509_verify_cert(verification) == 1 else {
            let at = unsafe X509_STORE_CTX_get_current_cert(verification).map { unsafe Certificate(sharing: $0) }
            fault = unsafe certificateFault(X509_STORE_CTX_get_error(verification), at ?? leaf, leaf)
            return false
        }
        var chain: [Certificate] = []
        for index in 0..<(unsafe wb_chain_count(verification)) {
            if let certificate = unsafe wb_chain_certificate(verification, index) {
                chain.append(unsafe Certificate(sharing: certificate))
            }
        }
        whenProved(chain)
        return true
    }

    /// The fault of a code of X509_STORE_CTX_get_error(3), found at `certificate` of the chain that begins at `leaf`.
    private func certificateFault(_ code: Int32, _ certificate: Certificate, _ leaf: Certificate) -> CertificateFault {
        let subject = certificate.subject
        switch code {
        case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
            return .otherHost(asked: host, hosts: leaf.hosts)
        case X509_V_ERR_CERT_HAS_EXPIRED:
            return .expired(
                subject: subject, at: certificate.ends ?? Timestamp(microseconds: 0), now: UTCDate.now)
        case X509_V_ERR_CERT_NOT_YET_VALID:
            return .notYetValid(
                subject: subject, from: certificate.begins ?? Timestamp(microseconds: 0), now: UTCDate.now)
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: return .selfSigned(leaf.fingerprint)
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
            X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE,
            X509_V_ERR_CERT_SIGNATURE_FAILURE:
            if leaf.isSelfSigned { return .selfSigned(leaf.fingerprint) }
            if case .system = trust { return .unknownAuthority(issuer: certificate.issuer, isSystem: true) }
            return .unknownAuthority(issuer: certificate.issuer, isSystem: false)
        case X509_V_ERR_CERT_REVOKED: return .revoked(subject: subject)
        case X509_V_ERR_UNABLE_TO_GET_CRL: return .listMissing(issuer: certificate.issuer)
        case X509_V_ERR_CRL_HAS_EXPIRED: return .listExpired(at: nil)
        default:
            return .untrusted(
                subject: subject, reason: unsafe String(cString: X509_verify_cert_error_string(Int(code))))
        }
    }
}
