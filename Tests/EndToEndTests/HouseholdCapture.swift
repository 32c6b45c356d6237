import Advertising
import BeaconFrames
import Bytes
import Captures
import Support
import Testing

/// A capture of our own making: half a minute of a small household with all kinds of beacons at their own cadences,
/// drawn by a seed.
struct HouseholdCapture {
    private struct Beacon {
        var address: DeviceAddress
        /// Microseconds between its advertisements.
        var interval: Int64
        var level: Double
        /// The frames that it sends in turn.
        var frames: [[UInt8]]
        var next: Int64 = 0
        var sent = 0
    }

    private var generator = SeededGenerator(seed: 20_261_122)
    private static let begin = Timestamp(microseconds: 1_795_248_000_400_000)
    private static let length: Int64 = 30_000_000

    /// Writes it.
    static func write(to path: String) throws {
        var writer = try CaptureWriter(path: path)
        var capture = HouseholdCapture()
        try capture.run(&writer)
        try writer.close()
    }

    private static func beacons() throws -> [Beacon] {
        let uuid = try #require(BeaconUUID("48534442-4C45-4144-80C0-1800FFFFFFF0"))
        let telemetry = EddystoneTLM(
            batteryMillivolts: 2950, temperature: 21 * 256 + 128, advertisements: 4711, uptime: 99_000
        ).advertisingData
        let cat = EddystoneUID(
            namespace: .init(high: 0x0011_2233_4455_6677, low: 0x8899), instance: 0x0123_4567_89AB, rangingData: -20)
        return [
            Beacon(
                address: DeviceAddress(0xC0FF_EE00_0001, .random), interval: 300_000, level: -62,
                frames: [IBeacon(uuid: uuid, major: 100, minor: 1, measuredPower: -59).advertisingData]),
            Beacon(
                address: DeviceAddress(0xC0FF_EE00_0002, .random), interval: 950_000, level: -71,
                frames: [
                    AltBeacon(
                        company: 0x0118, uuid: uuid, major: 100, minor: 2, referenceRSSI: -62, mfgReserved: 7
                    ).advertisingData
                ]),
            Beacon(
                address: DeviceAddress(0xC0FF_EE00_0003, .random), interval: 400_000, level: -80,
                frames: [cat.advertisingData, cat.advertisingData, telemetry]),
            Beacon(
                address: DeviceAddress(0x0007_8011_2233, .public), interval: 1_000_000, level: -88,
                frames: [
                    try EddystoneURL("https://www.example.org/", txPower: -21).advertisingData,
                    [0x02, 0x01, 0x06, 0x04, 0x09, 0x54, 0x61, 0x67],
                ]),
            Beacon(
                address: DeviceAddress(0x7A11_2233_4455, .random), interval: 2_300_000, level: -54,
                frames: [IBeacon(uuid: uuid, major: 7, minor: 65_535, measuredPower: -65).advertisingData]),
        ]
    }

    private mutating func run(_ writer: inout CaptureWriter) throws {
        var beacons = try Self.beacons()
        for index in beacons.indices {
            beacons[index].next = .random(in: 0..<beacons[index].interval, using: &generator)
        }
        while let index = beacons.indices.min(by: { beacons[$0].next < beacons[$1].next }),
            beacons[index].next < Self.length
        {
            let beacon = beacons[index]
            beacons[index].sent += 1
            beacons[index].next += beacon.interval + .random(in: 0...10_000, using: &generator)
            // One in eight is lost in the air; the second beacon is out of the house for eight seconds.
            if Int.random(in: 0..<8, using: &generator) == 0 { continue }
            if index == 1, (12_000_000..<20_000_000).contains(beacon.next) { continue }
            let level = beacon.level + Double.random(in: -5...5, using: &generator)
            let rssi: Int8? = Int.random(in: 0..<20, using: &generator) == 0 ? nil : Int8(level.rounded())
            var encoder = AdvertisingReportEncoder(index == 4 ? .extended : .legacy)
            let report = AdvertisingReport(
                eventType: index == 3 ? .advInd : .advNonconnInd, address: beacon.address, rssi: rssi)
            let data = beacon.frames[beacon.sent % beacon.frames.count]
            encoder.append(report, data.span)
            let event = encoder.takeEvent()
            try writer.append(
                event.span, kind: .event, direction: .received,
                time: Self.begin.advanced(byMicroseconds: beacon.next))
        }
    }
}
