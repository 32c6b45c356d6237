import Certificates
import Testing

@Suite struct PEMTextTests {
    @Test func blocksAreNamedInTheirOrder() {
        let text =
            "words\n-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\r\n-----BEGIN PRIVATE KEY-----\n"
        #expect(PEMText(name: "f", bytes: Array(text.utf8)).labels == ["CERTIFICATE", "PRIVATE KEY"])
        #expect(PEMText(name: "f", bytes: []).labels.isEmpty)
    }
}
