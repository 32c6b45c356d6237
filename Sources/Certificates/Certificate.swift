public import Bytes
internal import CSSL
public import Crypto

/// An X.509 certificate (RFC 5280), as read by OpenSSL. It never changes.
@safe public final class Certificate: @unchecked Sendable {
    // OpenSSL counts its references with atomic operations, and nothing here changes it.
    let pointer: OpaquePointer

    /// Takes ownership of one reference.
    init(owning pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    /// Shares a certificate with its other owners.
    convenience init(sharing pointer: OpaquePointer) {
        unsafe X509_up_ref(pointer)
        unsafe self.init(owning: pointer)
    }

    deinit {
        unsafe X509_free(pointer)
    }

    /// Its binary form (DER).
    public var bytes: [UInt8] {
        let count = unsafe i2d_X509(pointer, nil)
        guard count > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: Int(count))
        unsafe bytes.withUnsafeMutableBufferPointer {
            var end = $0.baseAddress
            unsafe _ = i2d_X509(pointer, &end)
        }
        return bytes
    }

    /// The fingerprint by which it is pinned.
    public var fingerprint: Fingerprint { Fingerprint(ofCertificate: bytes.span) }

    /// The start of its validity; nil if it contains no such time.
    public var begins: Timestamp? { unsafe UTCDate.moment(X509_get0_notBefore(pointer)) }

    /// The end of its validity; nil if it contains no such time.
    public var ends: Timestamp? { unsafe UTCDate.moment(X509_get0_notAfter(pointer)) }

    /// The name of its subject, such as `CN=broker, O=Home`; at most 200 bytes.
    public var subject: String { unsafe Self.text(X509_get_subject_name(pointer)) }

    /// The name of its issuer; at most 200 bytes.
    public var issuer: String { unsafe Self.text(X509_get_issuer_name(pointer)) }

    /// True if it is signed with its own key.
    public var isSelfSigned: Bool { unsafe X509_self_signed(pointer, 1) == 1 }

    private static func text(_ name: OpaquePointer?) -> String {
        guard let name = unsafe name else { return "" }
        var text = [CChar](repeating: 0, count: 200)
        let length = unsafe wb_name_text(name, &text, Int32(text.count))
        return String(decoding: text.prefix(Int(max(0, length))).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension Certificate {
    /// All certificates of a PEM text, in their order; at least one. Other blocks are ignored.
    public static func read(_ text: PEMText) throws(CertificateFault) -> [Certificate] {
        var found: [Certificate] = []
        try PEMReader.each(text, .certificate) { source in
            guard let pointer = unsafe PEM_read_bio_X509(source.pointer, nil, nil, nil) else { return .failed }
            found.append(unsafe Certificate(owning: pointer))
            return .next
        }
        return found
    }
}
