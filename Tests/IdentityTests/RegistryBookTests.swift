import Bytes
import Identity
import Support
import Testing

@Suite("The book of the registry")
struct RegistryBookTests {
    static let day = 86_400.0
    static func time(_ seconds: Double) -> Timestamp { ItemEntryTests.time(seconds) }
    static func item(_ id: String, _ identity: BeaconID, _ name: String? = nil) -> Item {
        Item(id: id, name: name, identities: [identity])
    }
    static func change(_ item: Item, _ at: Double?) -> ItemChange {
        ItemChange(id: item.id, content: .item(item), at: at.map(time))
    }
    static let keys = item("keys", Beacons.keys, "Keys")
    static let cat = item("cat", Beacons.cat)

    @Test("Use the items file while no broker was reached, and for items without a topic")
    func file() {
        var book = RegistryBook()
        book.apply(file: [Self.keys, Self.cat])
        #expect(book.registry().items.map(\.id) == ["cat", "keys"])
        book.apply(Self.change(Self.item("keys", Beacons.keys, "Anna's keys"), 5), retained: true, at: Self.time(9))
        #expect(book.registry().items.map(\.name) == [nil, "Anna's keys"])
    }

    @Test("Registered is what the topic registers, or the items file alone names")
    func registered() {
        var book = RegistryBook()
        book.apply(file: [Self.keys, Self.cat])
        #expect(book.isRegistered("keys") && book.isRegistered("cat") && !book.isRegistered("dog"))
        book.apply(ItemChange(id: "cat", content: .removed, at: Self.time(6)), retained: true, at: Self.time(9))
        book.apply(Self.change(Self.item("dog", Beacons.bag), 5), retained: true, at: Self.time(9))
        #expect(book.isRegistered("keys") && !book.isRegistered("cat") && book.isRegistered("dog"))
    }

    @Test("Prefer the topic if both name an item, and report the difference once")
    func difference() {
        var book = RegistryBook()
        book.apply(file: [Self.keys, Self.cat])
        book.apply(Self.change(Self.cat, 5), retained: true, at: Self.time(9))
        #expect(book.takeDifferences().isEmpty)
        book.apply(ItemChange(id: "keys", content: .removed, at: Self.time(6)), retained: true, at: Self.time(9))
        #expect(book.registry().items.map(\.id) == ["cat"])
        #expect(book.takeDifferences().map(\.id) == ["keys"])
        #expect(book.takeDifferences().isEmpty)
        book.apply(file: [Self.keys, Self.cat])
        #expect(book.takeDifferences().isEmpty)
    }

    @Test("Remove nothing for an absent config, and fill a broker without its store again")
    func lostStore() {
        var book = RegistryBook()
        book.apply(Self.change(Self.keys, 5), retained: true, at: Self.time(9))
        book.apply(ItemChange(id: "cat", content: .removed, at: Self.time(6)), retained: true, at: Self.time(9))
        let repairs = book.repairs(broker: [:], at: Self.time(10))
        #expect(repairs.put.map(\.id) == ["cat", "keys"])
        #expect(repairs.put.map(\.isTombstone) == [true, false])
        let retained = Dictionary(repairs.put.map { ($0.id, ItemChange($0)) }) { first, _ in first }
        #expect(book.repairs(broker: retained, at: Self.time(11)).isEmpty)
    }

    @Test("Apply a removal after an absence, and don't restore the item from a stale config")
    func removal() {
        var book = RegistryBook(entries: [ItemEntry(Self.keys, at: Self.time(5))])
        let tombstone = ItemChange(id: "keys", content: .removed, at: Self.time(6))
        #expect(book.apply(tombstone, retained: true, at: Self.time(60 * Self.day)) == .taken)
        #expect(book.registry().items.isEmpty)
        #expect(book.apply(Self.change(Self.keys, 5), retained: true, at: Self.time(9)) == .superseded)
        #expect(book.apply(Self.change(Self.keys, nil), retained: true, at: Self.time(9)) == .superseded)
        #expect(book.registry().items.isEmpty)
        #expect(book.repairs(broker: ["keys": Self.change(Self.keys, 5)], at: Self.time(9)).put.map(\.id) == ["keys"])
    }

    @Test("Retain a tombstone for 30 days, and longer while the file names the item")
    func tombstoneAge() {
        let tombstone = ItemChange(id: "keys", content: .removed, at: Self.time(100))
        var book = RegistryBook()
        book.apply(tombstone, retained: false, at: Self.time(100))
        #expect(book.prune(at: Self.time(100 + 30 * Self.day)).isEmpty)
        #expect(book.repairs(broker: ["keys": tombstone], at: Self.time(100 + 30 * Self.day)).isEmpty)
        let later = Self.time(101 + 30 * Self.day)
        #expect(book.repairs(broker: ["keys": tombstone], at: later).clear == ["keys"])
        #expect(book.repairs(broker: [:], at: later).isEmpty)
        var seeded = book
        seeded.apply(file: [Self.keys])
        #expect(seeded.prune(at: later).isEmpty)
        #expect(seeded.registry().items.isEmpty)
        #expect(book.prune(at: later) == ["keys"])
        #expect(book.entries.isEmpty)
        #expect(book.repairs(broker: ["keys": tombstone], at: later).clear == ["keys"])
        // A machine whose clock is not set yet expires nothing.
        var early = RegistryBook(entries: [ItemEntry(removed: "keys", at: later)])
        #expect(early.prune(at: Self.time(0)).isEmpty)
    }

    @Test("Date a config without a date by its receipt")
    func undated() {
        var book = RegistryBook(entries: [ItemEntry(Self.keys, at: Self.time(5))])
        let change = Self.change(Self.item("keys", Beacons.keys, "By hand"), nil)
        #expect(book.apply(change, retained: false, at: Self.time(9)) == .taken)
        #expect(book.apply(change, retained: true, at: Self.time(12)) == .known)
        #expect(book.registry().items.map(\.name) == ["By hand"])
        let repairs = book.repairs(broker: ["keys": change], at: Self.time(10))
        #expect(repairs.put.map(\.at) == [Self.time(9)])
    }

    @Test("Reject the second of two items with one beacon, with the reason and the remedy")
    func duplicate() {
        var book = RegistryBook()
        book.apply(Self.change(Self.item("alarm", Beacons.keys), 9), retained: true, at: Self.time(20))
        book.apply(Self.change(Self.keys, 5), retained: true, at: Self.time(20))
        book.apply(file: [Self.item("also", Beacons.keys), Self.cat])
        let (items, refusals) = book.checkEntries()
        #expect(items.map(\.id) == ["cat", "keys"])
        #expect(refusals.map(\.id) == ["alarm", "also"])
        #expect(refusals.allSatisfy { $0.owner == "keys" && $0.identity == Beacons.keys })
        #expect("\(refusals[0])".contains("whereabouts items remove alarm"))
        // The owner of the file can't remove 'keys' from a file that doesn't contain it.
        #expect("\(refusals[1])".contains("items file"))
        #expect("\(refusals[1])".contains("whereabouts items remove keys"))
        // A rejected item is not published.
        #expect(book.repairs(broker: [:], at: Self.time(20)).put.map(\.id) == ["alarm", "cat", "keys"])
    }

    @Test("Use this machine's key file regardless of the topic")
    func keyFile() {
        var book = RegistryBook()
        book.apply(file: [Item(id: "phone", key: .irk, keyFile: "/etc/phone.irk")])
        var phone = Item(id: "phone", name: "Phone")
        phone.key = .irk
        book.apply(ItemChange(id: "phone", content: .item(phone), at: Self.time(3)), retained: true, at: Self.time(9))
        #expect(book.checkEntries().items.map(\.keyFile) == ["/etc/phone.irk"])
        #expect(book.checkEntries().items.map(\.name) == ["Phone"])
        book.apply(file: [])
        #expect(book.checkEntries().items.map(\.keyFile) == [nil])
        #expect(book.checkEntries().items.map(\.key) == [.irk])
    }

    @Test("Reject and count entries beyond the capacity")
    func full() {
        var book = RegistryBook(
            entries: (0..<RegistryBook.entryBound).lazy.map { ItemEntry(removed: "i\($0)", at: Self.time(1)) })
        #expect(book.apply(Self.change(Self.keys, 5), retained: true, at: Self.time(9)) == .full)
        #expect(book.overflow == 1)
        #expect(
            book.apply(ItemChange(id: "i7", content: .removed, at: Self.time(2)), retained: true, at: Self.time(9))
                == .known)
    }

    @Test("Bring three different books to agreement through one broker, without further writes", arguments: 1...30)
    func convergence(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var books = (0..<3).map { _ in
            RegistryBook(entries: (0..<4).map { _ in ItemEntryTests.random(&generator) })
        }
        var broker: [String: ItemChange] = [:]
        for _ in 0..<3 {
            var change = ItemChange(ItemEntryTests.random(&generator))
            if Bool.random(using: &generator), change.content != .removed { change.at = nil }
            broker[change.id] = change
        }
        for _ in 0..<10 {
            for index in books.indices.shuffled(using: &generator) {
                for change in broker.values { books[index].apply(change, retained: true, at: Self.time(9)) }
                for entry in books[index].repairs(broker: broker, at: Self.time(9)).put {
                    broker[entry.id] = ItemChange(entry)
                }
            }
        }
        #expect(books.allSatisfy { $0.repairs(broker: broker, at: Self.time(9)).isEmpty }, "seed \(seed)")
        #expect(Set(books.map { $0.registry().digest }).count == 1, "seed \(seed)")
        #expect(books.allSatisfy { $0.checkEntries().items == books[0].checkEntries().items }, "seed \(seed)")
    }
}
