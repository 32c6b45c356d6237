internal import Bytes
internal import Certificates
internal import Configuration
internal import MQTT
internal import Synchronization
internal import System

/// The credentials of a client and its broker: read from the configuration's files again for each connection, so that
/// renewed files apply from the next one.
///
/// Connections are made on the client's own thread; the certificates that they verified may be read by any.
final class BrokerSecurity: Sendable {
    private let settings: MQTTSettings
    private let proved = Mutex<[Certificate]>([])

    init(_ settings: MQTTSettings) {
        self.settings = settings
    }

    /// The password and the security of a connection to a broker. Reads files; throws their fault.
    func credentials(for address: BrokerAddress) throws(SecurityRefusal) -> Credentials {
        var credentials = Credentials()
        if let file = settings.password {
            credentials.password = try Self.read(file, "mqtt.password_file") { file throws(SecretFile.Problem) in
                try file.line().text
            }
        }
        guard address.scheme == .mqtts else { return credentials }
        let (trust, lists, identity) = (try readTrust(), try revocationLists(), try readIdentity())
        let context = try Self.convertingFaults { () throws(CertificateFault) in
            try SecureContext(host: address.host, trust: trust, revoked: lists, identity: identity) { [self] chain in
                proved.withLock { $0 = chain }
            }
        }
        credentials.security = SecuredLine(context)
        return credentials
    }

    /// The problems that will prevent the next connection, a sentence each: certificates and lists that expire soon
    /// (the client's own from the current files, the broker's and those above it from the last connection), and renewed
    /// files that can't be used. With the earliest end of a certificate; nil if there is none.
    func examine(at now: Timestamp) -> (problems: [String], expiry: Timestamp?) {
        guard settings.brokers.contains(where: \.isSecure) else { return ([], nil) }
        var found: [String?] = []
        var ends: [Timestamp] = []
        do throws(SecurityRefusal) {
            _ = try readTrust()
            let own = try readIdentity()?.certificates.first
            found.append(own?.expiry(of: "this client's certificate", at: now))
            if let end = own?.ends { ends.append(end) }
            found += try revocationLists().map { $0.expiry(at: now) }
        } catch {
            found.append("\(error.words); \(error.mend)")
        }
        // A pinned certificate is valid whatever its dates.
        if settings.tls.fingerprints.isEmpty {
            for (index, certificate) in proved.withLock({ $0 }).enumerated() {
                let role = index == 0 ? "the broker's certificate" : "an authority's certificate"
                found.append(certificate.expiry(of: role, at: now))
                if let end = certificate.ends { ends.append(end) }
            }
        }
        return (found.compactMap { $0 }, ends.min())
    }

    // MARK: Files

    private func readTrust() throws(SecurityRefusal) -> BrokerTrust {
        let tls = settings.tls
        if let identity = tls.sharedKeyIdentity, let file = tls.sharedKeyFile {
            let line = try Self.read(file, "mqtt.psk_file") { file throws(SecretFile.Problem) in try file.line() }
            guard let key = TLSSettings.sharedKey(line) else {
                throw SecurityRefusal(
                    "the file '\(file.path)' is not a key in hexadecimal digits", mend: "check mqtt.psk_file")
            }
            return .sharedKey(identity: identity, key: key)
        }
        if !tls.fingerprints.isEmpty { return .pinned(tls.fingerprints) }
        guard let path = tls.authoritiesFile else { return .system }
        let text = try Self.readText(SecretFile(path: path, isStrict: false), "mqtt.ca_file")
        return .authorities(try Self.convertingFaults { () throws(CertificateFault) in try Certificate.read(text) })
    }

    private func revocationLists() throws(SecurityRefusal) -> [RevocationList] {
        guard let path = settings.tls.revocationFile else { return [] }
        let text = try Self.readText(SecretFile(path: path, isStrict: false), "mqtt.crl_file")
        return try Self.convertingFaults { () throws(CertificateFault) in try RevocationList.read(text) }
    }

    private func readIdentity() throws(SecurityRefusal) -> OwnIdentity? {
        let tls = settings.tls
        guard let certificateFile = tls.certificateFile, let keyFile = tls.keyFile else { return nil }
        let certificate = try Self.readText(SecretFile(path: certificateFile, isStrict: false), "mqtt.certificate_file")
        let key = try Self.readText(keyFile, "mqtt.key_file")
        var passphrase: [UInt8]?
        if let file = tls.passphraseFile {
            passphrase = try Self.read(file, "mqtt.key_passphrase_file") { file throws(SecretFile.Problem) in
                try file.line().bytes
            }
        }
        return try Self.convertingFaults { () throws(CertificateFault) in
            try OwnIdentity(certificate: certificate, key: key, passphrase: passphrase)
        }
    }

    private static func readText(_ file: SecretFile, _ key: String) throws(SecurityRefusal) -> PEMText {
        PEMText(
            name: file.path,
            bytes: try read(file, key) { file throws(SecretFile.Problem) in try file.read() })
    }

    private static func read<Value>(
        _ file: SecretFile, _ key: String, _ body: (SecretFile) throws(SecretFile.Problem) -> Value
    ) throws(SecurityRefusal) -> Value {
        do throws(SecretFile.Problem) {
            return try body(file)
        } catch {
            throw SecurityRefusal("the file '\(file.path)' \(error.words)", mend: error.mend ?? "check \(key)")
        }
    }

    private static func convertingFaults<Value>(
        _ body: () throws(CertificateFault) -> Value
    ) throws(SecurityRefusal) -> Value {
        do throws(CertificateFault) {
            return try body()
        } catch {
            throw SecurityRefusal(error.words, mend: error.mend)
        }
    }
}

/// One connection's context, in the form that the client requires.
@safe private final class SecuredLine: TransportSecurity {
    private let secure: SecureContext

    init(_ secure: SecureContext) {
        self.secure = secure
    }

    @unsafe var context: UnsafeMutableRawPointer { unsafe secure.pointer }

    func refusal(report: String?) -> SecurityRefusal? {
        secure.refusal(report: report).map { SecurityRefusal($0.words, mend: $0.mend) }
    }
}
