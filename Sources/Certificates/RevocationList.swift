public import Bytes
internal import CSSL

/// A list of revoked certificates (CRL; RFC 5280 section 5), as read by OpenSSL. It never changes.
@safe public final class RevocationList: @unchecked Sendable {
    // OpenSSL counts its references with atomic operations, and nothing here changes it.
    let pointer: OpaquePointer

    /// Takes ownership of one reference.
    init(owning pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe X509_CRL_free(pointer)
    }

    /// The end of its validity; nil if it contains no such time.
    public var ends: Timestamp? { unsafe UTCDate.moment(X509_CRL_get0_nextUpdate(pointer)) }

    /// All lists of a PEM text, in their order; at least one. Other blocks are ignored.
    public static func read(_ text: PEMText) throws(CertificateFault) -> [RevocationList] {
        var found: [RevocationList] = []
        try PEMReader.each(text, .revocationList) { source in
            guard let pointer = unsafe PEM_read_bio_X509_CRL(source.pointer, nil, nil, nil) else { return .failed }
            found.append(unsafe RevocationList(owning: pointer))
            return .next
        }
        return found
    }
}
