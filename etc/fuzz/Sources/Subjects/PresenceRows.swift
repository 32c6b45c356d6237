import BeaconFrames
import Bytes
import Identity
import Presence
import WireProtocol

/// What a node keeps of regions and beacons, those among them that are known by a key: it goes on with it or without it.
enum PresenceRows {
    private static let start = Timestamp(microseconds: 1_795_248_000_000_000)
    private static let uuid = BeaconUUID(high: 0x4853_4442_4C45_4144, low: 0x80C0_1800_FFFF_FFF0)
    private static let registry = Registry(
        items: [
            Item(id: "keys", identities: [.iBeacon(uuid: uuid, major: 100, minor: 1)]), Item(id: "phone", key: .irk),
            Item(id: "tag", key: .eid), Item(id: "bag", key: .fmdn),
        ],
        regions: [
            Region(id: "all", members: .beacons(.iBeacon(uuid: uuid, major: nil, minor: nil))),
            Region(id: "phone", members: .item("phone"), exitAfter: .seconds(30)),
            Region(id: "tag", members: .item("tag")),
        ])

    /// A row of a region.
    static func region(_ bytes: Span<UInt8>) -> Bool {
        guard let row = PresenceRecord.Region(id: "phone", bytes: bytes) else { return false }
        let again = PresenceRecord.Region(id: "phone", bytes: row.bytes.span)
        precondition(again == row, "a region changes by being kept")
        var record = Self.record
        record.regions = record.regions.filter { $0.id != row.id } + [row]
        live(record)
        return true
    }

    /// A row of a beacon.
    static func beacon(_ bytes: Span<UInt8>) -> Bool {
        guard let row = PresenceRecord.Beacon(id: .irk("phone"), bytes: bytes) else { return false }
        let kept = row.bytes
        precondition(
            PresenceRecord.Beacon(id: row.id, bytes: kept.span)?.bytes == kept, "a beacon changes by being kept")
        var record = Self.record
        record.beacons = record.beacons.filter { $0.id != row.id } + [row]
        live(record)
        return true
    }

    /// A node that goes on with it, hears all three and then nobody, and keeps it again.
    private static func live(_ record: PresenceRecord) {
        var monitor = RegionMonitor(registry: registry, at: start, restoring: record)
        hear(&monitor, from: 0, to: 2)
        check(monitor.record)
        var transitions: [Transition] = []
        monitor.advance(to: start.advanced(byMicroseconds: 1_200_000_000), &transitions)
        precondition(transitions.count < 100, "transitions without end")
        precondition(monitor.nextDeadline.map { $0 >= start } ?? true, "a deadline that is over")
        check(monitor.record)
    }

    private static func check(_ record: PresenceRecord) {
        for row in record.beacons {
            precondition(PresenceRecord.Beacon(id: row.id, bytes: row.bytes.span) == row, "a beacon is lost")
        }
        for row in record.regions {
            precondition(PresenceRecord.Region(id: row.id, bytes: row.bytes.span) == row, "a region is lost")
        }
    }

    private static func hear(_ monitor: inout RegionMonitor, from first: Int64, to last: Int64) {
        var resolver = IdentityResolver(registry: registry)
        var transitions: [Transition] = []
        for second in first...last {
            let time = start.advanced(byMicroseconds: second * 1_000_000)
            let frames: [BeaconID] = [
                .iBeacon(uuid: uuid, major: 100, minor: 1), .eid("tag"), .irk("phone"), .fmdn("bag"),
            ]
            for (place, frame) in frames.enumerated() {
                let address = Keyed.irkAddress(UInt32(place))
                var hearing = Sighting(
                    beacon: resolver.resolve(address: address, frames: (frame, nil), at: time), time: time)
                (hearing.rssi, hearing.address, hearing.frames) = (-60, address, (frame, nil))
                monitor.receive(hearing, &transitions)
            }
        }
    }

    /// A node that has heard all three, and lost some of them.
    private static let record: PresenceRecord = {
        var monitor = RegionMonitor(registry: registry, at: start.advanced(byMicroseconds: -300_000_000))
        hear(&monitor, from: -290, to: -60)
        return monitor.record
    }()

    static var regionSeeds: [[UInt8]] {
        var left = record.regions[0]
        (left.lastLeft, left.lastLeftAt) = (.eid("tag"), start.advanced(byMicroseconds: -70_000_000))
        return record.regions.map(\.bytes) + [left.bytes]
    }

    static var beaconSeeds: [[UInt8]] { record.beacons.map(\.bytes) }
}
