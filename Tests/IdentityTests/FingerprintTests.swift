import Crypto
import Testing

@Suite struct FingerprintTests {
    static let digits = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

    @Test func itIsTheSHA256OfTheCertificate() {
        #expect(Fingerprint(ofCertificate: Array("abc".utf8).span).description == "sha256:" + Self.digits)
    }

    @Test func itIsReadAsPeopleAndOpenSSLWriteIt() {
        let plain = Fingerprint("sha256:" + Self.digits)
        #expect(plain?.description == "sha256:" + Self.digits)
        #expect(Fingerprint("SHA256:" + Self.digits.uppercased()) == plain)
        var parted = ""
        for (index, digit) in Self.digits.uppercased().enumerated() {
            parted += index > 0 && index % 2 == 0 ? ":\(digit)" : "\(digit)"
        }
        #expect(Fingerprint("sha256:" + parted) == plain)
    }

    @Test(arguments: [
        "", "sha256:", "sha1:\(digits)", digits, "sha256:\(digits.dropLast(2))", "sha256:\(digits)00",
        "sha256:\(digits.dropLast())g", "sha256: \(digits)",
    ])
    func anythingElseIsNone(_ text: String) {
        #expect(Fingerprint(text) == nil)
    }
}
