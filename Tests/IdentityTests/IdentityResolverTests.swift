import Advertising
import BeaconFrames
import Bytes
import Identity
import Support
import Testing

@Suite struct IdentityResolverTests {
    /// A resolver that receives `time address frames`, and returns `id counts`.
    private struct Line {
        var resolver: IdentityResolver
        let items: [Item]

        init(items: [Item] = [], regions: [Region] = []) {
            let registry = Registry(items: items, regions: regions)
            resolver = IdentityResolver(registry: registry)
            self.items = registry.items
        }

        /// Frames: `i`, `j` two iBeacons, `a` an AltBeacon, `e` an Eddystone-UID; none for TLM or plain reports.
        mutating func hear(_ line: String) -> String {
            let words = line.split(separator: " ")
            let frames = words.dropFirst(2).map { word -> BeaconID in
                switch word {
                case "i": Beacons.keys
                case "j": .iBeacon(uuid: Beacons.uuid, major: 100, minor: 2)
                case "a": Beacons.bag
                default: Beacons.cat
                }
            }
            let found = resolver.resolve(
                address: DeviceAddress(UInt64(words[1])!, .random), frames: (frames.first, frames.dropFirst().first),
                at: Timestamp(microseconds: 0).advanced(bySeconds: Double(words[0])!))
            let name = found.item.map { resolver.currentRegistry.items[Int($0)].id } ?? short(found.id)
            return "\(name)\(found.counts ? "" : " -")\(found.isWatched ? " watched" : "")"
        }

        private func short(_ id: BeaconID) -> String {
            switch id {
            case Beacons.keys: "i"
            case .iBeacon: "j"
            case .altBeacon: "a"
            case .eddystone: "e"
            case .address(let bits): "\(bits)"
            case .irk, .eid, .fmdn: id.text
            }
        }

        mutating func hear(_ lines: [String]) -> [String] { lines.map { hear($0) } }
    }

    @Test("Assign a tag's telemetry and plain reports to its iBeacon and don't count them twice")
    func oneTransmitter() {
        var line = Line()
        let heard = line.hear(["0 1", "0.1 1 i", "0.2 1", "0.3 1 i", "0.4 1", "1 2", "2 1 i"])
        #expect(heard == ["1", "i", "i -", "i", "i -", "2", "i"])
    }

    @Test("Follow a tag that changes its address from the first frame on")
    func rotation() {
        var line = Line(items: [Item(id: "keys", identities: [Beacons.keys])])
        #expect(line.hear(["0 1 i", "1 1", "2 7 i", "3 7", "4 1"]) == ["keys", "keys -", "keys", "keys -", "keys -"])
    }

    @Test("Choose the identity in the stated order: item, iBeacon, AltBeacon, Eddystone, address")
    func ranks() {
        var line = Line()
        #expect(
            line.hear(["0 1", "1 1 e", "2 1 a", "3 1 e", "4 1 i", "5 1 a", "6 1 e", "7 1", "8 1 i"])
                == ["1", "e", "a", "a -", "i", "i -", "i -", "i -", "i"])
        #expect(line.hear(["0 2 e i", "1 2 i e", "2 2 a e", "3 2"]) == ["i", "i", "i -", "i -"])
        var named = Line(items: [Item(id: "cat", identities: [Beacons.cat])])
        #expect(named.hear(["0 1 i", "1 1 e", "2 1 i", "3 1 i e", "4 1"]) == ["i", "cat", "cat -", "cat", "cat -"])
    }

    @Test("Find an item registered by its address in any frame of that address")
    func byAddress() {
        var line = Line(items: [Item(id: "lamp", identities: [.address(9)])])
        #expect(line.hear(["0 9", "1 9 i", "2 9 e", "3 9", "4 8 i"]) == ["lamp", "lamp", "lamp", "lamp", "i"])
    }

    @Test("Report both iBeacons of one transmitter")
    func twoAlike() {
        var line = Line()
        #expect(line.hear(["0 1 i", "1 1 j", "2 1 i", "3 1 j", "4 1"]) == ["i", "j", "i", "j", "j -"])
    }

    @Test("Resolve a newly registered item by the next packet, and a removed one no longer")
    func registryChange() {
        var line = Line()
        #expect(line.hear(["0 1 i", "1 2 e"]) == ["i", "e"])
        line.resolver.use(Registry(items: [Item(id: "keys", identities: [Beacons.keys])]))
        #expect(line.hear(["2 1 i", "3 1", "4 2 e"]) == ["keys", "keys -", "e"])
        line.resolver.use(
            Registry(items: [Item(id: "bag", identities: [Beacons.bag]), Item(id: "puss", identities: [Beacons.cat])]))
        #expect(line.hear(["5 1", "6 1 i", "7 2", "8 2 e"]) == ["i -", "i", "puss -", "puss"])
        line.resolver.use(Registry())
        #expect(line.hear(["9 2", "10 2 e"]) == ["e -", "e"])
    }

    @Test("Expire an identity that an address has not sent for 15 minutes")
    func memory() {
        var line = Line()
        #expect(line.hear(["0 1 i", "899 1", "900 1", "900.1 1", "901 1"]) == ["i", "i -", "i -", "1", "1"])
        #expect(line.hear(["1000 2 i", "1800 2 i", "2600 2", "2701 2 e"]) == ["i", "i", "i -", "e"])
    }

    @Test("Expire an old identity of an address also after a clock went back by hours")
    func clockBack() {
        var line = Line()
        #expect(line.hear(["90000 1 i", "10 1", "11 1"]) == ["i", "1", "1"])
        #expect(line.hear(["20 2 i", "19 2"]) == ["i", "i -"])
    }

    @Test("Mark watched beacons as such")
    func watched() {
        let region = Region(id: "office", members: .beacons(.iBeacon(uuid: Beacons.uuid, major: 100, minor: nil)))
        var line = Line(regions: [region])
        #expect(line.hear(["0 1 i", "1 1", "2 2 e"]) == ["i watched", "i - watched", "e"])
    }

    @Test("Bound the memory for a crowd of 100,000 addresses and still find registered items")
    func flood() {
        var line = Line(items: [
            Item(id: "keys", identities: [Beacons.keys]), Item(id: "lamp", identities: [.address(9)]),
        ])
        var random = SeededGenerator(seed: 12)
        for step in 0..<100_000 {
            let time = Timestamp(microseconds: Int64(step) * 1000)
            let address = DeviceAddress(UInt64.random(in: 100...0xFFFF_FFFF_FFFF, using: &random), .random)
            _ = line.resolver.resolve(address: address, frames: (nil, nil), at: time)
            guard step % 1000 == 999 else { continue }
            let seconds = Double(step) / 1000
            #expect(line.hear(["\(seconds) 1 i", "\(seconds) 1", "\(seconds) 9"]) == ["keys", "keys -", "lamp"])
        }
        #expect(line.resolver.evicted == 100_002 - UInt64(IdentityResolver.addressCapacity))
    }
}
