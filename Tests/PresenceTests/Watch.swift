import Advertising
import BeaconFrames
import Bytes
import Identity
import Presence
import WireProtocol

/// A monitor on a virtual clock that receives reports as lines, and returns transitions as lines.
///
/// A line of reports is `<beacon> <first>...<last> [every <seconds>]`; one of transitions is `<at> <kind> <region>
/// [<beacon>] [not before <time>]`.
struct Watch {
    var monitor: RegionMonitor
    var transitions: [Transition] = []
    private var resolver: IdentityResolver

    static let uuid = BeaconUUID("48534442-4C45-4144-80C0-1800FFFFFFF0")!
    static let namespace = EddystoneUID.Namespace("00112233445566778899")!

    static func iBeacon(_ minor: UInt16, major: UInt16 = 100) -> BeaconID {
        .iBeacon(uuid: uuid, major: major, minor: minor)
    }

    static func eddystone(_ instance: UInt64) -> BeaconID { .eddystone(namespace, instance) }

    static func at(_ seconds: Double) -> Timestamp { Timestamp(microseconds: 0).advanced(bySeconds: seconds) }

    /// Keys, which are `iBeacon(1)` and a tag's, and a phone, `iBeacon(2)`.
    static let items: [Item] = {
        var keys = Item(id: "keys", identities: [iBeacon(1)])
        keys.tags = ["mine"]
        var phone = Item(id: "phone", identities: [iBeacon(2)])
        phone.tags = ["mine", "phones"]
        return [keys, phone]
    }()

    init(_ regions: Region..., items: [Item] = Watch.items, at seconds: Double = 0) {
        self.init(regions: regions, items: items, at: seconds)
    }

    init(regions: [Region], items: [Item] = Watch.items, at seconds: Double = 0) {
        let registry = Registry(items: items, regions: regions)
        resolver = IdentityResolver(registry: registry)
        monitor = RegionMonitor(registry: registry, at: Self.at(seconds))
    }

    /// A monitor that continues from another's record.
    init(restoring record: PresenceRecord, _ regions: Region..., items: [Item] = Watch.items, at seconds: Double) {
        self.init(restoring: record, regions: regions, items: items, at: seconds)
    }

    init(restoring record: PresenceRecord, regions: [Region], items: [Item] = Watch.items, at seconds: Double) {
        let registry = Registry(items: items, regions: regions)
        resolver = IdentityResolver(registry: registry)
        monitor = RegionMonitor(registry: registry, at: Self.at(seconds), restoring: record)
    }

    mutating func use(_ registry: Registry, at seconds: Double) {
        resolver.use(registry)
        monitor.use(registry, at: Self.at(seconds), &transitions)
    }

    /// One packet of a transmitter at an address, with the frames that are in it.
    mutating func hear(
        _ seconds: Double, _ frame: BeaconID? = nil, address: UInt64 = 0xC0_0000_0001, url: String? = nil,
        rssi: Int8? = -60
    ) throws {
        let address = DeviceAddress(address, .random)
        let beacon = resolver.resolve(address: address, frames: (frame, nil), at: Self.at(seconds))
        var hearing = Sighting(beacon: beacon, time: Self.at(seconds))
        hearing.rssi = rssi
        hearing.address = address
        hearing.frames = (frame, nil)
        if let url { hearing.url = try EncodedURL(url) }
        monitor.receive(hearing, &transitions)
    }

    /// Packets from the first to the last second.
    mutating func hear(
        _ frame: BeaconID? = nil, from first: Double, to last: Double, every interval: Double = 1,
        address: UInt64 = 0xC0_0000_0001, url: String? = nil, rssi: Int8? = -60
    ) throws {
        var time = first
        while time <= last {
            try hear(time, frame, address: address, url: url, rssi: rssi)
            time += interval
        }
    }

    mutating func advance(to seconds: Double) { monitor.advance(to: Self.at(seconds), &transitions) }

    mutating func gap(_ start: Double, _ end: Double) {
        monitor.gap(from: Self.at(start), to: Self.at(end), &transitions)
    }

    /// The transitions since the last call.
    mutating func takeLines() -> [String] {
        defer { transitions = [] }
        return transitions.map { transition in
            var words = [Self.text(transition.at), transition.kind.rawValue]
            if transition.kind == .determined { words.append(transition.state.rawValue) }
            words.append(transition.regionID)
            if let name = monitor.name(of: transition) {
                words.append(name.split(separator: "-").last.map { String($0) } ?? name)
            }
            if transition.notBefore != transition.at { words += ["not before", Self.text(transition.notBefore)] }
            if !transition.isNotified { words.append("untold") }
            return words.joined(separator: " ")
        }
    }

    private static func text(_ time: Timestamp) -> String {
        let seconds = (time.seconds * 1000).rounded() / 1000
        return seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
    }
}
