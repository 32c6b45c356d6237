import Configuration
import Crypto
import Glibc
import Support
import System
import Testing

@Suite struct TLSConfigurationTests {
    private static let pin = "sha256:" + String(repeating: "ab", count: 32)

    /// A folder with all files that the keys name, each of mode 600.
    private func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for name in ["ca.pem", "crl.pem", "own.pem", "own.key", "passphrase"] {
            try folder.write(name, "text\n")
            try setMode(0o600, of: folder.file(name))
        }
        try folder.write("psk", String(repeating: "0f", count: 16) + "\n")
        try setMode(0o600, of: folder.file("psk"))
        return folder
    }

    private func load(
        _ keys: String, in folder: TemporaryFolder, environment: [String: String] = [:]
    ) throws -> AgentConfiguration {
        try AgentConfiguration.load(
            text: "node: n\nmqtt: {url: 'mqtts://h', \(keys)}\n", file: folder.file("f"), environment: environment)
    }

    private func faults(
        _ keys: String, in folder: TemporaryFolder, environment: [String: String] = [:]
    ) -> [String] {
        do {
            _ = try load(keys, in: folder, environment: environment)
            return []
        } catch {
            return (error as? ConfigurationFaults)?.faults.map { $0.message } ?? ["\(error)"]
        }
    }

    @Test func everyKeyGivesItsValue() throws {
        let folder = try folder()
        let own = try load(
            "ca_file: ca.pem, crl_file: crl.pem, certificate_file: own.pem, key_file: own.key, key_passphrase_file: passphrase",
            in: folder
        ).mqtt.tls
        #expect(own.authoritiesFile == folder.file("ca.pem") && own.revocationFile == folder.file("crl.pem"))
        #expect(own.certificateFile == folder.file("own.pem") && own.keyFile?.path == folder.file("own.key"))
        #expect(try own.passphraseFile?.line().text == "text")
        let pin = try #require(Fingerprint(Self.pin))
        #expect(try load("fingerprint: '\(Self.pin)'", in: folder).mqtt.tls.fingerprints == [pin])
        #expect(
            try load("fingerprint: ['\(Self.pin)', '\(Self.pin)']", in: folder).mqtt.tls.fingerprints == [pin, pin])
        let shared = try load("psk_identity: guest, psk_file: psk", in: folder).mqtt.tls
        #expect(shared.sharedKeyIdentity == "guest" && shared.sharedKeyFile?.path == folder.file("psk"))
    }

    @Test func keysThatDoNotGoTogetherAreFaults() throws {
        let folder = try folder()
        #expect(faults("certificate_file: own.pem", in: folder) == ["'certificate_file' needs 'key_file' with it"])
        #expect(faults("key_file: own.key", in: folder) == ["'key_file' needs 'certificate_file' with it"])
        #expect(faults("psk_identity: a", in: folder) == ["'psk_identity' needs 'psk_file' with it"])
        #expect(
            faults("fingerprint: '\(Self.pin)', ca_file: ca.pem", in: folder)
                == ["give either 'fingerprint' or 'ca_file'"])
        #expect(
            faults("psk_identity: a, psk_file: psk, ca_file: ca.pem", in: folder)
                == ["give either 'psk_file' or 'ca_file'"])
    }

    @Test func valuesThatAreNoneAreFaults() throws {
        let folder = try folder()
        #expect(
            faults("fingerprint: abcd", in: folder)
                == ["expected sha256: and 64 hexadecimal digits, found 'abcd'"])
        try folder.write("psk", "0f0f\n")
        let messages = faults("psk_identity: a, psk_file: psk", in: folder)
        #expect(messages.count == 1 && messages[0].contains("is not a key of 32 to 512 hexadecimal digits"))
        #expect(!messages[0].contains("0f0f"), "what it holds is secret")
    }

    @Test(arguments: [0o660, 0o604, 0o444] as [UInt32])
    func keysThatOthersMayReadAreFaultsAndAPasswordIsOdd(_ mode: UInt32) throws {
        let folder = try folder()
        for name in ["own.key", "passphrase", "psk"] { try setMode(mode, of: folder.file(name)) }
        func sentence(_ name: String) -> String {
            "may be read by others than its user: chmod 600 \(folder.file(name))"
        }
        let own = faults("certificate_file: own.pem, key_file: own.key, key_passphrase_file: passphrase", in: folder)
        #expect(own.count == 2 && own[0].hasSuffix(sentence("own.key")) && own[1].hasSuffix(sentence("passphrase")))
        let shared = faults("psk_identity: a, psk_file: psk", in: folder)
        #expect(shared.count == 1 && shared[0].hasSuffix(sentence("psk")))
        try setMode(mode, of: folder.file("passphrase"))
        let warnings = try load("username: u, password_file: passphrase", in: folder).warnings
        #expect(warnings.count == 1 && warnings[0].message.hasSuffix(sentence("passphrase")))
    }

    @Test func whatRootSharesWithAServicesGroupIsTaken() throws {
        let folder = try folder()
        try setMode(0o640, of: folder.file("own.key"))
        let messages = faults("certificate_file: own.pem, key_file: own.key", in: folder)
        // The user of this test owns the files.
        #expect(messages.isEmpty == (geteuid() == 0))
    }

    @Test func credentialsOfSystemdAreFiles() throws {
        let folder = try folder()
        let keys = "certificate_file: own.pem, key_file: 'credential:own.key'"
        let given = try load(keys, in: folder, environment: ["CREDENTIALS_DIRECTORY": folder.path])
        #expect(given.mqtt.tls.keyFile?.path == folder.file("own.key"))
        #expect(
            faults(keys, in: folder)
                == ["there are no credentials: start it by a unit with LoadCredential=own.key:FILE"])
        #expect(
            faults(
                "certificate_file: own.pem, key_file: 'credential:../own.key'", in: folder,
                environment: ["CREDENTIALS_DIRECTORY": folder.path]
            ).first?.hasPrefix("expected 'credential:' and a name without '/'") == true)
    }

    @Test func keysHaveNoEffectWithoutTLSAndAreSetByTheEnvironment() throws {
        let folder = try folder()
        let plain = try AgentConfiguration.load(
            text: "node: n\nmqtt: {url: 'mqtt://h', ca_file: ca.pem, crl_file: crl.pem}\n", file: folder.file("f"))
        #expect(
            plain.warnings.map(\.message) == [
                "'ca_file' has no effect without mqtts://", "'crl_file' has no effect without mqtts://",
            ])
        let set = try load("", in: folder, environment: ["WHEREABOUTS_MQTT_FINGERPRINT": Self.pin])
        #expect(set.mqtt.tls.fingerprints.map(\.description) == [Self.pin])
    }
}
