import Advertising
import BeaconFrames
import Bytes
import Identity
import Presence
import Sightings

// regions: nanoseconds a packet with 10,000 regions and 2,000 items, beside 10 regions; ends with 1 beyond 1.5 times.
let uuids = (0..<50).map { BeaconUUID(high: 0x4853_4442_4C45_4144, low: 0x80C0_1800_0000_0000 + UInt64($0)) }

func id(_ number: Int) -> BeaconID {
    .iBeacon(uuid: uuids[number % 50], major: UInt16(number / 50 % 20), minor: UInt16(number))
}

func registry(items: Int, regions: Int) -> Registry {
    let items = (0..<items).map { Item(id: "i\($0)", identities: [id($0)]) }
    let regions = (0..<regions).map { number -> Region in
        let members: Region.Members =
            switch number % 10 {
            case 0...5: .beacons(BeaconPattern(id(number)))
            case 6: .item("i\(number % 2000)")
            case 7: .beacons(.eddystone(EddystoneUID.Namespace(high: UInt64(number), low: 1), nil))
            case 8: .beacons(.iBeacon(uuid: BeaconUUID(high: 7, low: UInt64(number)), major: 1, minor: nil))
            default: .url(URLPattern("https://example.com/\(number)", isPrefix: true))
            }
        return Region(id: "r\(number)", members: members)
    }
    return Registry(items: items, regions: regions)
}

/// The same 2,000 beacons heard in turn, each ten packets a second of a hundred: some are in regions, most aren't.
func nanoseconds(_ registry: Registry, beacons: Int, packets: Int) -> Double {
    var resolver = IdentityResolver(registry: registry)
    let hearings = (0..<beacons).map { number -> Hearing in
        let address = DeviceAddress(UInt64(number) + 0xC000_0000_0000, .random)
        let beacon = resolver.resolve(
            address: address, frames: (id(number), nil), at: Timestamp(microseconds: 0))
        var hearing = Hearing(beacon: beacon, time: Timestamp(microseconds: 0))
        hearing.address = address
        hearing.frames = (id(number), nil)
        hearing.rssi = -60
        return hearing
    }
    var monitor = RegionMonitor(registry: registry, at: Timestamp(microseconds: 0))
    var transitions: [Transition] = []
    func hear(_ from: Int, _ to: Int) {
        for packet in from..<to {
            var hearing = hearings[packet % beacons]
            hearing.time = Timestamp(microseconds: Int64(packet) * 100)
            monitor.receive(hearing, &transitions)
        }
    }
    hear(0, 4 * beacons)
    let clock = ContinuousClock()
    let start = clock.now
    hear(4 * beacons, 4 * beacons + packets)
    let duration = clock.now - start
    return (Double(duration.components.seconds) * 1e9 + Double(duration.components.attoseconds) / 1e9) / Double(packets)
}

let few = registry(items: 2000, regions: 10)
let many = registry(items: 2000, regions: 10_000)
var ratios: [Double] = []
for beacons in [10, 200, 2000] {
    var pairs: [(Double, Double)] = []
    for _ in 0..<7 {
        pairs.append(
            (
                nanoseconds(few, beacons: beacons, packets: 400_000),
                nanoseconds(many, beacons: beacons, packets: 400_000)
            ))
    }
    let left = pairs.map(\.0).sorted()[3]
    let right = pairs.map(\.1).sorted()[3]
    print("\(beacons) beacons: \(Int(left)) ns with 10 regions, \(Int(right)) ns with 10,000: \(right / left) times")
}
