import Configuration
import Glibc
import Support
import Testing

/// One's own certificate, keys and files: what is wrong with them is told before, or when, a broker refuses them.
@Suite(
    .inTurn, .enabled(if: Broker.isInstalled, Comment(rawValue: Broker.missing)),
    .enabled(if: TestAuthority.canBeMade, Comment(rawValue: TestAuthority.missing)))
struct OwnFilesTests {
    private static let asking = ["cafile %d/authority.pem", "require_certificate true"]

    /// A broker that wants a certificate, and a guest's files by the same authority.
    private func house() throws -> TLSHouse {
        let house = try TLSHouse(Self.asking)
        try house.authority.issue("guest", hosts: nil)
        return house
    }

    private func guest(_ house: TLSHouse, _ adjust: (inout TLSSettings) -> Void = { _ in }) throws -> TLSPeer {
        try house.guest {
            $0.certificateFile = "\(house.folder)/guest.pem"
            $0.keyFile = SecretFile(path: "\(house.folder)/guest.key")
            adjust(&$0)
        }
    }

    @Test func aClientsCertificateIsTaken() throws {
        #expect(try guest(try house()).outcome() == "connected")
    }

    @Test func aBrokerThatWantsOneSaysSo() throws {
        // The broker's alert is lost where the client was about to write; what is left to say leads to the same.
        let mend = "set mqtt.certificate_file and mqtt.key_file"
        let sentences = [
            "the broker wants a certificate of this client, and none is set | \(mend)",
            "the broker asked for a certificate of this client, and then closed the connection | \(mend)",
        ]
        for version in ["tlsv1.2", "tlsv1.3"] {
            let outcome = try TLSHouse(Self.asking + ["tls_version \(version)"]).guest().outcome()
            #expect(sentences.contains(outcome))
        }
    }

    @Test func aStrangersCertificateIsRefusedByTheBroker() throws {
        let house = try house()
        try TestAuthority("stranger", in: house.folder).issue("guest", hosts: nil)
        #expect(Self.isRefusal(try guest(house).outcome(), "unknown CA"))
    }

    /// True if the broker refused the certificate, by its alert or by closing the connection.
    private static func isRefusal(_ outcome: String, _ alert: String) -> Bool {
        let mend = " | check that the authority which the broker trusts has signed mqtt.certificate_file"
        return outcome.hasPrefix("the broker refuses this client's certificate: \(alert)\(mend)")
            || outcome.hasPrefix(
                "the broker asked for a certificate of this client, and then closed the connection\(mend)")
    }

    @Test func anExpiredOneOfOnesOwnIsNamedByTheBroker() throws {
        let house = try house()
        try house.authority.issue("guest", hosts: nil, days: -9 ... -1)
        #expect(Self.isRefusal(try guest(house).outcome(), "certificate expired"))
    }

    @Test(arguments: [0o660, 0o604]) func aKeyReadableByOthersIsRefused(_ mode: UInt32) throws {
        let house = try house()
        let key = "\(house.folder)/guest.key"
        try setMode(mode, of: key)
        #expect(
            try guest(house).outcome()
                == "the file '\(key)' may be read by others than its user | chmod 600 \(key)")
        try setMode(0o600, of: key)
        #expect(try guest(house).outcome() == "connected")
    }

    @Test(.enabled(if: getuid() == 0, "only root can give a file to root"))
    func aKeyOfRootsMayBelongToAServicesGroup() throws {
        let house = try house()
        try setMode(0o640, of: "\(house.folder)/guest.key")
        #expect(try guest(house).outcome() == "connected")
    }

    @Test func aKeyOfAnotherCertificateIsRefused() throws {
        let house = try house()
        let outcome = try guest(house) { $0.keyFile = SecretFile(path: "\(house.folder)/authority.key") }.outcome()
        #expect(
            outcome == """
                the key in '\(house.folder)/authority.key' doesn't belong to the certificate in \
                '\(house.folder)/guest.pem' | check that mqtt.certificate_file and mqtt.key_file were made together
                """)
    }

    @Test func anEncryptedKeyNeedsItsPassphrase() throws {
        let house = try house()
        let key = "\(house.folder)/locked.key"
        try TestAuthority.openssl(
            ["pkey", "-aes256", "-passout", "pass:sesame", "-in", "\(house.folder)/guest.key", "-out", key])
        try setMode(0o600, of: key)
        let passphrase = "\(house.folder)/passphrase"
        func outcome(_ text: String?) throws -> String {
            if let text {
                try write(text, to: passphrase)
                try setMode(0o600, of: passphrase)
            }
            return try guest(house) {
                $0.keyFile = SecretFile(path: key)
                $0.passphraseFile = text.map { _ in SecretFile(path: passphrase) }
            }.outcome()
        }
        #expect(try outcome("sesame\n") == "connected")
        #expect(
            try outcome(nil) == """
                the key in '\(key)' is encrypted, and no passphrase is given | name a file with its passphrase in \
                mqtt.key_passphrase_file
                """)
        #expect(
            try outcome("open") == """
                the passphrase doesn't open the key in '\(key)' | check the file of mqtt.key_passphrase_file against the \
                key
                """)
        try write("sesame\n", to: passphrase)
        try setMode(0o644, of: passphrase)
        #expect(
            try guest(house) {
                $0.keyFile = SecretFile(path: key)
                $0.passphraseFile = SecretFile(path: passphrase)
            }.outcome().hasPrefix("the file '\(passphrase)' may be read by others"))
    }

    @Test func filesThatAreMissingOrBrokenAreNamed() throws {
        let house = try house()
        let folder = house.folder
        func outcome(_ authorities: String) throws -> String {
            try house.guest { $0.authoritiesFile = "\(folder)/\(authorities)" }.outcome()
        }
        #expect(try outcome("none.pem") == "the file '\(folder)/none.pem' does not exist | check mqtt.ca_file")
        #expect(
            try outcome("authority.key") == """
                the file '\(folder)/authority.key' holds no certificate but PRIVATE KEY | name the PEM file with the \
                certificate
                """)
        let text = try #require(readFile(house.authority.certificate))
        try write(String(text.dropLast(60)), to: "\(folder)/cut.pem")
        #expect(
            try outcome("cut.pem")
                == "certificate 1 of the file '\(folder)/cut.pem' is broken | copy the file again, whole and as text")
        try TestAuthority.openssl(
            ["x509", "-in", house.authority.certificate, "-outform", "DER", "-out", "\(folder)/binary.pem"])
        #expect(try outcome("binary.pem").hasPrefix("the file '\(folder)/binary.pem' is in binary form (DER), not PEM"))
    }

    @Test func aSharedKeyConnectsAndAWrongOneDoesNot() throws {
        let key = String(repeating: "0f", count: 32)
        let broker = try Broker(["psk_file %d/keys", "psk_hint house"], files: ["keys": "guest:\(key)\n"])
        let file = "\(broker.folder)/guest.psk"
        func outcome(_ identity: String, _ key: String, port: UInt16? = nil) throws -> String {
            try write(key + "\n", to: file)
            try setMode(0o600, of: file)
            return try TLSPeer(port: port ?? broker.port) {
                ($0.tls.sharedKeyIdentity, $0.tls.sharedKeyFile) = (identity, SecretFile(path: file))
            }.outcome()
        }
        #expect(try outcome("guest", key) == "connected")
        let mend = "check mqtt.psk_identity and the file of mqtt.psk_file against the broker's psk_file"
        let closed = "the broker closed the connection as soon as it had the name of the shared key | \(mend)"
        // The broker's alert is lost where it closes before it has read all that the client wrote.
        let sentences = ["the broker refuses the shared key or its name | \(mend)", closed]
        let wrong = String(repeating: "0e", count: 32)
        #expect(sentences.contains(try outcome("guest", wrong)))
        #expect(sentences.contains(try outcome("stranger", key)))
        let relay = try Relay(to: broker.port, losingAlerts: true)
        #expect(try outcome("guest", key, port: relay.port) == "connected")
        #expect(try outcome("guest", wrong, port: relay.port) == closed)
        #expect(try outcome("stranger", key, port: relay.port) == closed)
    }
}
