internal import Bytes

/// The SHA-256 of a certificate in its binary form (DER), which identifies the certificate.
///
/// Its text is `sha256:` and 64 hexadecimal digits. The reader also accepts capitals and colons between the bytes, as
/// `openssl x509 -fingerprint -sha256` prints them.
public struct Fingerprint: Hashable, Sendable {
    /// The 32 bytes.
    public let bytes: [UInt8]

    /// The fingerprint of the certificate with these bytes.
    public init(ofCertificate bytes: Span<UInt8>) {
        self.bytes = SHA256.digest(bytes)
    }

    /// Reads its text; nil for anything else.
    public init?(_ text: String) {
        let prefix = "sha256:"
        guard text.lowercased().hasPrefix(prefix) else { return nil }
        guard let bytes = Hex.bytes(text.dropFirst(prefix.count), ignoring: [UInt8(ascii: ":")]), bytes.count == 32
        else { return nil }
        self.bytes = bytes
    }
}

extension Fingerprint: CustomStringConvertible {
    /// The text in the form that the configuration accepts.
    public var description: String { "sha256:" + Hex.text(bytes.span) }
}
