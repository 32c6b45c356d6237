import Bytes
import Certificates
import Support
import Testing

/// Certificates and keys out of PEM texts: what is read, and what is said of what can't be.
@Suite(.enabled(if: TestAuthority.canBeMade, Comment(rawValue: TestAuthority.missing))) struct PEMTests {
    private static func text(_ path: String) throws -> PEMText {
        PEMText(name: "f", bytes: Array(try #require(readFile(path)).utf8))
    }

    private static func fault(_ body: () throws -> Void) -> CertificateFault? {
        do {
            try body()
            return nil
        } catch {
            return error as? CertificateFault
        }
    }

    @Test func aCertificateTellsWhoseItIsAndForHowLong() throws {
        let folder = try TemporaryFolder()
        let authority = try TestAuthority("house", in: folder.path)
        let hosts = "DNS:broker.lan,IP:10.0.0.7,IP:fd00::7,DNS:*.lan"
        let path = try authority.issue("server", hosts: hosts, days: -1...30)
        let certificate = try #require(Certificate.read(try Self.text(path)).first)
        #expect(certificate.subject == "CN=server" && certificate.issuer == "CN=house")
        #expect(certificate.hosts == ["broker.lan", "10.0.0.7", "fd00::7", "*.lan"])
        let (begins, ends) = (try #require(certificate.begins), try #require(certificate.ends))
        #expect((ends.seconds(since: begins) - 31 * 86_400).magnitude < 2)
        #expect(!certificate.isSelfSigned)
        let root = try #require(Certificate.read(try Self.text(authority.certificate)).first)
        #expect(root.isSelfSigned && root.hosts == ["house"])
        let soon = try #require(certificate.expiry(of: "its certificate", at: ends.advanced(bySeconds: -86_400)))
        #expect(soon.hasPrefix("its certificate (CN=server) expires at 2"))
        #expect(certificate.expiry(of: "it", at: ends.advanced(bySeconds: -11 * 86_400)) == nil)
        #expect(certificate.expiry(of: "it", at: ends.advanced(bySeconds: 1))?.contains("expired at") == true)
    }

    @Test func aFileMayHoldSeveralAndOtherThings() throws {
        let folder = try TemporaryFolder()
        let authority = try TestAuthority("house", in: folder.path)
        let server = try authority.issue("server")
        let key = try #require(readFile(folder.file("server.key")))
        let both = try #require(readFile(server)) + key + (try #require(readFile(authority.certificate)))
        let text = PEMText(name: "f", bytes: Array("words before\n\(both)".utf8))
        #expect(try Certificate.read(text).map(\.subject) == ["CN=server", "CN=house"])
        #expect(try PrivateKey.read(text).fits(Certificate.read(text)[0]))
        #expect(try OwnIdentity(certificate: text, key: text).certificates.count == 2)
    }

    @Test func everyTruncationIsAFaultOrTheWhole() throws {
        let folder = try TemporaryFolder()
        let authority = try TestAuthority("house", in: folder.path)
        try authority.revoke(nil)
        let certificate = try Self.text(authority.certificate).bytes
        let key = try Self.text(folder.file("house.key")).bytes
        let list = try Self.text(authority.revocationList).bytes
        for count in 0..<certificate.count - 1 {
            let part = PEMText(name: "f", bytes: Array(certificate.prefix(count)))
            #expect(Self.fault { _ = try Certificate.read(part) } != nil)
        }
        for count in 0..<key.count - 1 {
            let part = PEMText(name: "f", bytes: Array(key.prefix(count)))
            #expect(Self.fault { _ = try PrivateKey.read(part) } != nil)
        }
        for count in 0..<list.count - 1 {
            let part = PEMText(name: "f", bytes: Array(list.prefix(count)))
            #expect(Self.fault { _ = try RevocationList.read(part) } != nil)
        }
    }

    @Test func changedBytesNeverTrap() throws {
        let folder = try TemporaryFolder()
        let authority = try TestAuthority("house", in: folder.path)
        let certificate = try Self.text(try authority.issue("server")).bytes
        var generator = SeededGenerator(seed: 7)
        // Of PEM's own letters, so that most changes reach what it holds.
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var read = 0
        for _ in 0..<1000 {
            var bytes = certificate
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] =
                    letters[Int.random(in: letters.indices, using: &generator)]
            }
            guard let certificates = try? Certificate.read(PEMText(name: "f", bytes: bytes)) else { continue }
            read += 1
            for one in certificates {
                _ = (one.hosts, one.subject, one.issuer, one.begins, one.ends, one.isSelfSigned, one.fingerprint)
            }
        }
        #expect(read > 100, "many changes leave the form as it is")
    }

    @Test func whatAFileHoldsInsteadIsSaid() throws {
        #expect(
            Self.fault { _ = try Certificate.read(PEMText(name: "f", bytes: Array("hello".utf8))) }
                == .absent(.certificate, file: "f", found: [], isBinary: false))
        let key = PEMText(name: "f", bytes: Array("-----BEGIN EC PRIVATE KEY-----\n".utf8))
        #expect(
            Self.fault { _ = try Certificate.read(key) }?.words
                == "the file 'f' holds no certificate but EC PRIVATE KEY")
        let binary = PEMText(name: "f", bytes: [0x30, 0x82, 1, 2, 3])
        #expect(Self.fault { _ = try Certificate.read(binary) }?.words.contains("binary form (DER)") == true)
    }
}

@Suite struct PEMTextTests {
    @Test func blocksAreNamedInTheirOrder() {
        let text =
            "words\n-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\r\n-----BEGIN PRIVATE KEY-----\n"
        #expect(PEMText(name: "f", bytes: Array(text.utf8)).labels == ["CERTIFICATE", "PRIVATE KEY"])
        #expect(PEMText(name: "f", bytes: []).labels.isEmpty)
    }
}
