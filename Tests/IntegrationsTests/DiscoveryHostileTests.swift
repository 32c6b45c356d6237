import Integrations
import Testing
import WireProtocol

/// Faulty or hostile messages of others on the discovery topics.
@Suite("Discovery among others") struct DiscoveryHostileTests {
    typealias World = DiscoveryBookTests.World
    static let place = DiscoveryBookTests.place
    static let birth = DiscoveryBookTests.birth

    @Test(
        "Publish everything even for a Home Assistant that reconnects each second",
        arguments: ["main", "kitchen", "hall", "attic", "office", "garage"])
    func restless(name: String) {
        var world = World(name: name)
        for number in 0..<100 { world.add("item_\(number)") }
        world.connect()
        world.run(20)
        let before = world.log.count
        world.add("item_new")
        for _ in 0..<30 {
            _ = world.book.receive(Self.birth, at: world.now)
            world.run(1)
        }
        #expect(world.text("item_new") != nil, "whoever restarts with each second must not hold others up")
        #expect(world.log.count >= before + 101, "and is told of everything again")
    }

    @Test("Count a flood of birth messages as one start, with one publication of missed removals")
    func flood() {
        var world = World()
        for number in 0..<10 {
            let object = "item_gone\(number)"
            world.broker[Self.place.device(object)] = DiscoveryBookTests.document(object, ["room"]).payload(
                at: Self.place, object)
        }
        world.add("item_keys")
        world.connect()
        world.run(10)
        let before = world.log.count
        for _ in 0..<20 {
            for _ in 0..<100 { _ = world.book.receive(Self.birth, at: world.now) }
            world.run(1)
        }
        world.run(120)
        #expect(world.log[before...].count { $0.topic.contains("item_gone") } == 20)
        #expect(world.count("item_keys") <= 4)
        #expect(world.restated.count <= 8)
    }

    @Test("Publish again after a birth message that closely follows another")
    func second() {
        var world = World()
        world.add("item_keys")
        world.connect()
        world.run(20)
        let before = world.count("item_keys")
        _ = world.book.receive(Self.birth, at: world.now)
        world.run(1)
        _ = world.book.receive(Self.birth, at: world.now)
        world.run(20)
        #expect(world.count("item_keys") == before + 2)
    }

    @Test("Release the memory of others' documents with many entities after their clearing")
    func graves() {
        var world = World()
        let long = String(repeating: "x", count: 100)
        let entities = (0..<1000).map { #""\#(long)_\#($0)":{"p":"sensor"}"# }.joined(separator: ",")
        for number in 0..<30 {
            world.broker[Self.place.device("item_\(number)")] = Array("{\"cmps\":{\(entities)}}".utf8)
        }
        world.connect()
        world.run(20)
        #expect(world.broker.isEmpty)
        #expect((1...2_500_000).contains(world.book.row.utf8.count), "\(world.book.row.utf8.count)")
    }
}
