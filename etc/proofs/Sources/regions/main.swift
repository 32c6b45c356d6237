import Glibc
import Advertising
import BeaconFrames
import Bytes
import Identity
import Presence
import WireProtocol

// regions: nanoseconds a packet with 10,000 regions and 2,000 items, beside 10 regions; ends with 1 beyond 1.5 times.
let uuids = (0..<10).map { BeaconUUID(high: 0x4853_4442_4C45_4144, low: 0x80C0_1800_0000_0000 + UInt64($0)) }

func id(_ number: Int) -> BeaconID {
    .iBeacon(
        uuid: number < 100_000 ? uuids[number % 10] : BeaconUUID(high: 9, low: 9), major: 1,
        minor: UInt16(number % 65_536))
}

func registry(items: Int, regions: [Region]) -> Registry {
    Registry(items: (0..<items).map { Item(id: "i\($0)", identities: [id($0)]) }, regions: regions)
}

/// Regions of every kind; one in three is of a beacon that is heard.
func others(_ count: Int) -> [Region] {
    (0..<count).map { number -> Region in
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
}

/// A packet each 0.1 ms of so many beacons in turn, from `first` on.
func nanoseconds(_ registry: Registry, _ first: Int, beacons: Int, packets: Int) -> Double {
    var resolver = IdentityResolver(registry: registry)
    let hearings = (0..<beacons).map { number -> Sighting in
        let address = DeviceAddress(UInt64(first + number) + 0xC000_0000_0000, .random)
        let beacon = resolver.resolve(
            address: address, frames: (id(first + number), nil), at: Timestamp(microseconds: 0))
        var hearing = Sighting(beacon: beacon, time: Timestamp(microseconds: 0))
        hearing.address = address
        hearing.frames = (id(first + number), nil)
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

/// The median of seven runs with few regions, and with many, in turn.
func compare(_ name: String, _ few: Registry, _ many: Registry, _ first: Int) -> Double {
    var left: [Double] = []
    var right: [Double] = []
    for _ in 0..<7 {
        left.append(nanoseconds(few, first, beacons: 500, packets: 500_000))
        right.append(nanoseconds(many, first, beacons: 500, packets: 500_000))
    }
    let (few, many) = (left.sorted()[3], right.sorted()[3])
    let ratio = (many / few * 100).rounded() / 100
    print("\(name): \(Int(few)) ns a packet with 10 regions, \(Int(many)) ns with 10,000: \(ratio) times")
    return many / few
}

memory()
let ten = (0..<10).map { Region(id: "w\($0)", members: .beacons(.iBeacon(uuid: uuids[$0], major: nil, minor: nil))) }
let few = registry(items: 2000, regions: [])
let many = registry(items: 2000, regions: others(9_990))
let small = Registry(items: few.items, regions: ten)
let large = Registry(items: many.items, regions: ten + many.regions)
let ratios = [
    compare("500 beacons in a region", small, large, 0),
    compare("500 beacons in none", small, large, 100_000),
]

/// Resident kilobytes.
func resident() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, 128, file) != nil else { return 0 }
    let words = String(decoding: line.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(separator: " ")
    return (words.count > 1 ? Int(words[1]) ?? 0 : 0) * 4
}

/// How much a registry and its monitor take, with 2,000 beacons inside.
func memory() {
    let before = resident()
    let many = Registry(items: registry(items: 2000, regions: []).items, regions: others(10_000))
    let indexed = resident()
    var monitor = RegionMonitor(registry: many, at: Timestamp(microseconds: 0))
    var resolver = IdentityResolver(registry: many)
    var transitions: [Transition] = []
    for number in 0..<2000 {
        let time = Timestamp(microseconds: Int64(number) * 1000)
        let beacon = resolver.resolve(
            address: DeviceAddress(UInt64(number), .random), frames: (id(number), nil), at: time)
        monitor.receive(Sighting(beacon: beacon, time: time), &transitions)
    }
    print(
        "10,000 regions and 2,000 items: registry \(indexed - before) kB, monitor \(resident() - indexed) kB resident")
}
if ratios.contains(where: { $0 > 1.5 }) { exit(1) }
