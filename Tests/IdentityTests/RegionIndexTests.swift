import BeaconFrames
import Identity
import Testing

@Suite struct RegionIndexTests {
    private let regions = [
        Region(id: "a", members: .beacons(.iBeacon(uuid: Beacons.uuid, major: nil, minor: nil))),
        Region(id: "b", members: .beacons(.iBeacon(uuid: Beacons.uuid, major: 100, minor: nil))),
        Region(id: "c", members: .beacons(.iBeacon(uuid: Beacons.uuid, major: 100, minor: 1))),
        Region(id: "d", members: .beacons(.address(0xA1))),
        Region(id: "e", members: .url(URLPattern("https://a.com/", isPrefix: true))),
        Region(id: "f", members: .url(URLPattern("https://a.com/x"))),
        Region(id: "g", members: .item("keys")), Region(id: "h", members: .tag("mine")),
        Region(id: "i", members: .url(URLPattern("", isPrefix: true))),
    ]

    private func registry() -> Registry {
        var keys = Item(id: "keys", identities: [.address(1)])
        keys.tags = ["mine", "metal"]
        return Registry(items: [keys], regions: regions)
    }

    private func names(_ body: (RegionIndex, (Int32) -> Void) -> Void) -> String {
        var names = ""
        body(registry().regionIndex) { names += regions[Int($0)].id }
        return String(names.sorted())
    }

    @Test("Find each identity, address, web address and item in all its regions, and in no other")
    func found() throws {
        let uuid = Beacons.uuid
        #expect(names { $0.forEachRegion(of: .iBeacon(uuid: uuid, major: 100, minor: 1), $1) } == "abc")
        #expect(names { $0.forEachRegion(of: .iBeacon(uuid: uuid, major: 100, minor: 2), $1) } == "ab")
        #expect(names { $0.forEachRegion(of: .altBeacon(uuid: uuid, major: 100, minor: 1), $1) } == "")
        #expect(names { $0.forEachRegion(of: .address(0xA1), $1) } == "d")
        #expect(names { $0.forEachRegion(ofItem: 0, $1) } == "gh")
        #expect(names { $0.forEachRegion(ofItem: 1, $1) } == "")
        let url = try EncodedURL("https://a.com/x")
        #expect(names { $0.forEachRegion(of: url, $1) } == "efi")
        let other = try EncodedURL("https://a.org/x")
        #expect(names { $0.forEachRegion(of: other, $1) } == "i")
        #expect(registry().isWatched(url) && registry().isWatched(.address(0xA1)))
        #expect(!Registry(regions: Array(regions[0..<3])).isWatched(.address(0xA1)))
    }

    @Test("Find a prefix regardless of the address's compression")
    func compression() throws {
        let long = URLPattern("https://a.com", isPrefix: true)
        let registry = Registry(regions: [Region(id: "a", members: .url(long))])
        for url in ["https://a.com", "https://a.com/", "https://a.com/b", "https://a.coming/"] {
            #expect(registry.isWatched(try EncodedURL(url)) == long.contains(url))
        }
        #expect(!registry.isWatched(try EncodedURL("http://a.com/")))
    }

    @Test("Give members one text each, which identifies a stored state")
    func texts() {
        #expect(Set(regions.map(\.members.text)).count == regions.count)
        #expect(regions[1].members.text == "iBeacon:\(Beacons.uuid)-100")
        #expect(Region.Members.url(URLPattern("x")).text != Region.Members.url(URLPattern("x", isPrefix: true)).text)
    }
}
