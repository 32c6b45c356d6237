internal import CSSL

/// A request for a certificate (PKCS #10, RFC 2986): a name and a public key, signed with the private one.
@safe public final class CertificateRequest: @unchecked Sendable {
    // Nothing changes it after its creation.
    let pointer: OpaquePointer

    private init(owning pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe X509_REQ_free(pointer)
    }

    /// A request by a key's owner, with the common name, which brokers use as the user name.
    public static func make(name: String, key: PrivateKey) throws(AuthorityFault) -> CertificateRequest {
        let request = unsafe CertificateRequest(owning: try AuthorityFault.unwrap("X509_REQ_new", X509_REQ_new()))
        // A new request has no version yet, and OpenSSL 3.6 verifies none without.
        try AuthorityFault.check("X509_REQ_set_version", unsafe X509_REQ_set_version(request.pointer, 0) == 1)
        unsafe try DistinguishedName.set(name, in: X509_REQ_get_subject_name(request.pointer))
        try AuthorityFault.check(
            "X509_REQ_set_pubkey", unsafe X509_REQ_set_pubkey(request.pointer, key.pointer) == 1)
        try AuthorityFault.check("X509_REQ_sign", unsafe X509_REQ_sign(request.pointer, key.pointer, EVP_sha256()) > 0)
        return request
    }

    /// Its text form (PEM).
    public func pem() throws(AuthorityFault) -> [UInt8] {
        try AuthorityFault.unwrap(
            "PEM_write_bio_X509_REQ", PEMWriter.text { unsafe PEM_write_bio_X509_REQ($0.pointer, pointer) == 1 })
    }
}

/// The only part of a name that brokers read.
enum DistinguishedName {
    /// The longest common name (RFC 5280, ub-common-name).
    static let bound = 64

    static func set(_ commonName: String, in name: OpaquePointer?) throws(AuthorityFault) {
        let bytes = Array(commonName.utf8)
        guard (1...bound).contains(commonName.unicodeScalars.count), !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F })
        else {
            throw .malformedName(commonName)
        }
        try AuthorityFault.check(
            "X509_NAME_add_entry_by_NID",
            unsafe X509_NAME_add_entry_by_NID(
                name, NID_commonName, MBSTRING_UTF8, bytes, Int32(bytes.count), -1, 0) == 1)
    }
}
