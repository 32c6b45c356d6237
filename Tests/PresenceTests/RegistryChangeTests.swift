import Identity
import Presence
import Testing
import WireProtocol

@Suite struct RegistryChangeTests {
    private let keys = Region(id: "keys", members: .item("keys"), exitAfter: .seconds(30))
    private let mine = Region(id: "mine", members: .tag("mine"), exitAfter: .seconds(30))

    @Test("Retain the state of an unchanged region in another registry")
    func stays() throws {
        var watch = Watch(keys, mine)
        try watch.hear(Watch.iBeacon(1), from: 0, to: 50)
        _ = watch.takeLines()
        watch.use(Registry(items: Watch.items, regions: [Region(id: "a", members: .item("phone")), keys]), at: 51)
        #expect(watch.monitor.takeChanges().removedRegions == ["mine"])
        try watch.hear(Watch.iBeacon(1), from: 52, to: 90)
        #expect(watch.takeLines() == ["81 determined outside a"])
        watch.advance(to: 200)
        #expect(watch.takeLines() == ["120 exit keys keys not before 90"])
    }

    @Test("Ignore the same registry again, as with each connection to a broker, without delaying a region")
    func same() throws {
        var watch = Watch(keys, mine)
        for second in stride(from: 5.0, through: 25, by: 5) {
            watch.use(Registry(items: Watch.items, regions: [keys, mine]), at: second)
        }
        watch.advance(to: 40)
        #expect(watch.takeLines().sorted() == ["30 determined outside keys", "30 determined outside mine"])
    }

    @Test("Determine the regions of a removed item, without a departure")
    func removed() throws {
        var watch = Watch(keys, mine)
        try watch.hear(Watch.iBeacon(1), from: 0, to: 50)
        _ = watch.takeLines()
        watch.use(Registry(items: [Watch.items[1]], regions: [keys, mine]), at: 51)
        #expect(watch.takeLines() == ["51 determined outside keys", "51 determined outside mine"])
        watch.advance(to: 500)
        #expect(watch.takeLines() == [])
    }

    @Test("Determine a new region by a present beacon, without waiting for its next packet")
    func new() throws {
        var watch = Watch(keys)
        try watch.hear(Watch.iBeacon(1), from: 0, to: 50)
        _ = watch.takeLines()
        watch.use(Registry(items: Watch.items, regions: [keys, mine]), at: 51)
        #expect(watch.takeLines() == ["51 determined inside mine keys"])
        // The same id with other members is another region.
        watch.use(Registry(items: Watch.items, regions: [Region(id: "keys", members: .item("phone")), mine]), at: 60)
        #expect(watch.monitor.report(of: 0).state == .unknown)
        watch.advance(to: 100)
        #expect(watch.takeLines() == ["80 exit mine keys not before 50", "90 determined outside keys"])
    }

    @Test("Bound a flood of identities under a watched UUID, and retain all beacons inside")
    func flood() throws {
        let all = Region(
            id: "all", members: .beacons(.iBeacon(uuid: Watch.uuid, major: nil, minor: nil)), exitAfter: .seconds(10))
        var watch = Watch(all, keys)
        for number in 0..<20_000 {
            let time = Double(number) / 100
            try watch.hear(time, Watch.iBeacon(UInt16(number), major: 7), address: UInt64(number))
            if number % 100 == 0 { try watch.hear(time, Watch.iBeacon(1), address: 0xFFFF_FFFF) }
        }
        #expect(watch.monitor.beaconCount <= RegionMonitor.beaconCapacity)
        #expect(watch.monitor.evicted > 0)
        #expect(watch.monitor.refused == 0)
        #expect(watch.takeLines() == ["0 determined inside all 0", "0 determined inside keys keys"])
        watch.advance(to: 300)
        #expect(watch.takeLines().count == 2)
        #expect(watch.monitor.report(of: 0).count == 0)
    }

    @Test("Return exactly equal transitions for equal reports, with restarts or without")
    func repeatable() throws {
        var lines: [[String]] = []
        for restarts in [false, false, true] {
            var watch = Watch(keys, mine)
            var told: [String] = []
            for step in 0..<60 {
                let start = Double(step) * 20
                if step % 9 < 5 { try watch.hear(Watch.iBeacon(1), from: start, to: start + 19, address: 1) }
                if step % 4 == 1 { try watch.hear(start + 19.5, Watch.iBeacon(2), address: 2) }
                watch.advance(to: start + 19.9)
                told += watch.takeLines().filter { !$0.contains("determined") }
                if restarts { watch = Watch(restoring: watch.monitor.record, keys, mine, at: start + 19.9) }
            }
            lines.append(told)
        }
        #expect(lines[0] == lines[1])
        // A restart without a pause changes the time of a determination, and no crossing.
        #expect(
            lines[0].map { $0.split(separator: " ").prefix(4) } == lines[2].map { $0.split(separator: " ").prefix(4) })
        #expect(lines[0].count > 10)
    }
}
