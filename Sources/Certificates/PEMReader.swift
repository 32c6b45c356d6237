internal import CSSL

/// A kind of content of a PEM text.
public enum PEMContent: String, Hashable, Sendable {
    /// A certificate.
    case certificate = "certificate"
    /// A private key.
    case privateKey = "private key"
    /// A list of revoked certificates.
    case revocationList = "revocation list"

    /// True if a block with this label has this content.
    func matches(_ label: String) -> Bool {
        switch self {
        case .certificate: label == "CERTIFICATE" || label == "X509 CERTIFICATE" || label == "TRUSTED CERTIFICATE"
        case .privateKey: label.hasSuffix("PRIVATE KEY")
        case .revocationList: label == "X509 CRL"
        }
    }
}

/// Iterates over the blocks of a PEM text with one of OpenSSL's readers (PEM_read_bio(3)).
enum PEMReader {
    /// The most blocks of the requested kind that are read: the system's store has some 150 certificates.
    static let bound = 1000

    /// The result of `read` for a block.
    enum Step { case next, enough, failed }

    /// OpenSSL's `BIO` over the text, for the duration of a call.
    @safe struct Source {
        let pointer: OpaquePointer
    }

    /// Calls `read` for the blocks of that kind until it has enough. Throws if there is none, or one is broken.
    static func each(
        _ text: PEMText, _ content: PEMContent, _ read: (Source) -> Step
    ) throws(CertificateFault) {
        let labels = text.labels
        guard labels.contains(where: content.matches) else {
            throw .absent(content, file: text.name, found: labels, isBinary: text.isBinary)
        }
        ERR_clear_error()
        defer { ERR_clear_error() }
        let end = unsafe text.bytes.withUnsafeBytes { bytes -> End in
            guard let source = unsafe BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count)) else {
                return .broken(0)
            }
            defer { unsafe BIO_free(source) }
            for number in 0..<bound {
                switch unsafe read(Source(pointer: source)) {
                case .next: continue
                case .enough: return .complete
                case .failed: break
                }
                // After the last block no further line begins one.
                let reason = ERR_GET_REASON(ERR_peek_last_error())
                return reason == PEM_R_NO_START_LINE && number > 0 ? .complete : .broken(number)
            }
            return .complete
        }
        if case .broken(let number) = end { throw .broken(content, file: text.name, number: number + 1) }
    }

    private enum End { case complete, broken(Int) }
}
