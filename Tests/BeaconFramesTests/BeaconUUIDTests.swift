import BeaconFrames
import Support
import Testing

@Suite struct BeaconUUIDTests {
    @Test func aUUIDIsReadInEitherSpellingAndPrintedInOne() {
        let text = "48534442-4c45-4144-80c0-1800fffffff0"
        for spelling in [text, text.uppercased(), "485344424C454144" + "80c01800fffffff0"] {
            #expect(BeaconUUID(spelling)?.text == text)
        }
        #expect(BeaconUUID(text) == BeaconUUID(high: 0x4853_4442_4C45_4144, low: 0x80C0_1800_FFFF_FFF0))
        #expect("\(BeaconUUID(high: 0, low: 1))" == "00000000-0000-0000-0000-000000000001")
    }

    @Test(arguments: [
        "", "48534442", "48534442-4c45-4144-80c0-1800fffffff", "48534442-4c45-4144-80c0-1800fffffff00",
        "4853444-24c45-4144-80c0-1800fffffff0", "48534442_4c45_4144_80c0_1800fffffff0",
        "g8534442-4c45-4144-80c0-1800fffffff0", "{48534442-4c45-4144-80c0-1800fffffff0}",
        "485344424c45414480c01800fffffff", "48534442--4c45414480c01800ffffff",
    ])
    func whatIsNoUUIDIsRefused(_ text: String) {
        #expect(BeaconUUID(text) == nil)
    }

    @Test func everyUUIDReadsBack() {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<1000 {
            let uuid = BeaconUUID(high: random.next(), low: random.next())
            #expect(BeaconUUID(uuid.text) == uuid)
            #expect(BeaconUUID(uuid.text.filter { $0 != "-" }) == uuid)
        }
    }
}
