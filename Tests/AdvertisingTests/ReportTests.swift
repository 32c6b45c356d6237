import Advertising
import Testing

@Suite struct ReportTests {
    @Test func aLegacyReportIsReadFieldByField() {
        var decoder = AdvertisingReportDecoder()
        let (heard, fault) = decoder.hear(Fixture.legacy)
        #expect(fault == nil)
        let report = AdvertisingReport(
            eventType: .advNonconnInd, address: DeviceAddress(0x1122_3344_5566, .random), rssi: -70)
        #expect(heard == [Heard(report: report, data: [2, 1, 6])])
        #expect(heard.first?.report.primaryPHY == .le1M)
    }

    @Test func severalReportsOfOneEventAreAllHeard() {
        var decoder = AdvertisingReportDecoder()
        let (heard, fault) = decoder.hear(Fixture.four)
        #expect(fault == nil)
        #expect(heard.map(\.report.eventType) == [.advInd, .advDirectInd, .advScanInd, .scanRsp])
        #expect(heard.map(\.report.eventType.name) == ["adv_ind", "adv_direct_ind", "adv_scan_ind", "scan_rsp"])
        #expect(heard.map(\.report.address.kind) == [.public, .random, .publicIdentity, .randomIdentity])
        #expect(heard.map(\.report.rssi) == [-1, -128, 20, nil])
        #expect(heard.map(\.data.count) == [0, 0, 1, 1])
        #expect(decoder.counters.events == 1)
        #expect(decoder.counters.reports == 4)
    }

    @Test func anExtendedReportIsReadFieldByField() {
        var decoder = AdvertisingReportDecoder()
        let (heard, fault) = decoder.hear(Fixture.extended)
        #expect(fault == nil)
        let report = AdvertisingReport(
            eventType: .connectable, address: DeviceAddress(0x1122_3344_5566, .random), rssi: -60, primaryPHY: .le1M,
            secondaryPHY: .le2M, advertisingSID: 5, txPower: 4, periodicInterval: 0x50)
        #expect(heard == [Heard(report: report, data: [2, 1, 6])])
    }

    @Test func aDirectedReportNamesItsReceiverAndWhatIsAbsentIsAbsent() throws {
        var decoder = AdvertisingReportDecoder()
        let report = try #require(decoder.hear(Fixture.directed).heard.first?.report)
        #expect(report.eventType == .advDirectInd)
        #expect(report.directAddress == DeviceAddress(0xC102_0304_0506, .random))
        #expect(report.address.kind == .public)
        #expect(report.secondaryPHY == nil && report.advertisingSID == nil && report.txPower == nil)
        #expect(report.rssi == nil && report.periodicInterval == nil)
    }

    @Test func aReceiverThatTheControllerCouldNotResolveIsARandomAddress() throws {
        var event = Fixture.directed
        event[20] = 0xFE
        var decoder = AdvertisingReportDecoder()
        #expect(decoder.hear(event).heard.first?.report.directAddress?.kind == .random)
        event[20] = 0x04
        #expect(decoder.hear(event).fault == AdvertisingFault(.reservedAddressType, at: 20))
    }

    @Test func anonymousTruncatedAndScanResponseReportsAreToldApart() {
        var decoder = AdvertisingReportDecoder()
        let (heard, fault) = decoder.hear(Fixture.two)
        #expect(fault == nil)
        #expect(heard.map(\.report.address.kind) == [.anonymous, .random])
        #expect(heard.map(\.report.dataStatus) == [.truncated, .complete])
        #expect(heard.map(\.report.eventType) == [[], [.scannable, .scanResponse]])
        #expect(heard.map(\.report.primaryPHY) == [.leCoded, .leCoded])
        #expect(decoder.counters.truncatedByController == 1)
    }

    @Test func everyEventTypeHasItsName() {
        let names: [(AdvertisingEventType, String)] = [
            (.advNonconnInd, "adv_nonconn_ind"), ([.scanRsp, .connectable], "scan_rsp"), ([], "ext_adv"),
            (.connectable, "ext_adv_conn"), (.scannable, "ext_adv_scan"), (.directed, "ext_adv_direct"),
            ([.connectable, .directed], "ext_adv_conn_direct"), ([.scannable, .directed], "ext_adv_scan_direct"),
            ([.scannable, .scanResponse], "ext_scan_rsp"), ([.connectable, .scannable], "ext_adv_conn"),
        ]
        for (type, name) in names { #expect(type.name == name) }
    }

    @Test(arguments: [
        "0e 04 01 03 0c 00", "13 05 01 01 00 01 00", "3e 01 01", "3e 04 0a 00 00 00", "05", "ff 00", "3e 13 01 00",
    ])
    func otherEventsArePassedOver(_ hex: String) {
        var decoder = AdvertisingReportDecoder()
        let (heard, fault) = decoder.hear(bytes(hex))
        #expect(heard.isEmpty && fault == nil)
        #expect(decoder.counters.otherEvents == 1)
        #expect(decoder.counters.events == 0)
    }
}
