import Advertising
import BeaconFrames
import Bytes
import Identity

/// A seeded crowd of iBeacons as HCI events: the half in legacy, the other in extended reports.
struct Synthetic {
    private static let uuid = BeaconUUID(high: 0x4853_4442_4C45_4144, low: 0x80C0_1800_FFFF_FFF0)

    /// The events, one behind the other.
    private(set) var bytes: [UInt8] = []
    /// Where each event begins; one more for the end.
    private(set) var starts: [Int] = [0]
    /// When each was heard.
    private(set) var times: [Timestamp] = []

    var count: Int { times.count }

    func event(_ index: Int) -> Range<Int> { starts[index]..<starts[index + 1] }

    /// Reports at a steady rate; who speaks is drawn.
    init(beacons: Int, reports: Int, perSecond: Int, seed: UInt64, extended: Bool = true) {
        var state = seed
        for index in 0..<reports {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            // Without chance for as many beacons as reports: each speaks once.
            let beacon = beacons == reports ? index : Int(state >> 33) % beacons
            let rssi = -50 - Int8(truncatingIfNeeded: (state >> 20) % 40)
            append(beacon, rssi, extended: extended && beacon % 2 == 1)
            times.append(Timestamp(microseconds: 1_795_248_000_000_000 + Int64(index) * 1_000_000 / Int64(perSecond)))
        }
    }

    private mutating func append(_ beacon: Int, _ rssi: Int8, extended: Bool) {
        let frame = IBeacon(
            uuid: Self.uuid, major: UInt16(beacon >> 8), minor: UInt16(beacon & 0xFF), measuredPower: -59)
        let report = AdvertisingReport(
            eventType: extended ? [] : .advNonconnInd,
            address: DeviceAddress(0xC000_0000_0000 + UInt64(beacon), .random),
            rssi: rssi, secondaryPHY: extended ? .le2M : nil, advertisingSID: extended ? 1 : nil)
        var encoder = AdvertisingReportEncoder(extended ? .extended : .legacy)
        encoder.append(report, frame.advertisingData.span)
        bytes += encoder.takeEvent()
        starts.append(bytes.count)
    }

    /// A registry in which each of the beacons is an item.
    static func registry(of beacons: Int) -> Registry {
        Registry(
            items: (0..<beacons).map { beacon in
                Item(
                    id: "item-\(beacon)",
                    identities: [
                        .iBeacon(uuid: uuid, major: UInt16(beacon >> 8), minor: UInt16(beacon & 0xFF))
                    ])
            })
    }
}
