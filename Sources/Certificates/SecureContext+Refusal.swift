internal import CSSL

extension SecureContext {
    /// The reason why the last handshake failed; nil if it isn't a matter of TLS.
    ///
    /// - Parameter report: the text of the TLS library, which contains OpenSSL's code as `error:0A00010B:…`; nil for
    ///   none.
    public func refusal(report: String?) -> CertificateFault? {
        if let fault = handshake.fault { return fault }
        if let alert = handshake.alert { return Self.fault(alert, handshake) }
        let code = report.flatMap(Self.code)
        switch code.map({ ERR_GET_REASON($0) }) {
        case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_TLSV1_ALERT_PROTOCOL_VERSION: return .oldProtocol
        case SSL_R_WRONG_VERSION_NUMBER, SSL_R_HTTP_REQUEST, SSL_R_PACKET_LENGTH_TOO_LONG: return .noTLS
        case SSL_R_UNEXPECTED_EOF_WHILE_READING, nil:
            // The alert of a broker that closes is lost if this client was about to write.
            if handshake.isKeyInDoubt { return .closedAtKey }
            if handshake.hasAsked { return .closed(showedIdentity: handshake.showsIdentity) }
            return handshake.hasAnswered ? nil : .silent
        case .some:
            let words = unsafe code.flatMap { unsafe ERR_reason_error_string($0) }.map { unsafe String(cString: $0) }
            return .alert(words ?? report ?? "")
        }
    }

    /// The first of OpenSSL's codes in a text (ERR_error_string(3)).
    static func code(_ report: String) -> UInt? {
        let mark = Array("error:".utf8)
        let bytes = Array(report.utf8)
        guard bytes.count >= mark.count else { return nil }
        for start in 0...(bytes.count - mark.count) where bytes[start...].starts(with: mark) {
            let digits = bytes[(start + mark.count)...].prefix { $0 != UInt8(ascii: ":") }
            if let code = UInt(String(decoding: digits, as: UTF8.self), radix: 16) { return code }
        }
        return nil
    }

    /// The fault that an alert of the broker means (RFC 8446 section 6.2).
    private static func fault(_ alert: UInt8, _ handshake: Handshake) -> CertificateFault {
        let words = unsafe String(cString: SSL_alert_desc_string_long(Int32(alert)))
        if case .sharedKey = handshake.trust, [20, 21, 40, 51, 115].contains(alert) { return .keyRefused }
        switch alert {
        case 70: return .oldProtocol
        // bad_certificate to unknown_ca, access_denied, certificate_required.
        case 116: return .certificateWanted
        case 42...46, 48, 49:
            return handshake.showsIdentity ? .certificateRefused(alert: words) : .certificateWanted
        // Sent by a broker of TLS 1.2 that asked for a certificate and got none.
        case 40 where handshake.hasAnswered && !handshake.showsIdentity: return .certificateWanted
        default: return .alert(words)
        }
    }
}
