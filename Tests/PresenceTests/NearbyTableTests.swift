import Advertising
import BeaconFrames
import Identity
import Presence
import WireProtocol
import Testing

@Suite("What is nearby")
struct NearbyTableTests {
    static let fixed = DeviceAddress(0xC0FF_EE00_0001, .random)
    static let rotating = DeviceAddress(0x4000_0000_0001, .random)

    /// A table for five seconds from 100 s on, and the resolver for its reports.
    struct Node {
        var table = NearbyTable(from: Ear.time(100), for: .seconds(5))
        var resolver: IdentityResolver

        init(items: [Item] = []) {
            resolver = IdentityResolver(registry: Registry(items: items))
        }

        mutating func hear(_ address: DeviceAddress, _ data: [UInt8], _ rssi: Int8?, at seconds: Double = 101) {
            var ids: [BeaconID] = []
            BeaconFrame.decode(data: data.span) { frame in if let id = BeaconID(frame) { ids.append(id) } }
            let time = Ear.time(seconds)
            let beacon = resolver.resolve(address: address, frames: (ids.first, ids.dropFirst().first), at: time)
            let report = AdvertisingReport(
                eventType: AdvertisingEventType(rawValue: 0x13), address: address, rssi: rssi)
            table.receive(report, data.span, of: beacon, at: time)
        }
    }

    static func iBeacon(_ minor: UInt16) -> [UInt8] {
        IBeacon(uuid: BeaconUUID(high: 1, low: 2), major: 0, minor: minor, measuredPower: -59).advertisingData
    }

    static func name(_ text: String, type: UInt8 = ADType.completeLocalName) -> [UInt8] {
        var data: [UInt8] = []
        ADStructure.append(type: type, Array(text.utf8).span, to: &data)
        return data
    }

    @Test("List the tag nearest to the node first, with its name, its URL and all its ids")
    func strongest() throws {
        var node = Node()
        for _ in 0..<3 {
            node.hear(Self.fixed, Self.iBeacon(1), -40)
            node.hear(DeviceAddress(0xC0FF_EE00_0002, .random), Self.iBeacon(2), -70)
        }
        node.hear(Self.fixed, Self.name("Short", type: ADType.shortenedLocalName), nil)
        node.hear(Self.fixed, Self.name("Tag 1"), nil)
        node.hear(Self.fixed, try EddystoneURL("https://example.org/", txPower: -20).advertisingData, -44)
        let found = node.table.strongest()
        #expect(found.map(\.id) == [Ear.id(1), Ear.id(2)])
        #expect(found[0].ids == [Ear.id(1), BeaconID(Self.fixed)])
        #expect(found[0].name == "Tag 1")
        #expect(found[0].url == "https://example.org/")
        #expect(found[0].power == -59)
        #expect(found[0].mean == -41)
        #expect(found[0].last == -44)
        #expect(found[0].count == 4)
    }

    @Test("Leave out registered beacons, phones with changing addresses and late reports")
    func leftOut() {
        var node = Node(items: [Item(id: "keys", identities: [Ear.id(1)])])
        node.hear(Self.fixed, Self.iBeacon(1), -40)
        node.hear(Self.rotating, Self.name("Phone"), -30)
        node.hear(.anonymous, Self.iBeacon(3), -30)
        node.hear(DeviceAddress(0xC0FF_EE00_0002, .random), Self.iBeacon(2), -50, at: 99)
        node.hear(DeviceAddress(0xC0FF_EE00_0002, .random), Self.iBeacon(2), -50, at: 105)
        #expect(node.table.strongest().isEmpty)
    }

    @Test("Count transmitters of rotating identity by class with the loudest level, and list none of them")
    func classes() {
        var node = Node()
        let separated: [UInt8] = [0x1E, 0xFF, 0x4C, 0x00, 0x12, 0x19] + [UInt8](repeating: 7, count: 25)
        // A Find My tag's address is random and of the static kind, and is valid for a day at most.
        node.hear(Self.fixed, [], -36)
        node.hear(Self.fixed, separated, -32)
        node.hear(DeviceAddress(0xC0FF_EE00_0009, .random), separated, -60)
        node.hear(DeviceAddress(0xC0FF_EE00_0003, .random), [0x03, 0x02, 0xED, 0xFE], -50)
        node.hear(Self.rotating, Self.name("Phone"), -40)
        let found = node.table.strongest()
        #expect(found.map(\.id) == [BeaconID(DeviceAddress(0xC0FF_EE00_0003, .random))])
        #expect(found.map(\.transmitterClass) == [.tile])
        #expect(
            node.table.others() == [
                NearbyStranger(transmitterClass: .findMySeparated, addresses: 2, mean: -34),
                NearbyStranger(transmitterClass: nil, addresses: 1, mean: -40),
            ])
    }

    @Test("List a tag that sends a permanent frame beside a class of rotating identity by the frame")
    func frameBesideClass() {
        var node = Node()
        node.hear(Self.fixed, [0x05, 0xFF, 0x4C, 0x00, 0x10, 0x00], -30)
        node.hear(Self.fixed, Self.iBeacon(1), -30)
        #expect(node.table.strongest().map(\.ids) == [[Ear.id(1)]])
        #expect(node.table.others().isEmpty)
    }

    @Test("Identify a tag with a changing address by its frame")
    func rotation() {
        var node = Node()
        node.hear(Self.rotating, Self.iBeacon(1), -40)
        node.hear(DeviceAddress(0x4000_0000_0002, .random), Self.iBeacon(1), -50)
        let found = node.table.strongest()
        #expect(found.map(\.id) == [Ear.id(1)])
        #expect(found.map(\.ids) == [[Ear.id(1)]])
        #expect(found.map(\.mean) == [-45])
        #expect(found.map(\.count) == [2])
    }

    @Test("List at most twenty of any number")
    func bounds() {
        var node = Node()
        for number in 0..<2000 {
            node.hear(DeviceAddress(0xC000_0000_0000 + UInt64(number), .random), [], Int8(-30 - number % 40))
        }
        #expect(node.table.strongest().count == NearbyTable.limit)
        #expect(node.table.strongest().allSatisfy { $0.mean == -30 })
        #expect(node.table.evicted == 2000 - UInt64(NearbyTable.capacity))
    }

    @Test("Answer at the end of the time, and after the clock was set back before its begin")
    func due() {
        let table = NearbyTable(from: Ear.time(100), for: .seconds(5))
        #expect(!table.isDue(at: Ear.time(100)))
        #expect(!table.isDue(at: Ear.time(104.9)))
        #expect(table.isDue(at: Ear.time(105)))
        #expect(table.isDue(at: Ear.time(50)))
    }

    @Test("Answer each request once and in time; reject a fifth open one, and ignore a repeated one")
    func requests() throws {
        var requests = NearbyRequests()
        for number in 1...4 {
            try requests.openRequest(
                NodeCommand(id: "\(number)", action: .nearby(for: .seconds(number))),
                reply: ReplyAddress(topic: "to/\(number)"), at: Ear.time(100))
        }
        let fourth = NodeCommand(id: "4", action: .nearby(for: .seconds(1)))
        try requests.openRequest(fourth, reply: ReplyAddress(topic: "to/4"), at: Ear.time(100))
        // The same id of another sender is another request.
        #expect(throws: CommandFault.self) {
            try requests.openRequest(fourth, reply: ReplyAddress(topic: "to/5"), at: Ear.time(100))
        }
        #expect(throws: CommandFault.self) {
            try requests.openRequest(
                NodeCommand(id: "5", action: .nearby(for: .seconds(1))), reply: ReplyAddress(topic: "to/5"),
                at: Ear.time(100))
        }
        let report = AdvertisingReport(
            eventType: AdvertisingEventType(rawValue: 0x13), address: Self.fixed, rssi: -50)
        var resolver = IdentityResolver(registry: Registry())
        let beacon = resolver.resolve(address: Self.fixed, frames: (Ear.id(1), nil), at: Ear.time(101.5))
        requests.receive(report, Self.iBeacon(1).span, of: beacon, at: Ear.time(101.5))
        #expect(requests.nextDeadline == Ear.time(101))
        let results = requests.takeResults(at: Ear.time(102))
        #expect(results.map(\.result.id) == ["1", "2"])
        #expect(results.map(\.reply.topic) == ["to/1", "to/2"])
        // The first had ended before the tag was received.
        #expect(results.map { if case .nearby(let found, _) = $0.result.answer { found.count } else { -1 } } == [0, 1])
        #expect(requests.takeResults(at: Ear.time(102)).isEmpty)
        #expect(requests.takeResults(at: Ear.time(200)).map(\.result.id) == ["3", "4"])
        #expect(requests.isEmpty && requests.nextDeadline == nil)
    }
}
