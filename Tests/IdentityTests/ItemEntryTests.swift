import Bytes
import Identity
import Support
import Testing

@Suite("Entries of the registry")
struct ItemEntryTests {
    static func time(_ seconds: Double) -> Timestamp { Timestamp(microseconds: Int64(seconds * 1e6)) }

    /// An entry of one of few ids, dates and contents, so that all kinds of ties occur.
    static func random(_ generator: inout SeededGenerator) -> ItemEntry {
        let id = ["keys", "cat", "bag"].randomElement(using: &generator)!
        let at = time(Double(Int.random(in: 0...3, using: &generator)))
        guard Bool.random(using: &generator) else { return ItemEntry(removed: id, at: at) }
        var item = Item(id: id, name: ["A", "B", nil].randomElement(using: &generator)!, identities: [Beacons.keys])
        if Bool.random(using: &generator) { item.tags = ["x"] }
        return ItemEntry(item, at: at)
    }

    @Test("Merge entries to the same registry on all nodes in any order and number", arguments: 1...50)
    func merge(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let entries = (0..<12).map { _ in Self.random(&generator) }
        let expected = RegistryBook(entries: entries).entries
        for _ in 0..<8 {
            let repeated = (entries + entries.filter { _ in Bool.random(using: &generator) }).shuffled(
                using: &generator)
            #expect(RegistryBook(entries: repeated).entries == expected, "seed \(seed)")
        }
        // In two halves that are then merged, either way round.
        let (left, right) = (RegistryBook(entries: entries.prefix(6)), RegistryBook(entries: entries.suffix(6)))
        var (one, other) = (left, right)
        for entry in right.entries.values { one.merge(entry) }
        for entry in left.entries.values { other.merge(entry) }
        #expect(one.entries == expected && other.entries == expected, "seed \(seed)")
    }

    @Test("Supersede exactly one of two entries, unless they are equal", arguments: 1...50)
    func order(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let entries = (0..<12).map { _ in Self.random(&generator) }
        for left in entries {
            for right in entries where left.id == right.id {
                #expect((left != right) == (left.supersedes(right) != right.supersedes(left)), "seed \(seed)")
                #expect(left != right || !left.supersedes(right))
            }
        }
    }

    @Test("Supersede an entry that a fast clock dated by one that is written later")
    func successor() {
        let known = ItemEntry(removed: "keys", at: Self.time(4_000_000_000))
        let entry = ItemEntry(Item(id: "keys", identities: [Beacons.keys]), at: known.successor(at: Self.time(5)))
        #expect(entry.supersedes(known))
        #expect(ItemEntry(removed: "keys", at: Self.time(1)).successor(at: Self.time(5)) == Self.time(5))
        #expect(
            ItemEntry(removed: "keys", at: Timestamp(microseconds: .max)).successor(at: Self.time(5)) > Self.time(5))
    }

    @Test("Leave out the path of a key's file from the published item")
    func keyFile() {
        let entry = ItemEntry(Item(id: "phone", key: .irk, keyFile: "/etc/phone.irk"), at: Self.time(1))
        #expect(entry.item?.keyFile == nil)
        #expect(entry.item?.key == .irk)
    }

    @Test(
        "Read a canonical id back as the identity that it is",
        arguments: [Beacons.keys, Beacons.bag, Beacons.cat, BeaconID(Beacons.address)])
    func canonicalID(_ id: BeaconID) {
        #expect(BeaconID(id.text) == id)
    }

    @Test(
        "Reject text that is no canonical id",
        arguments: [
            "", "keys", "iBeacon:", "iBeacon:48534442-4c45-4144-80c0-1800fffffff0-100", "eddystone:0011-22",
            "iBeacon:48534442-4c45-4144-80c0-1800fffffff0-100-65536",
            "iBeacon:48534442-4c45-4144-80c0-1800fffffff0-+1-1",
            "other:48534442-4c45-4144-80c0-1800fffffff0-1-1", "eddystone:00112233445566778899-0123456789a",
        ])
    func noCanonicalID(_ text: String) {
        #expect(BeaconID(text) == nil)
    }
}
