import Bytes
import Support
import Testing

@testable import Certificates

/// The certificates of an authority, as verified by the `openssl` command.
@Suite(.enabled(if: Execution.find("openssl") != nil, "the openssl command isn't installed"))
struct AuthorityTests {
    static let now = Timestamp(microseconds: 1_795_248_000_000_000)
    static let later = now.advanced(byMicroseconds: 86_400_000_000)

    /// An authority in a folder: `ca.pem`.
    static func made(_ folder: TemporaryFolder) throws -> CertificateAuthority {
        let authority = try CertificateAuthority.make(name: "House", from: now, until: later)
        _ = try folder.write(authority.certificate.pem(), to: "ca.pem")
        return authority
    }

    static func issue(
        _ authority: CertificateAuthority, _ name: String, _ purpose: CertificateAuthority.Purpose,
        serial: [UInt8] = [0x41, 2, 3]
    ) throws -> (Certificate, PrivateKey) {
        let key = try PrivateKey.make()
        let request = try CertificateRequest.make(name: name, key: key)
        return (try authority.issue(request, purpose, serial: serial, from: now, until: later), key)
    }

    /// The result of `openssl verify` at a time within the certificates' validity.
    static func verify(_ folder: TemporaryFolder, _ options: [String]) throws -> Execution.Outcome {
        try Execution.run(
            #require(Execution.find("openssl")),
            ["verify", "-x509_strict", "-attime", "1795250000", "-CAfile", folder.file("ca.pem")] + options)
    }

    @Test("Accept a client's certificate for a client, and not for a broker")
    func client() throws {
        let folder = try TemporaryFolder()
        let (certificate, key) = try Self.issue(Self.made(folder), "kitchen", .client)
        let path = try folder.write(certificate.pem(), to: "kitchen.pem")
        #expect(key.fits(certificate))
        #expect(certificate.subject == "CN=kitchen" && certificate.ends == Self.later)
        #expect(try Self.verify(folder, ["-purpose", "sslclient", path]).status == 0)
        #expect(try Self.verify(folder, ["-purpose", "sslserver", path]).status != 0)
    }

    @Test("Accept a broker's certificate for its names and addresses, and no others")
    func broker() throws {
        let folder = try TemporaryFolder()
        let hosts = ["broker.lan", "192.168.1.2", "fd00::2"]
        let (certificate, _) = try Self.issue(Self.made(folder), "broker.lan", .server(hosts: hosts))
        let path = try folder.write(certificate.pem(), to: "broker.pem")
        for option in [["-verify_hostname", "broker.lan"], ["-verify_ip", "192.168.1.2"], ["-verify_ip", "fd00::2"]] {
            #expect(try Self.verify(folder, ["-purpose", "sslserver"] + option + [path]).status == 0, "\(option)")
        }
        #expect(try Self.verify(folder, ["-verify_hostname", "other.lan", path]).status != 0)
        // A broker of a cluster is a client of the others.
        #expect(try Self.verify(folder, ["-purpose", "sslclient", path]).status == 0)
    }

    @Test("Reject revoked certificates by the list, and no others")
    func revoked() throws {
        let folder = try TemporaryFolder()
        let authority = try Self.made(folder)
        let (one, _) = try Self.issue(authority, "one", .client, serial: [0x41, 1])
        let (two, _) = try Self.issue(authority, "two", .client, serial: [0x41, 2])
        let list = try authority.list(
            [.init(serial: [0x41, 1], at: Self.now)], number: 7, from: Self.now, until: Self.later)
        let options = ["-crl_check", "-CRLfile", try folder.write(list.pem(), to: "crl.pem")]
        let refused = try Self.verify(folder, options + [folder.write(one.pem(), to: "one.pem")])
        #expect(refused.status != 0 && refused.error.contains("revoked"), "\(refused.error)")
        #expect(try Self.verify(folder, options + [folder.write(two.pem(), to: "two.pem")]).status == 0)
    }

    @Test("Decrypt a key with its passphrase alone")
    func passphrase() throws {
        let key = try PrivateKey.make()
        let text = PEMText(name: "ca.key", bytes: try key.pem(passphrase: Array("correct horse".utf8)))
        #expect(text.labels == ["ENCRYPTED PRIVATE KEY"])
        #expect(throws: CertificateFault.passphraseMissing(file: "ca.key")) { try PrivateKey.read(text) }
        #expect(throws: CertificateFault.passphraseWrong(file: "ca.key")) {
            try PrivateKey.read(text, passphrase: Array("battery".utf8))
        }
        let certificate = try CertificateAuthority.make(name: "House", from: Self.now, until: Self.later).certificate
        #expect(try !PrivateKey.read(text, passphrase: Array("correct horse".utf8)).fits(certificate))
    }

    @Test(
        "No name or host reaches OpenSSL's parser of extensions",
        arguments: ["a,DNS:bank.example", "", "a b", "a;b", "[::1]", String(repeating: "a", count: 254)])
    func names(host: String) throws {
        let folder = try TemporaryFolder()
        let authority = try Self.made(folder)
        #expect(throws: AuthorityFault.malformedName(host)) {
            try Self.issue(authority, "broker", .server(hosts: [host]))
        }
        #expect(throws: AuthorityFault.self) {
            try CertificateRequest.make(name: "a\nb", key: PrivateKey.make())
        }
    }

    @Test("Reject signing by a certificate that isn't an authority's, and by another's key")
    func impostor() throws {
        let folder = try TemporaryFolder()
        let authority = try Self.made(folder)
        let (certificate, key) = try Self.issue(authority, "kitchen", .client)
        #expect(throws: AuthorityFault.notAnAuthority) { try CertificateAuthority(certificate: certificate, key: key) }
        #expect(throws: AuthorityFault.notAnAuthority) {
            try CertificateAuthority(certificate: authority.certificate, key: key)
        }
    }
}
