import Advertising
import BeaconFrames
import Bytes
import Captures
import Support

/// A capture of our own making: every kind of frame and event, some of them malformed, drawn by a seed.
///
/// It is stored in Tests/Fixtures with the whole output of `decode` for it.
struct GeneratedCapture {
    private var generator = SeededGenerator(seed: 20_261_121)
    private var time = Timestamp(microseconds: 1_795_248_000_000_000)

    static let path = Repository.root + "/Tests/Fixtures/generated.btsnoop"
    static let goldenPath = Repository.root + "/Tests/Fixtures/generated.decode.jsonl"

    /// Writes it.
    static func write(to path: String) throws {
        var writer = try CaptureWriter(path: path)
        var capture = GeneratedCapture()
        for _ in 0..<12 { try capture.round(&writer) }
        try writer.close()
    }

    private mutating func round(_ writer: inout CaptureWriter) throws {
        try put([0x0C, 0x20, 0x02, 0x01, 0x00], .command, &writer)
        try put([0x0E, 0x04, 0x01, 0x0C, 0x20, 0x00], .event, &writer)
        for data in try advertisements() { try legacy([(report(.advNonconnInd), data)], &writer) }
        try legacy([(report(.advInd), named("Tag")), (report(.scanRsp), []), (report(.advScanInd), [])], &writer)
        try extended(&writer)
        try malformed(&writer)
    }

    private mutating func put(_ bytes: [UInt8], _ kind: CapturedPacket.Kind, _ writer: inout CaptureWriter) throws {
        time = time.advanced(byMicroseconds: .random(in: 200...90_000, using: &generator))
        try writer.append(bytes.span, kind: kind, direction: .unknown, time: time)
    }

    private mutating func random<Integer: FixedWidthInteger>(_ type: Integer.Type = Integer.self) -> Integer {
        Integer.random(in: .min ... .max, using: &generator)
    }

    private mutating func report(_ type: AdvertisingEventType, extended: Bool = false) -> AdvertisingReport {
        let kind: DeviceAddress.Kind = Bool.random(using: &generator) ? .random : .public
        let rssi: Int8? =
            Int.random(in: 0..<8, using: &generator) == 0 ? nil : .random(in: -100 ... -30, using: &generator)
        return AdvertisingReport(eventType: type, address: DeviceAddress(random(), kind), rssi: rssi)
    }

    private func named(_ name: String) -> [UInt8] {
        var data: [UInt8] = [0x02, 0x01, 0x06]
        let letters = Array(name.utf8)
        ADStructure.append(type: 0x09, letters.span, to: &data)
        return data
    }

    private mutating func advertisements() throws -> [[UInt8]] {
        let uuid = BeaconUUID(high: random(), low: random())
        let namespace = EddystoneUID.Namespace(high: random(), low: random())
        let addresses = ["https://example.org/", "http://www.example.com/a", "https://www.tag.test"]
        let unknown = Bool.random(using: &generator)
        let frames: [BeaconFrame] = [
            .iBeacon(IBeacon(uuid: uuid, major: random(), minor: random(), measuredPower: -59)),
            .altBeacon(
                AltBeacon(
                    company: 0xFFFF, uuid: uuid, major: random(), minor: random(), referenceRSSI: -62,
                    mfgReserved: random())),
            .eddystoneUID(EddystoneUID(namespace: namespace, instance: random(), rangingData: -18)),
            .eddystoneURL(try EddystoneURL(addresses.randomElement(using: &generator)!, txPower: -20)),
            .eddystoneTLM(
                EddystoneTLM(
                    batteryMillivolts: unknown ? nil : 2950, temperature: unknown ? nil : 5440,
                    advertisements: random(), uptime: random())),
            .eddystoneETLM(EddystoneETLM(dataHigh: random(), dataLow: random(), salt: random(), mic: random())),
            .eddystoneEID(EddystoneEID(eid: random(), rangingData: -14)),
        ]
        return frames.map(\.advertisingData)
    }

    private mutating func legacy(
        _ reports: [(AdvertisingReport, [UInt8])], _ writer: inout CaptureWriter
    ) throws {
        var encoder = AdvertisingReportEncoder(.legacy)
        for (report, data) in reports { encoder.append(report, data.span) }
        try put(encoder.takeEvent(), .event, &writer)
    }

    /// Two beacons' data in fragments, one advertiser without an address.
    private mutating func extended(_ writer: inout CaptureWriter) throws {
        var whole = report([.connectable])
        whole.secondaryPHY = .le2M
        whole.advertisingSID = 3
        let frames = try advertisements()
        let second = frames[1]
        let data =
            named("A name that is longer than legacy data hold") + frames[0].dropFirst(3) + frames[2].dropFirst(3)
        for event in AdvertisingReportEncoder.fragments(whole, data.span, of: 40) { try put(event, .event, &writer) }
        var anonymous = report([])
        anonymous.address = .anonymous
        anonymous.advertisingSID = 1
        for event in AdvertisingReportEncoder.fragments(anonymous, second.span) { try put(event, .event, &writer) }
    }

    /// An event cut off inside a report, an event of no reports, data with a structure that passes its end.
    private mutating func malformed(_ writer: inout CaptureWriter) throws {
        try put([0x3E, 0x2B, 0x02, 0x01, 0x03, 0x00, 0xAA], .event, &writer)
        try put([0x3E, 0x02, 0x02, 0x00], .event, &writer)
        try legacy([(report(.advInd), [0x02, 0x01, 0x06, 0x1A, 0xFF, 0x4C])], &writer)
    }
}
