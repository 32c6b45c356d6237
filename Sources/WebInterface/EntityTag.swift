internal import Crypto

/// The tag by which a client knows whether bytes have changed (RFC 9110 section 8.8.3).
enum EntityTag {
    /// The value of `ETag` for some bytes.
    static func text(of bytes: [UInt8]) -> String { "\"\(SHA256.hex(bytes.span, digits: 16))\"" }
}
