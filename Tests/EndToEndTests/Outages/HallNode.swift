import Bytes
import Identity
import Support

/// The node in a busy hall: its items and regions.
enum HallNode {
    /// Forty of the hall's beacons are registered.
    static let items: [Item] = (0..<40).map { number in
        var item = Item(id: "item-\(number)", identities: [BusyHall(seed: 0).transmitters[number].ids[0]])
        if number % 3 == 0 { item.tags = ["third"] }
        return item
    }

    /// Overlapping wildcards, a tag, and a region for each beacon.
    static let regions: [Region] = {
        var regions = [
            Region(id: "all", members: .beacons(.iBeacon(uuid: BusyHall.uuid, major: nil, minor: nil))),
            Region(id: "eddystones", members: .beacons(.eddystone(BusyHall.namespace, nil)), exitAfter: .seconds(12)),
            Region(id: "third", members: .tag("third")),
        ]
        for major in 0..<4 as Range<UInt16> {
            regions.append(
                Region(
                    id: "major-\(major)",
                    members: .beacons(.iBeacon(uuid: BusyHall.uuid, major: major, minor: nil)),
                    exitAfter: .seconds(10 + 5 * Int(major))))
        }
        for (number, transmitter) in BusyHall(seed: 0).transmitters.enumerated() {
            let members: Region.Members =
                number < 40 ? .item("item-\(number)") : .beacons(BeaconPattern(transmitter.ids[0]))
            regions.append(Region(id: "r-\(number)", members: members))
        }
        return regions
    }()

    static let registry = Registry(items: items, regions: regions)

    /// The configuration of its agent, which receives through a pipe.
    static func configure(_ deployment: Deployment, _ pipe: PacketPipe, state: String = "kitchen.sqlite") throws
        -> String
    {
        func identity(_ id: BeaconID) -> String {
            switch id {
            case .iBeacon(let uuid, let major, let minor):
                "ibeacon: {uuid: \(uuid), major: \(major), minor: \(minor)}"
            case .eddystone(_, let instance):
                "eddystone_uid: {namespace: \"\(BusyHall.namespace)\", instance: \"\(Hex.text(instance, digits: 12))\"}"
            default: ""
            }
        }
        let items = items.map { item in
            "- {id: \(item.id), \(identity(item.identities[0]))\(item.tags.isEmpty ? "" : ", tags: [third]")}"
        }
        _ = try deployment.folder.write(Array(items.joined(separator: "\n").utf8), to: "items.yaml")
        let regions = regions.map { region in
            let members =
                switch region.members {
                case .item(let item): "item: \(item)"
                case .tag(let tag): "tag: \(tag)"
                case .beacons(.iBeacon(_, let major?, nil)): "ibeacon: {uuid: \(BusyHall.uuid), major: \(major)}"
                case .beacons(.iBeacon(_, nil, nil)): "ibeacon: {uuid: \(BusyHall.uuid)}"
                case .beacons(.eddystone(_, nil)): "eddystone_uid: {namespace: \"\(BusyHall.namespace)\"}"
                default:
                    identity(BusyHall(seed: 0).transmitters[Int(region.id.dropFirst(2)) ?? 0].ids[0])
                }
            let exit = region.exitAfter.map { ", exit_after: \($0.components.seconds)s" } ?? ""
            return "  - {id: \(region.id), \(members)\(exit)}"
        }
        return try deployment.agent(
            "kitchen", source: "replay:\(pipe.path)", ["state: \(state)", "regions:"] + regions)
    }
}
