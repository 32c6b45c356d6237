import Bytes
import Support
import WireProtocol
import Testing

@testable import Integrations

@Suite("The times of publications for Home Assistant")
struct DiscoveryBookTests {
    static let place = DiscoveryPlace(prefix: "homeassistant", topicPrefix: "whereabouts")

    static let birth = Message(topic: "homeassistant/status", text: "online")

    @Test("publish wanted devices after the connection has settled, and their states again")
    func first() {
        var world = World()
        world.add("item_keys")
        world.connect()
        world.run(3)
        #expect(world.log.isEmpty, "what is retained comes first")
        world.run(7)
        #expect(world.count("item_keys") == 1 && world.log.allSatisfy { $0.retained && $0.qos == .atLeastOnce })
        world.run(90)
        #expect(world.restated == ["item_keys", "item_keys"] && world.log.count == 1)
        #expect(world.book.nextDeadline == nil)
    }

    @Test("publish unchanged documents again after a connection and at Home Assistant's start only")
    func again() {
        var world = World()
        world.add("item_keys")
        world.connect()
        world.run(10)
        world.book.recheckDevice("item_keys")
        world.run(10)
        #expect(world.count("item_keys") == 1, "nothing is new")
        _ = world.book.receive(Self.birth, at: world.now)
        world.run(10)
        #expect(world.count("item_keys") == 2)
        world.connect()
        world.run(10)
        #expect(world.count("item_keys") == 3)
    }

    @Test("publish two thousand items within forty seconds, without a flood")
    func pace() {
        var world = World()
        for number in 0..<2000 { world.add("item_\(number)") }
        world.connect()
        world.run(10)
        #expect((1...300).contains(world.log.count), "\(world.log.count)")
        world.run(40)
        #expect(world.broker.count == 2000)
    }

    @Test("publish a new name at once, ahead of all others")
    func rename() {
        var world = World()
        for number in 0..<2000 { world.add("item_\(number)") }
        world.connect()
        world.run(60)
        _ = world.book.receive(Self.birth, at: world.now)
        world.run(5)
        world.documents["item_1999"]?.name = "Cat"
        world.book.recheckDevice("item_1999")
        world.run(1)
        #expect(world.text("item_1999")?.contains("Cat") == true)
    }

    @Test("clear a removed item, once")
    func removed() {
        var world = World()
        world.add("item_keys")
        world.connect()
        world.run(10)
        world.book.drop("item_keys")
        world.run(30)
        #expect(world.broker.isEmpty)
        #expect(world.log.count { $0.payload.isEmpty } == 1, "Home Assistant warns of a device that it doesn't know")
    }

    @Test("clear documents of items removed while everything was off, and none of others")
    func offline() {
        var world = World()
        let others = [Self.place.device("node_hall"), "homeassistant/sensor/other/x/config"]
        for topic in others { world.broker[topic] = Array(#"{"cmps":{}}"#.utf8) }
        world.broker[Self.place.device("item_gone")] = Self.document("gone", ["room", "battery_mv"]).payload(
            at: Self.place, "item_gone")
        world.add("item_keys")
        world.connect()
        world.run(10)
        #expect(Set(world.broker.keys) == Set(others + [Self.place.device("item_keys")]))
    }

    @Test("remove a former entity, then leave it out, and remember its removal")
    func component() throws {
        var world = World()
        world.add("item_keys", ["room", "battery_mv"])
        world.connect()
        world.run(10)
        world.add("item_keys", ["room"])
        world.run(3)
        #expect(world.text("item_keys")?.contains(#""battery_mv":{"p":"sensor"}"#) == true)
        world.run(10)
        #expect(world.text("item_keys")?.contains("battery_mv") == false)
        #expect(world.rows.last == "item_keys battery_mv:sensor")
        let before = world.log.count
        _ = world.book.receive(Self.birth, at: world.now)
        world.run(20)
        let told = world.log[before...].map { String(decoding: $0.payload, as: UTF8.self) }
        #expect(told.contains { $0.contains("whereabouts_item_keys_battery_mv") })
        #expect(told.last?.contains(#""battery_mv":{"p":"sensor"}"#) == true)
        #expect(world.text("item_keys")?.contains("battery_mv") == false && world.rows.last == "")
        // One that comes back is no grave.
        world.add("item_keys", ["room", "battery_mv"])
        world.run(5)
        #expect(world.text("item_keys")?.contains("battery_mv") == true)
    }

    @Test("publish and clear nothing as a standby, and nothing after a takeover if all is published")
    func standby() {
        var world = World()
        world.add("item_keys")
        world.broker[Self.place.device("item_keys")] = Self.document("item_keys", ["room"]).payload(
            at: Self.place, "item_keys")
        world.broker[Self.place.device("item_gone")] = Array("{}".utf8)
        world.owned = { _ in false }
        world.connect()
        world.run(60)
        #expect(world.log.isEmpty)
        world.owned = { _ in true }
        world.book.markWanted(only: ["item_keys"])
        world.book.changeAll()
        world.run(10)
        #expect(world.log == [.clearing(Self.place.device("item_gone"))])
    }

    @Test("migrate entities of the older form to the device, and clear them")
    func migration() {
        var world = World()
        let single = Self.place.single("sensor", "item_keys", "room")
        world.broker[single] = Array(#"{"uniq_id":"whereabouts_item_keys_room"}"#.utf8)
        world.add("item_keys")
        world.connect()
        world.run(20)
        #expect(
            world.log.map { String(decoding: $0.payload.prefix(26), as: UTF8.self) } == [
                #"{"migrate_discovery":true}"#, #"{"dev":{"ids":"whereabouts"#, "",
            ])
        #expect(world.log.map(\.topic) == [single, Self.place.device("item_keys"), single])
        #expect(Array(world.broker.keys) == [Self.place.device("item_keys")])
    }

    @Test("respect a deletion by Home Assistant's user until its next start")
    func deleted() {
        var world = World()
        world.add("item_keys")
        world.connect()
        world.run(10)
        world.publish(.clearing(Self.place.device("item_keys")))
        world.run(60)
        #expect(world.broker.isEmpty)
        _ = world.book.receive(Self.birth, at: world.now)
        world.run(10)
        #expect(world.broker.count == 1)
    }

    @Test(
        "publish a deleted device neither after a change nor after a connection, but as another item"
    )
    func deletedAmongNews() {
        var world = World()
        world.add("item_keys")
        world.connect()
        world.run(10)
        world.publish(.clearing(Self.place.device("item_keys")))
        world.add("item_cat")
        world.book.markWanted(only: ["item_keys", "item_cat"])
        world.book.recheckDevice("item_keys")
        world.run(10)
        #expect(world.text("item_keys") == nil && world.text("item_cat") != nil)
        world.connect()
        world.run(10)
        #expect(world.text("item_keys") == nil)
        world.book.drop("item_keys")
        world.run(1)
        world.book.markWanted("item_keys")
        world.run(1)
        #expect(world.text("item_keys") != nil, "it was registered anew")
    }

    @Test("publish after a takeover what the former fuser had cleared")
    func clearedByAnother() {
        var world = World()
        world.add("item_keys")
        world.broker[Self.place.device("item_keys")] = Self.document("item_keys", ["room"]).payload(
            at: Self.place, "item_keys")
        world.owned = { _ in false }
        world.connect()
        world.run(10)
        world.publish(.clearing(Self.place.device("item_keys")))
        world.run(5)
        #expect(world.text("item_keys") == nil)
        world.owned = { _ in true }
        world.book.changeAll()
        world.run(5)
        #expect(world.text("item_keys") != nil)
    }

    @Test("don't count a document that was cleared and is wanted again as a deletion")
    func wantedAgain() {
        var world = World()
        world.add("item_keys")
        world.connect()
        world.run(10)
        world.book.drop("item_keys")
        // The broker's echo comes late.
        let steps = world.book.advance(to: world.now, owns: { _ in true }, describe: { _ in nil })
        #expect(steps.messages == [.clearing(Self.place.device("item_keys"))])
        world.book.markWanted("item_keys")
        let told = world.book.advance(
            to: world.now + .seconds(1), owns: { _ in true }, describe: { Self.document($0, ["room"]) })
        #expect(told.messages.count == 1)
        for message in steps.messages + told.messages { _ = world.book.receive(message, at: world.now) }
        world.documents["item_keys"]?.name = "Cat"
        world.book.recheckDevice("item_keys")
        world.run(3)
        #expect(world.text("item_keys")?.contains("Cat") == true)
    }

    @Test(
        "replace and clear invalid documents like all others", arguments: ["[", "{}", #"{"cmps":[1]}"#, "\u{0}"])
    func hostile(payload: String) {
        var world = World()
        for object in ["item_keys", "item_gone"] { world.broker[Self.place.device(object)] = Array(payload.utf8) }
        world.broker["homeassistant/device/whereabouts/item_/config"] = Array(payload.utf8)
        world.add("item_keys")
        world.connect()
        world.run(10)
        #expect(world.text("item_keys")?.hasPrefix(#"{"dev""#) == true && world.text("item_gone") == nil)
    }

    @Test("retain unknown devices for an hour, and clear those known to be gone at once")
    func unknown() {
        var world = World()
        for object in ["item_keys", "item_gone"] {
            world.broker[Self.place.device(object)] = Self.document(object, ["room"]).payload(at: Self.place, object)
        }
        let single = Self.place.single("sensor", "item_cat", "room")
        world.broker[single] = Array("{}".utf8)
        world.gone = { $0 == "item_gone" }
        world.connect()
        world.run(60)
        #expect(Set(world.broker.keys) == [Self.place.device("item_keys"), single])
        world.add("item_cat")
        world.run(10)
        #expect(world.text("item_cat") != nil && world.broker[single] == nil)
        world.run(3400)
        #expect(world.text("item_keys") != nil)
        world.run(200)
        #expect(world.text("item_keys") == nil && world.text("item_cat") != nil)
        #expect(world.rows.last?.contains("item_keys room:sensor") == true)
    }

    @Test("clear a document of this run at once if it becomes unwanted")
    func noLongerWanted() {
        var world = World()
        world.gone = { _ in false }
        for object in ["item_keys", "item_cat"] { world.add(object) }
        world.connect()
        world.run(10)
        world.book.markWanted(only: ["item_cat"])
        world.run(2)
        #expect(world.text("item_keys") == nil && world.text("item_cat") != nil)
    }

    @Test("never replace a retained name by one made of the id")
    func guessedName() {
        var world = World()
        let object = "item_keys"
        world.broker[Self.place.device(object)] = Self.document("Anna's keys", ["room"]).payload(at: Self.place, object)
        world.add(object, ["room", "battery_mv"])
        world.documents[object]?.name = "Keys"
        world.documents[object]?.isNameGuessed = true
        world.connect()
        world.run(10)
        #expect(world.text(object)?.contains(#""name":"Anna's keys""#) == true)
        world.documents[object]?.components[0].name = "Place"
        world.book.recheckDevice(object)
        world.run(3)
        #expect(world.text(object)?.contains(#""name":"Anna's keys""#) == true)
        world.documents[object]?.isNameGuessed = false
        world.book.recheckDevice(object)
        world.run(3)
        #expect(world.text(object)?.contains(#""name":"Keys""#) == true)
    }

    @Test("check a hundred of thousands of unchanged devices in one call, and a new one alone")
    func looks() {
        var world = World()
        for number in 0..<2000 { world.add("item_\(number)") }
        world.connect()
        world.run(60)
        world.run(120)
        world.looks = []
        world.add("item_new")
        world.book.markWanted(only: Set((0..<2000).map { "item_\($0)" } + ["item_new"]))
        world.run(5)
        #expect(world.looks.reduce(0, +) == 1 && world.text("item_new") != nil)
        world.looks = []
        world.book.changeAll()
        world.documents["item_1234"]?.name = "Cat"
        world.book.recheckDevice("item_1234")
        _ = world.advance()
        #expect(world.looks == [100] && world.book.nextDeadline.map { $0 <= world.now } == true)
        world.run(10)
        #expect(world.looks.reduce(0, +) == 2001 && world.looks.max() == 100)
    }

    @Test("release due entries of a queue that is never empty")
    func delays() throws {
        var delay = Delay(.seconds(60))
        for second in 0..<100_000 {
            delay.add("item_keys", at: .second(second))
            _ = delay.takeDue(.second(second))
        }
        let queue = try #require(Mirror(reflecting: delay).children.first { $0.label == "queue" })
        #expect(Mirror(reflecting: queue.value).children.count < 200)
    }

    @Test("bound the memory for documents under ever new names")
    func comingAndGoing() throws {
        var delay = Delay(.seconds(60))
        for number in 0..<(DiscoveryBook.capacity + 1000) { delay.addOnce("item_\(number)", at: .start) }
        #expect(delay.takeDue(.second(60)).count == DiscoveryBook.capacity && delay.next == nil)
        delay.addOnce("item_0", at: .second(60))
        #expect(delay.next == .second(120))
    }

    @Test("bound the memory for a flood of documents")
    func bounded() {
        var book = DiscoveryBook(Self.place, kinds: ["item_"], name: "main")
        book.connected(at: .start)
        for number in 0..<(DiscoveryBook.capacity + 1000) {
            _ = book.receive(
                Message(topic: Self.place.device("item_\(number)"), text: "{}", retained: true), at: .start)
        }
        #expect(book.entries.count == DiscoveryBook.capacity)
    }

    @Test("never leave out a wanted device for others")
    func precedence() {
        var book = DiscoveryBook(Self.place, kinds: ["item_"], name: "main")
        book.connected(at: .start)
        func flood(_ name: String) {
            for number in 0..<DiscoveryBook.capacity {
                _ = book.receive(
                    Message(topic: Self.place.device("item_\(name)\(number)"), text: "{}", retained: true), at: .start)
            }
        }
        flood("fake")
        let first = book.markWanted("item_keys")
        flood("other")
        let left = (1..<DiscoveryBook.capacity).filter { !book.markWanted("item_real\($0)") }
        #expect(first && left.isEmpty && book.wants("item_keys") && book.wants("item_real1"))
        let more = book.markWanted("item_one_more")
        #expect(!more && book.entries.count == DiscoveryBook.capacity)
    }
}
