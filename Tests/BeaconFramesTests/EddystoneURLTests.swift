import BeaconFrames
import Bytes
import Support
import Testing

@Suite struct EddystoneURLTests {
    private static let schemes = ["http://www.", "https://www.", "http://", "https://"]
    private static let expansions = [
        ".com/", ".org/", ".edu/", ".net/", ".info/", ".biz/", ".gov/", ".com", ".org", ".edu", ".net", ".info", ".biz",
        ".gov",
    ]

    private func url(_ serviceData: String) -> String? {
        guard case .eddystoneURL(let frame)? = eddystone(serviceData) else { return nil }
        return frame.url
    }

    @Test func everySchemeAndEveryExpansionIsSpelledOut() throws {
        for (scheme, prefix) in Self.schemes.enumerated() {
            for (code, text) in Self.expansions.enumerated() {
                let frame = [0x10, 0, UInt8(scheme), 0x61, UInt8(code)]
                #expect(url(Hex.text(frame.span)) == prefix + "a" + text)
                let encoded = try EddystoneURL(prefix + "a" + text, txPower: 0)
                #expect(encoded.serviceData == frame)
            }
        }
    }

    @Test func aByteWithoutAMeaningMakesItNoAddress() {
        for byte in UInt8.min ... .max {
            let isMeant = byte <= 13 || (0x21...0x7E).contains(byte)
            #expect((url(Hex.text([0x10, 0, 2, byte].span)) != nil) == isMeant, "\(byte)")
        }
        for scheme in UInt8(4) ... .max { #expect(url(Hex.text([0x10, 0, scheme, 0x61].span)) == nil) }
    }

    @Test func anAddressHasUpToSeventeenBytes() {
        #expect(url("10 00") == nil)
        #expect(url("10 00 03") == "https://")
        #expect(url("10 00 03" + String(repeating: "61", count: 17)) == "https://" + String(repeating: "a", count: 17))
        #expect(url("10 00 03" + String(repeating: "61", count: 18)) == nil)
    }

    @Test func theShortestFormIsChosen() throws {
        #expect(
            try EddystoneURL("https://www.example.com/", txPower: 0).serviceData == bytes("10 00 01 6578616d706c65 00"))
        #expect(try EddystoneURL("https://example.com", txPower: 0).serviceData == bytes("10 00 03 6578616d706c65 07"))
        #expect(try EddystoneURL("http://wwww.a.comm", txPower: 0).serviceData == bytes("10 00 02 777777772e61 07 6d"))
        // Here the scheme with `www.` would cost a byte more.
        #expect(try EddystoneURL("http://www.info/", txPower: 0).serviceData == bytes("10 00 02 777777 04"))
        #expect(
            try EddystoneURL("https://www.info/aaaaaaaaaaaaa", txPower: 0).serviceData
                == bytes("10 00 03 777777 04" + String(repeating: "61", count: 13)))
        #expect(try EddystoneURL("http://a.com/.info/.gov", txPower: 0).serviceData == bytes("10 00 02 61 00 04 0d"))
    }

    @Test(
        arguments: [
            ("", .unknownScheme, 0), ("ftp://a", .unknownScheme, 0), ("https:/a", .unknownScheme, 0),
            ("https://a b", .notPrintable, 9), ("https://ä", .notPrintable, 8),
            ("http://www.a\u{7F}", .notPrintable, 12),
            ("https://aaaaaaaaaaaaaaaaaa", .tooLong, 25), ("https://www.aaaaaaaaaaaaaaaaa.com/", .tooLong, 29),
        ] as [(String, BeaconFrameFault.Reason, Int)])
    func anAddressThatDoesNotFitIsRefusedWithItsPlace(_ url: String, _ reason: BeaconFrameFault.Reason, _ at: Int) {
        #expect(throws: BeaconFrameFault(reason, at: at)) { try EddystoneURL(url, txPower: 0) }
    }

    @Test func whatFitsReadsBack() throws {
        var random = SeededGenerator(seed: 17)
        var fitted = 0
        for _ in 0..<1000 {
            var text = Self.schemes.randomElement(using: &random) ?? ""
            for _ in 0..<Int.random(in: 0...20, using: &random) {
                if Int.random(in: 0..<4, using: &random) == 0 {
                    text += Self.expansions.randomElement(using: &random) ?? ""
                } else {
                    text.unicodeScalars.append(Unicode.Scalar(UInt8.random(in: 0x21...0x7E, using: &random)))
                }
            }
            guard let frame = try? EddystoneURL(text, txPower: -20) else { continue }
            fitted += 1
            #expect(frame.url == text)
            #expect(EddystoneURL(serviceData: frame.serviceData.span) == frame)
            #expect(frame.serviceData.count <= 20)
        }
        #expect(fitted > 500)
    }
}
