import Integrations
import WireProtocol
import Testing

/// The removals that Home Assistant missed.
extension DiscoveryBookTests {
    @Test("publish missed removals once more at Home Assistant's start, and remove them")
    func graves() throws {
        var world = World()
        world.broker[Self.place.device("item_gone")] = Self.document("gone", ["room"]).payload(
            at: Self.place, "item_gone")
        world.connect()
        world.run(10)
        let row = try #require(world.rows.last)
        #expect(row == "item_gone room:sensor")
        // Over a restart of this program.
        var next = World(keeping: row)
        next.connect()
        next.run(10)
        #expect(next.log.isEmpty)
        _ = next.book.receive(Self.birth, at: next.now)
        next.run(20)
        #expect(next.log.map(\.topic) == [Self.place.device("item_gone"), Self.place.device("item_gone")])
        #expect(next.log.allSatisfy { !$0.retained } && next.log.last?.payload.isEmpty == true)
        let shown = String(decoding: try #require(next.log.first).payload, as: UTF8.self)
        #expect(shown.contains(#""uniq_id":"whereabouts_item_gone_room""#))
        #expect(next.rows.last == "")
        _ = next.book.receive(Self.birth, at: next.now)
        next.run(20)
        #expect(next.log.count == 2)
    }

    @Test("remember the removal of entities of the older form without a device")
    func singleGraves() {
        var world = World()
        for (platform, key) in [("sensor", "battery_mv"), ("binary_sensor", "presence")] {
            world.broker[Self.place.single(platform, "item_gone", key)] = Array("{}".utf8)
        }
        world.connect()
        world.run(10)
        #expect(world.broker.isEmpty)
        #expect(world.rows.last == "item_gone battery_mv:sensor presence:binary_sensor")
    }

    @Test("remember no removals of other publishers' devices")
    func strangeGraves() {
        var world = World(keeping: "at room:sensor\nitem_cat room:sensor\nnode_hall gap:sensor")
        #expect(world.book.row == "item_cat room:sensor")
        world.broker["homeassistant/sensor/whereabouts/item_room/config"] = Array("{}".utf8)
        world.owned = { $0.hasPrefix("item_") }
        world.connect()
        world.run(10)
        #expect(world.broker.isEmpty && world.book.row == "item_cat room:sensor")
    }

    @Test("publish missed removals after a birth message before the opening of the book")
    func earlyBirth() {
        var world = World(keeping: "item_gone room:sensor")
        world.connect()
        world.run(1)
        _ = world.book.receive(Self.birth, at: world.now)
        world.run(20)
        #expect(world.log.map(\.topic) == [Self.place.device("item_gone"), Self.place.device("item_gone")])
        #expect(world.log.last?.payload.isEmpty == true && world.rows.last == "")
    }

    @Test("publish no missed removals if Home Assistant ends before the opening of the book")
    func earlyBirthAndDeath() {
        var world = World(keeping: "item_gone room:sensor")
        world.connect()
        _ = world.book.receive(Self.birth, at: world.now)
        _ = world.book.receive(Message(topic: Self.birth.topic, text: "offline"), at: world.now)
        world.run(20)
        #expect(world.log.isEmpty && world.book.row == "item_gone room:sensor")
    }

    @Test(
        "complete missed removals after a broken connection or the end of the program",
        arguments: [1, 7], [true, false])
    func brokenGrave(seconds: Int, isRestart: Bool) {
        var world = World(keeping: "item_gone room:sensor")
        world.connect()
        world.run(10)
        _ = world.book.receive(Self.birth, at: world.now)
        world.run(seconds)
        #expect(world.log.count <= 1)
        if isRestart { world.book = DiscoveryBook(Self.place, kinds: ["item_"], name: "main", keeping: world.book.row) }
        world.connect()
        world.run(20)
        #expect(world.log.last?.payload.isEmpty == true && world.log.count >= 2)
        #expect(world.log.dropLast().last?.payload.isEmpty == false, "Home Assistant warns of what it doesn't know")
        #expect(world.rows.last == "")
    }
}
