extension CertificateFault: CustomStringConvertible {
    /// The fault, in a sentence without its end.
    public var words: String {
        switch self {
        case .absent(let content, let file, let found, let isBinary):
            if isBinary { return "the file '\(file)' is in binary form (DER), not PEM" }
            return "the file '\(file)' holds no \(content.rawValue)"
                + (found.isEmpty ? "" : " but \(found.prefix(3).joined(separator: ", "))")
        case .broken(let content, let file, let number):
            return "\(content.rawValue) \(number) of the file '\(file)' is broken"
        case .passphraseMissing(let file): return "the key in '\(file)' is encrypted, and no passphrase is given"
        case .passphraseWrong(let file): return "the passphrase doesn't open the key in '\(file)'"
        case .otherKey(let file, let certificate):
            return "the key in '\(file)' doesn't belong to the certificate in '\(certificate)'"
        case .unusable(let file, let reason): return "the file '\(file)' can't be used: \(reason)"
        case .otherHost(let asked, let hosts):
            if hosts.isEmpty { return "the broker's certificate names no host, so not \(asked) either" }
            let left = hosts.count > 5 ? " and \(hosts.count - 5) more" : ""
            return "the broker's certificate is for \(hosts.prefix(5).joined(separator: ", "))\(left), not for \(asked)"
        case .expired(let subject, let at, let now):
            return """
                the broker's certificate (\(subject)) expired at \(UTCDate.text(at)), and this machine's clock says \
                \(UTCDate.day(now))
                """
        case .notYetValid(let subject, let from, let now):
            return """
                the broker's certificate (\(subject)) begins at \(UTCDate.text(from)), and this machine's clock says \
                \(UTCDate.day(now))
                """
        case .unknownAuthority(let issuer, let isSystem):
            return "the broker's certificate is signed by \(issuer), which "
                + (isSystem ? "this system doesn't trust" : "isn't in ca_file")
        case .selfSigned: return "the broker's certificate is signed by itself alone"
        case .revoked(let subject): return "the broker's certificate (\(subject)) is revoked"
        case .listMissing(let issuer): return "crl_file holds no list of \(issuer), who signed the broker's certificate"
        case .listExpired(let at):
            return "the list of revoked certificates expired" + (at.map { " at \(UTCDate.text($0))" } ?? "")
        case .otherFingerprint(let seen): return "the broker's certificate isn't the pinned one: its pin is \(seen)"
        case .untrusted(let subject, let reason):
            return "the broker's certificate (\(subject)) isn't accepted: \(reason)"
        case .oldProtocol: return "the broker speaks no TLS newer than 1.1, which isn't secure"
        case .noTLS: return "what answers there doesn't speak TLS"
        case .silent: return "the connection was closed before a word of TLS came"
        case .keyRefused: return "the broker refuses the shared key or its name"
        case .closedAtKey: return "the broker closed the connection as soon as it had the name of the shared key"
        case .certificateWanted: return "the broker wants a certificate of this client, and none is set"
        case .certificateRefused(let alert): return "the broker refuses this client's certificate: \(alert)"
        case .closed: return "the broker asked for a certificate of this client, and then closed the connection"
        case .alert(let alert): return "the broker ended the TLS handshake: \(alert)"
        }
    }

    /// The remedy.
    public var mend: String {
        switch self {
        case .absent(let content, let file, _, isBinary: true):
            content == .certificate
                ? "convert it: openssl x509 -inform DER -in \(file) -out FILE.pem"
                : "convert it to PEM with openssl"
        case .absent(let content, _, _, _): "name the PEM file with the \(content.rawValue)"
        case .broken: "copy the file again, whole and as text"
        case .passphraseMissing: "name a file with its passphrase in mqtt.key_passphrase_file"
        case .passphraseWrong: "check the file of mqtt.key_passphrase_file against the key"
        case .otherKey: "check that mqtt.certificate_file and mqtt.key_file were made together"
        case .unusable: "make it anew, with an RSA key of 2048 bits or more or an elliptic one"
        case .otherHost(let asked, _):
            "write one of its names into mqtt.url, or have a certificate made for \(asked)"
        case .expired: "renew it, or set this machine's clock"
        case .notYetValid: "set this machine's clock, or wait"
        case .unknownAuthority: "name the file with that authority's certificate in mqtt.ca_file"
        case .selfSigned(let fingerprint):
            """
            if it is the one that the broker's machine shows, trust it alone: mqtt.fingerprint: \(fingerprint); or \
            have it signed and name the authority in mqtt.ca_file
            """
        case .revoked: "give the broker a new certificate"
        case .listMissing, .listExpired: "fetch a new list for mqtt.crl_file"
        case .otherFingerprint:
            "compare it with the one on the broker's machine; only if they are the same, put it into mqtt.fingerprint"
        case .untrusted: "have the broker's certificate made anew"
        case .oldProtocol: "update the broker, or let it speak TLS 1.2 or newer"
        case .noTLS, .silent: "check the port in mqtt.url: this one seems to want mqtt:// instead of mqtts://"
        case .keyRefused, .closedAtKey:
            "check mqtt.psk_identity and the file of mqtt.psk_file against the broker's psk_file"
        case .certificateWanted, .closed(showedIdentity: false): "set mqtt.certificate_file and mqtt.key_file"
        case .certificateRefused, .closed(showedIdentity: true):
            """
            check that the authority which the broker trusts has signed mqtt.certificate_file, and that it is neither \
            expired nor revoked
            """
        case .alert: "the broker's log says more"
        }
    }

    /// Sentence and remedy.
    public var description: String { "\(words); \(mend)" }
}
