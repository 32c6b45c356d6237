import Identity
import Testing

@Suite struct RegistryTests {
    private let keys = Item(id: "keys", identities: [Beacons.keys, Beacons.cat])
    private let bag = Item(id: "bag", name: "Bag", identities: [Beacons.bag])

    @Test("Give nodes with the same items the same digest, in any order of reading")
    func order() {
        let one = Registry(items: [keys, bag])
        let other = Registry(items: [bag, Item(id: "keys", name: "Keys", identities: [Beacons.cat, Beacons.keys])])
        #expect(one.digest == other.digest)
        #expect(one.digest.count == 16)
        #expect(one.items.map(\.id) == ["bag", "keys"])
    }

    @Test("Detect a stale registry by its digest")
    func difference() {
        let digests = [
            Registry(), Registry(items: [keys]), Registry(items: [keys, bag]), Registry(items: [bag]),
            Registry(items: [Item(id: "keys", identities: [Beacons.keys])]),
            Registry(items: [Item(id: "key", identities: [Beacons.keys, Beacons.cat])]),
            Registry(items: [Item(id: "keys", identities: [Beacons.cat]), Item(id: "bag", identities: [Beacons.keys])]),
        ].map(\.digest)
        #expect(Set(digests).count == digests.count)
    }

    @Test("Assign an identity that two items claim to the first id, on every node")
    func twoClaim() {
        let first = Item(id: "a", identities: [Beacons.keys])
        let second = Item(id: "b", identities: [Beacons.keys])
        for items in [[first, second], [second, first]] {
            let registry = Registry(items: items)
            #expect(registry.item(showing: Beacons.keys).map { registry.items[Int($0)].id } == "a")
        }
    }

    @Test("Watch regions by pattern, and resolve no item in an empty registry")
    func watched() {
        let region = Region(
            id: "office", members: .beacons(.iBeacon(uuid: Beacons.uuid, major: 100, minor: nil)),
            exitAfter: .seconds(30)
        )
        let registry = Registry(regions: [region, Region(id: "mine", members: .item("keys"))])
        #expect(registry.isWatched(Beacons.keys))
        #expect(!registry.isWatched(Beacons.bag))
        #expect(!Registry().isWatched(Beacons.keys))
        #expect(Registry().item(showing: Beacons.keys) == nil)
    }
}
