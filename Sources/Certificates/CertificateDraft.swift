internal import Bytes
internal import CSSL

/// A certificate in preparation; signing ends that.
@safe final class CertificateDraft {
    let pointer: OpaquePointer

    init(serial: [UInt8], from: Timestamp, until: Timestamp) throws(AuthorityFault) {
        unsafe pointer = try AuthorityFault.unwrap("X509_new", X509_new())
        try AuthorityFault.check("X509_set_version", unsafe X509_set_version(pointer, 2) == 1)
        try AuthorityFault.check(
            "X509_get_serialNumber",
            unsafe wb_set_integer(X509_get_serialNumber(pointer), serial, Int32(serial.count)) == 1)
        let times = unsafe (
            ASN1_TIME_set(X509_getm_notBefore(pointer), from.unixSeconds),
            ASN1_TIME_set(X509_getm_notAfter(pointer), until.unixSeconds)
        )
        try AuthorityFault.check("ASN1_TIME_set", unsafe times.0 != nil && times.1 != nil)
    }

    deinit {
        unsafe X509_free(pointer)
    }

    /// Sets its own name and key, as an authority's.
    func setAuthority(name: String, key: PrivateKey) throws(AuthorityFault) {
        unsafe try DistinguishedName.set(name, in: X509_get_subject_name(pointer))
        try AuthorityFault.check("X509_set_pubkey", unsafe X509_set_pubkey(pointer, key.pointer) == 1)
        unsafe try setIssuer(pointer)
    }

    /// Sets the name and key of a request that is signed with that key, and the issuer.
    func setRequest(_ request: CertificateRequest, issuer: Certificate) throws(AuthorityFault) {
        guard let key = unsafe X509_REQ_get0_pubkey(request.pointer), unsafe X509_REQ_verify(request.pointer, key) == 1
        else { throw .forgedRequest }
        try AuthorityFault.check(
            "X509_set_subject_name",
            unsafe X509_set_subject_name(pointer, X509_REQ_get_subject_name(request.pointer)) == 1)
        try AuthorityFault.check("X509_set_pubkey", unsafe X509_set_pubkey(pointer, key) == 1)
        unsafe try setIssuer(issuer.pointer)
    }

    /// Adds an extension in OpenSSL's syntax (x509v3_config(5)).
    func add(_ kind: Int32, _ value: String, issuer: Certificate? = nil) throws(AuthorityFault) {
        let isDone = unsafe wb_add_extension(pointer, issuer?.pointer ?? pointer, kind, value) == 1
        try AuthorityFault.check("X509V3_EXT_nconf_nid", isDone)
    }

    func sign(_ key: PrivateKey) throws(AuthorityFault) -> Certificate {
        try AuthorityFault.check("X509_sign", unsafe X509_sign(pointer, key.pointer, EVP_sha256()) > 0)
        return unsafe Certificate(sharing: pointer)
    }

    private func setIssuer(_ issuer: OpaquePointer) throws(AuthorityFault) {
        try AuthorityFault.check(
            "X509_set_issuer_name", unsafe X509_set_issuer_name(pointer, X509_get_subject_name(issuer)) == 1)
    }
}
