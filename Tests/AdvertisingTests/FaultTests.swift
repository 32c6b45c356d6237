import Advertising
import Support
import Testing

@Suite struct FaultTests {
    @Test(
        arguments: [
            ("", .eventTooShort, 0, 0), ("3e", .eventTooShort, 1, 0), ("3e 00", .eventTooShort, 2, 0),
            ("3e 01 02", .eventTooShort, 3, 0), ("3e 00 02", .eventTooShort, 2, 0), ("3e 02 02 00", .noReports, 3, 0),
            ("3e 02 0d 01", .reportPastEnd, 4, 0),
            // One byte of the announced parameters is missing after a whole report.
            ("3e 0d 02 01 03 01 665544332211 00 ba", .parametersPastEnd, 1, 1),
            ("3e 0d 02 01 03 01 665544332211 00 ba ee", .bytesAfterReports, 14, 1),
            ("3e 0c 02 01 03 01 665544332211 00 ba ee", .bytesAfterEvent, 14, 1),
            ("3e 0c 02 02 03 01 665544332211 00 ba", .reportPastEnd, 14, 1),
            ("3e 0c 02 01 03 01 665544332211 01 ba", .dataPastEnd, 12, 0),
            ("3e 0c 02 01 05 01 665544332211 00 ba", .reservedEventType, 4, 0),
            ("3e 0c 02 01 03 04 665544332211 00 ba", .reservedAddressType, 5, 0),
            ("3e 1a 0d 01 6000 00 665544332211 01 00 ff 7f 7f 0000 00 000000000000 00", .reservedDataStatus, 4, 0),
            ("3e 1a 0d 01 0000 05 665544332211 01 00 ff 7f 7f 0000 00 000000000000 00", .reservedAddressType, 6, 0),
            ("3e 1a 0d 01 0000 00 665544332211 01 00 ff 7f 7f 0000 00 000000000000 01", .dataPastEnd, 27, 0),
        ] as [(String, AdvertisingFault.Reason, Int, Int)])
    func aMalformedEventIsNamedWithItsPlace(_ hex: String, _ reason: AdvertisingFault.Reason, _ at: Int, _ whole: Int) {
        var decoder = AdvertisingReportDecoder()
        let (heard, fault) = decoder.hear(bytes(hex))
        #expect(fault == AdvertisingFault(reason, at: at))
        #expect(heard.count == whole)
        #expect(decoder.counters.malformed == 1)
        #expect(decoder.counters.reports == UInt64(whole))
    }

    @Test func aReportWithAReservedValueDoesNotHideTheOnesBehindIt() {
        var event = Fixture.four
        event[4] = 9
        event[14 + 1] = 0x55
        var decoder = AdvertisingReportDecoder()
        let (heard, fault) = decoder.hear(event)
        #expect(heard.map(\.report.eventType) == [.advScanInd, .scanRsp])
        #expect(fault == AdvertisingFault(.reservedEventType, at: 4))
        #expect(decoder.counters.malformed == 2)
    }

    @Test func aFaultIsToldInWords() {
        #expect("\(AdvertisingFault(.structurePastEnd, at: 7))" == "AD structure passes the end of the data at byte 7")
    }

    /// Each cut yields exactly the reports that are whole in it, and a fault.
    @Test(arguments: Fixture.all)
    func anEventCutAnywhereGivesItsWholeReports(_ event: [UInt8]) {
        var whole = AdvertisingReportDecoder()
        let all = whole.hear(event).heard
        for length in 0..<event.count {
            var decoder = AdvertisingReportDecoder()
            let (heard, fault) = decoder.hear(Array(event[..<length]))
            #expect(fault != nil)
            #expect(heard == Array(all.prefix(heard.count)))
            #expect(heard.count < all.count)
            // The same with a parameter length that matches the cut.
            guard length >= 4 else { continue }
            var shortened = Array(event[..<length])
            shortened[1] = UInt8(length - 2)
            #expect(decoder.hear(shortened).heard == heard)
            #expect(decoder.counters.malformed == 2)
        }
    }

    @Test func noMutationOfAnEventTrapsOrReadsBeyondIt() {
        let seed: UInt64 = 0x0D02
        var random = SeededGenerator(seed: seed)
        var decoder = AdvertisingReportDecoder()
        var delivered: UInt64 = 0
        for turn in 0..<20_000 {
            guard var event = Fixture.all.randomElement(using: &random) else { continue }
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    event.insert(.random(in: 0...255, using: &random), at: .random(in: 0...event.count, using: &random))
                case 1 where !event.isEmpty: event.remove(at: .random(in: 0..<event.count, using: &random))
                default:
                    guard let index = event.indices.randomElement(using: &random) else { continue }
                    event[index] = Bool.random(using: &random) ? .random(in: 0...255, using: &random) : event[index] ^ 1
                }
            }
            let (heard, _) = decoder.hear(event, at: Double(turn) / 100)
            delivered += UInt64(heard.count)
            for one in heard { #expect(one.data.count <= AdvertisingReportDecoder.maximumDataLength) }
        }
        #expect(decoder.counters.reports == delivered, "seed \(seed)")
        #expect(decoder.counters.events + decoder.counters.otherEvents <= 20_000)
        #expect(delivered > 5_000 && decoder.counters.malformed > 5_000)
    }
}
