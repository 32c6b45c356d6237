import Advertising
import Support
import Testing

extension AdvertisingReportEncoder {
    fileprivate mutating func take(
        _ report: AdvertisingReport, _ data: [UInt8], moreToCome: Bool = false
    ) -> Bool {
        append(report, data.span, moreToCome: moreToCome)
    }
}

@Suite struct EncoderTests {
    private static func data(_ limit: Int, _ random: inout SeededGenerator) -> [UInt8] {
        (0..<Int.random(in: 0...limit, using: &random)).map { _ in .random(in: 0...255, using: &random) }
    }

    private static func address(_ random: inout SeededGenerator) -> DeviceAddress {
        let kind = DeviceAddress.Kind.allCases.randomElement(using: &random) ?? .public
        return kind == .anonymous ? .anonymous : DeviceAddress(random.next(), kind)
    }

    private static func level(_ random: inout SeededGenerator) -> Int8? {
        let level = Int8.random(in: -128...127, using: &random)
        return level == 127 ? nil : level
    }

    private static func legacy(_ random: inout SeededGenerator) -> AdvertisingReport {
        let types: [AdvertisingEventType] = [.advInd, .advDirectInd, .advScanInd, .advNonconnInd, .scanRsp]
        return AdvertisingReport(
            eventType: types.randomElement(using: &random) ?? .advInd, address: address(&random), rssi: level(&random))
    }

    private static func extended(_ random: inout SeededGenerator) -> AdvertisingReport {
        let type = AdvertisingEventType(rawValue: .random(in: 0...31, using: &random))
        return AdvertisingReport(
            eventType: type, address: address(&random), rssi: level(&random),
            dataStatus: Bool.random(using: &random) ? .complete : .truncated,
            directAddress: type.contains(.directed) ? address(&random) : nil,
            primaryPHY: PHY(rawValue: .random(in: 1...4, using: &random)),
            secondaryPHY: Bool.random(using: &random) ? .le2M : nil,
            advertisingSID: Bool.random(using: &random) ? .random(in: 0...15, using: &random) : nil,
            txPower: level(&random),
            periodicInterval: Bool.random(using: &random) ? .random(in: 1...9999, using: &random) : nil)
    }

    @Test func whatIsEncodedIsHeardAgain() {
        var random = SeededGenerator(seed: 21)
        for turn in 0..<1000 {
            var encoder = AdvertisingReportEncoder(turn % 2 == 0 ? .legacy : .extended)
            var sent: [Heard] = []
            for _ in 0..<Int.random(in: 1...30, using: &random) {
                let heard = Heard(
                    report: turn % 2 == 0 ? Self.legacy(&random) : Self.extended(&random), data: Self.data(31, &random))
                guard encoder.append(heard.report, heard.data.span) else { break }
                sent.append(heard)
            }
            #expect(encoder.count == sent.count)
            var decoder = AdvertisingReportDecoder()
            let event = encoder.takeEvent()
            #expect(event.count <= 257)
            let (heard, fault) = decoder.hear(event)
            #expect(heard == sent && fault == nil)
            #expect(encoder.count == 0)
        }
    }

    @Test func theHandWrittenEventsAreWhatTheEncoderWrites() {
        for (fixture, form) in zip(
            Fixture.all, [.legacy, .legacy, .extended, .extended, .extended] as [AdvertisingReportEncoder.Form])
        {
            var decoder = AdvertisingReportDecoder()
            var encoder = AdvertisingReportEncoder(form)
            for heard in decoder.hear(fixture).heard { #expect(encoder.take(heard.report, heard.data) == true) }
            #expect(encoder.takeEvent() == fixture)
        }
    }

    @Test func anEventTakesNoMoreThanItCanHold() {
        let report = AdvertisingReport(eventType: .advInd, address: DeviceAddress(1, .public), rssi: -1)
        var legacy = AdvertisingReportEncoder(.legacy)
        for _ in 0..<25 { #expect(legacy.take(report, []) == true) }
        #expect(legacy.take(report, []) == false)
        var extended = AdvertisingReportEncoder(.extended)
        for _ in 0..<10 { #expect(extended.take(report, []) == true) }
        #expect(extended.take(report, []) == false)
        var full = AdvertisingReportEncoder(.extended)
        let most = AdvertisingReportEncoder.maximumFragmentLength
        #expect(full.take(report, [UInt8](repeating: 0, count: most + 1)) == false)
        #expect(full.take(report, [UInt8](repeating: 0, count: most)) == true)
        #expect(full.takeEvent().count == 257)
    }

    @Test func aLegacyEventRefusesWhatItCannotTell() {
        var encoder = AdvertisingReportEncoder(.legacy)
        let address = DeviceAddress(1, .public)
        let whole = AdvertisingReport(eventType: .advInd, address: address, rssi: -1)
        #expect(encoder.take(AdvertisingReport(eventType: [], address: address, rssi: -1), []) == false)
        #expect(encoder.take(whole, [UInt8](repeating: 0, count: 32)) == false)
        #expect(encoder.take(whole, [], moreToCome: true) == false)
        #expect(
            encoder.take(
                AdvertisingReport(eventType: .advInd, address: address, rssi: -1, dataStatus: .truncated), [])
                == false)
        #expect(encoder.count == 0)
        #expect(encoder.take(whole, []) == true)
    }
}
