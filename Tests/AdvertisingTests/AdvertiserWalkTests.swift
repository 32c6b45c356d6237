import Advertising
import Bytes
import Support
import Testing

@Suite struct AdvertiserWalkTests {
    @Test("Distinguish the same advertisers in a walk over the addresses as in the decoder", arguments: [true, false])
    func addresses(_ isExtended: Bool) throws {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            var encoder = AdvertisingReportEncoder(isExtended ? .extended : .legacy)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let kind: DeviceAddress.Kind = Bool.random(using: &random) ? .public : .random
                let report = AdvertisingReport(
                    eventType: .advNonconnInd, address: DeviceAddress(.random(in: 0...(.max), using: &random), kind),
                    rssi: -60)
                encoder.append(report, [UInt8](repeating: 7, count: Int.random(in: 0...20, using: &random)).span)
            }
            let event = encoder.takeEvent()
            var seen: [UInt64] = []
            HCIEvent.forEachAdvertiser(in: event.span) { seen.append($0) }
            var decoder = AdvertisingReportDecoder()
            var decoded: [UInt64] = []
            try decoder.decode(event.span, at: Timestamp(microseconds: 0)) { report, _ in
                decoded.append(UInt64(report.address.kind.rawValue) << 48 | report.address.bits)
            }
            #expect(seen == decoded && !seen.isEmpty)
        }
    }

    @Test("Never trap on an event, and pass on the address of a report whose data is cut off", arguments: [1, 2])
    func damaged(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<10_000 {
            var bytes = (0..<Int.random(in: 0...258, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            if bytes.count > 3 { (bytes[0], bytes[2]) = (0x3E, Bool.random(using: &random) ? 0x02 : 0x0D) }
            var count = 0
            HCIEvent.forEachAdvertiser(in: bytes.span) { _ in count += 1 }
            #expect(count <= 255, "seed \(seed)")
        }
        for (hex, expected) in [
            ("3e1402010301060504030201051122", [0x0001_0102_0304_0506]), ("3e140201030106050403", []),
        ] as [(String, [UInt64])] {
            var seen: [UInt64] = []
            let bytes = Hex.bytes(hex) ?? []
            HCIEvent.forEachAdvertiser(in: bytes.span) { seen.append($0) }
            #expect(seen == expected)
        }
    }

    @Test("Pass malformed reports on to the decoder, and no other events")
    func expected() {
        // The last is an LE Connection Complete.
        let events = ["3e", "3e00", "3e0102", "3e010d", "3e020200", "3e020d01", "3e1301000000"]
        let expected = events.map { hex in
            let bytes = Hex.bytes(hex) ?? []
            return HCIEvent.isForDecoder(bytes.span)
        }
        #expect(expected == [true, true, true, true, true, true, false])
    }
}
