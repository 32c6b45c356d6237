import Bytes
import Integrations
import BrokerSession
import Configuration
import WireProtocol
import Support
import Testing

@testable import Fuser
import RoomEstimation

@Suite("What Home Assistant is told of a house")
struct HouseDiscoveryTests {
    static let place = DiscoveryPlace(prefix: "homeassistant", topicPrefix: "whereabouts")

    /// A fuser with its discovery, and the broker's retained documents.
    struct House {
        var fused: Fused
        var discovery: HouseDiscovery
        var failover: FailoverCoordinator
        var now = MonotonicTime.start
        var broker: [String: [UInt8]] = [:]
        var log: [Message] = []
        var restated: [String] = []

        init(
            _ name: String = "main", _ text: String = "", keeping row: String? = nil, names: String? = nil
        ) throws {
            let configuration = try FuserConfiguration.load(
                text: "name: \(name)\nmqtt: {url: 'mqtt://h'}\n"
                    + (text.contains("outputs") ? text : "outputs: {home_assistant: true}\n" + text), file: "f")
            fused = Fused(name, alerts: configuration.alerts)
            let desk = DiscoveryClient(
                .fuser, name: name, prefix: "whereabouts", discoveryPrefix: configuration.discoveryPrefix, epoch: "e",
                keeping: row, names: names)
            discovery = HouseDiscovery(desk, HouseDescription(configuration, topics: Topics()))
            failover = FailoverCoordinator(name: name, shards: configuration.shards.range)
        }

        mutating func connect() {
            discovery.connected(at: now)
            for (topic, payload) in broker {
                _ = discovery.desk.receive(Message(topic: topic, payload: payload, retained: true), at: now)
            }
        }

        mutating func run(_ seconds: Int) {
            let end = now + .seconds(seconds)
            while now < end {
                now = now + .milliseconds(200)
                let steps = discovery.performDueSteps(fused.pipeline, failover, at: now)
                for object in steps.restated { fused.pipeline.republish(object, at: Fused.time(0), &fused.outbox) }
                restated += steps.restated
                for message in steps.messages {
                    log.append(message)
                    if message.retained { broker[message.topic] = message.payload.isEmpty ? nil : message.payload }
                    _ = discovery.desk.receive(message, at: now)
                }
            }
        }

        /// Removes an item from the registry, by an entry with the time of its removal.
        mutating func remove(_ item: String, at second: Int) {
            let text = #"{"v":1,"id":"\#(item)","removed":\#(1_000_000 + second)}"#
            fused.receive(Message(topic: fused.topics.itemConfig(item), text: text, retained: true), at: Double(second))
        }

        mutating func register(
            _ id: String, _ name: String? = nil, address: String = "0a0a0a0a0a0a", at seconds: Double = 0
        ) {
            let name = name.map { #""name":"\#($0)","# } ?? ""
            let text = #"{"v":1,\#(name)"address":"\#(address)","updated_at":\#(1_000_000 + Int(seconds))}"#
            fused.receive(Message(topic: fused.topics.itemConfig(id), text: text, retained: true), at: seconds)
        }

        func text(_ object: String) -> String? {
            broker[place.device(object)].map { String(decoding: $0, as: UTF8.self) }
        }
    }

    @Test("items, rooms and the fuser itself appear, and each item says in which rooms it can be")
    func everything() throws {
        var house = try House("main", "rooms: [{id: hall, name: Flur}]\n")
        house.register("keys", "Keys")
        house.fused.info("kitchen")
        house.connect()
        house.run(10)
        #expect(
            Set(house.broker.keys.compactMap { Self.place.object(of: $0)?.object })
                == ["item_keys", "room_kitchen", "fuser_main"])
        #expect(house.text("item_keys")?.contains(#""ops":["kitchen","away"]"#) == true)
        house.fused.info("bath")
        house.run(5)
        #expect(house.text("item_keys")?.contains(#""ops":["bath","kitchen","away"]"#) == true)
        #expect(house.text("room_bath") != nil)
    }

    @Test("another name is told, an item that is removed goes, and its unique ids stay what they were")
    func rename() throws {
        var house = try House()
        house.register("keys", "Keys")
        house.connect()
        house.run(10)
        let ids = try #require(house.text("item_keys")).matches(of: /"uniq_id":"[^"]*"/).map { String($0.output) }
        house.register("keys", "Schlüssel", at: 20)
        house.run(2)
        let text = try #require(house.text("item_keys"))
        #expect(text.contains("Schlüssel"))
        #expect(text.matches(of: /"uniq_id":"[^"]*"/).map { String($0.output) } == ids)
        house.remove("keys", at: 30)
        house.run(5)
        #expect(house.text("item_keys") == nil)
    }

    @Test("an item whose entry the broker has lost, or is late with, keeps its device and its name")
    func lostEntry() throws {
        var house = try House()
        house.register("keys", "Anna's keys")
        house.register("cat", "Cat", address: "0b0b0b0b0b0b")
        house.connect()
        house.run(10)
        var next = try House()
        next.broker = house.broker
        next.connect()
        next.run(20)
        #expect(next.text("item_keys") != nil && next.text("item_cat") != nil)
        next.fused.info("kitchen")
        for end in 10..<14 { next.fused.interval("kitchen", Double(end), ["keys"]) }
        next.fused.advance(to: 15)
        next.run(5)
        let text = try #require(next.text("item_keys"))
        #expect(text.contains(#""name":"Anna's keys""#) && text.contains(#""ops":["kitchen","away"]"#))
        next.remove("cat", at: 30)
        next.run(5)
        #expect(next.text("item_cat") == nil)
    }

    @Test("an item that shows another's beacon too is told of like all that are registered")
    func refused() throws {
        var house = try House()
        for id in ["keys", "cat"] { house.register(id) }
        house.connect()
        house.run(10)
        #expect(house.text("item_keys") != nil && house.text("item_cat") != nil)
        house.register("keys", "Keys", at: 20)
        house.fused.info("bath")
        house.run(10)
        #expect(
            house.text("item_keys")?.contains(#""name":"Keys""#) == true && !house.log.contains { $0.payload.isEmpty })
    }

    @Test("a room is one of all as long as an item is told to be in it")
    func toldRooms() {
        var rooms = PublishedRooms()
        for item in ["keys", "cat"] { rooms[item] = "hall" }
        rooms["keys"] = "bath"
        #expect(rooms.isPublished("hall") && rooms.isPublished("bath") && rooms["keys"] == "bath" && rooms.count == 2)
        rooms["cat"] = nil
        rooms["cat"] = nil
        #expect(!rooms.isPublished("hall") && rooms["cat"] == nil && rooms.count == 1)
    }

    @Test("a reading becomes an entity when it comes, and after a restart when the broker keeps it")
    func readings() throws {
        var house = try House()
        house.register("keys")
        house.fused.receive(
            Message(topic: "whereabouts/items/keys/telemetry", text: #"{"v":1,"battery_mv":2950}"#, retained: true),
            at: 0)
        house.connect()
        house.run(10)
        #expect(house.text("item_keys")?.contains("battery_mv") == true)
        #expect(house.text("item_keys")?.contains("temperature_c") == false)
        house.fused.info("kitchen")
        house.fused.interval("kitchen", 10, ["keys"], telemetry: Telemetry(temperatureCelsius: 21))
        house.run(3)
        #expect(house.text("item_keys")?.contains("temperature_c") == true)

        var door = Telemetry()
        door.set(.init("door", .flag(true)))
        house.fused.interval("kitchen", 11, ["keys"], telemetry: door)
        house.run(3)
        #expect(house.text("item_keys")?.contains("flag_door") == true)
    }

    @Test("a beacon that invents ever new readings has no more entities than one can send")
    func readingBound() throws {
        var house = try House()
        house.register("keys")
        for first in stride(from: 2, to: 26, by: 4) {
            let names = ["door", "motion", "temperature_c", "count"].flatMap { key in
                (first..<first + 4).map { "\"\(key)_\($0)\":1" }
            }
            house.fused.receive(
                Message(
                    topic: "whereabouts/items/keys/telemetry", text: #"{"v":1,\#(names.joined(separator: ","))}"#,
                    retained: true), at: 0)
        }
        house.connect()
        house.run(10)
        let text = try #require(house.text("item_keys"))
        let count = text.matches(of: /items\/keys\/telemetry/).count
        #expect((1...DiscoveryDocument.readingBound).contains(count))
    }

    @Test("a room that is gone stays a state of whoever is told to be there, until that is somewhere else")
    func goneRoom() throws {
        var house = try House()
        house.register("keys")
        house.fused.info("kitchen")
        house.fused.receive(Message(topic: "whereabouts/items/keys/room", text: "attic", retained: true), at: 0)
        house.connect()
        house.run(10)
        #expect(house.text("item_keys")?.contains(#""ops":["kitchen","attic","away"]"#) == true)
        for end in 10..<14 { house.fused.interval("kitchen", Double(end), ["keys"]) }
        house.fused.advance(to: 15)
        house.run(5)
        #expect(house.text("item_keys")?.contains(#""ops":["kitchen","away"]"#) == true)
    }

    @Test("a room goes with the only node that named it, and one of the configuration stays")
    func forgottenNode() throws {
        var house = try House("main", "rooms: [{id: hall}]\n")
        house.register("keys")
        for node in ["hall", "attic"] { house.fused.info(node) }
        house.connect()
        house.run(10)
        #expect(house.text("room_attic") != nil)
        for node in ["hall", "attic"] { house.fused.receive(.clearing(house.fused.topics.nodeInfo(node)), at: 10) }
        house.run(5)
        #expect(house.text("room_attic") == nil)
        #expect(house.text("item_keys")?.contains("attic") == false)
    }

    @Test("a room suggests the area that its nodes do, whatever its name is, and so there is one")
    func oneArea() throws {
        var house = try House("main", "rooms: [{id: kitchen, name: Küche}, {id: living, name: Wohnzimmer}]\n")
        house.fused.info("kitchen")
        house.fused.info("living", area: "Parlour")
        house.connect()
        house.run(10)
        for (room, name, area) in [("kitchen", "Küche", "Kitchen"), ("living", "Wohnzimmer", "Parlour")] {
            let text = try #require(house.text("room_\(room)"))
            #expect(text.contains("\"name\":\"\(name)\"") && text.contains("\"sa\":\"\(area)\""), "\(text)")
        }
        house.fused.receive(.clearing(house.fused.topics.nodeInfo("living")), at: 10)
        house.fused.info("office")
        house.run(5)
        #expect(house.text("room_living")?.contains(#""sa":"Parlour""#) != true)
    }

    @Test("a room that nobody was in is empty, and an item of which nothing is warned says so")
    func restated() throws {
        var house = try House("main", "alerts: [{left_home: {item: keys}}]\n")
        house.register("keys")
        house.fused.info("kitchen")
        house.connect()
        house.run(10)
        #expect(Set(house.restated).isSuperset(of: ["item_keys", "room_kitchen"]))
        #expect(house.text("item_keys")?.contains(#""alert":{"#) == true)
        let topics = house.fused.topics
        #expect(house.fused.outbox.contains { $0.topic == topics.itemAlert("keys") && $0.payload.isEmpty })
        #expect(
            house.fused.outbox.contains {
                $0.topic == topics.occupancy("kitchen")
                    && String(decoding: $0.payload, as: UTF8.self).contains("\"count\":0")
            })
    }

    @Test("a second fuser makes both stand for it, and the one that stands by tells of itself alone")
    func twoFusers() throws {
        var house = try House()
        house.register("keys")
        house.connect()
        house.failover.receive(
            Claim(shards: 0...255, state: .standby, epoch: "e", lastEvent: 0, seq: 1), of: "spare", at: .start)
        house.run(10)
        let text = try #require(house.text("item_keys"))
        #expect(text.contains("fuser/main/status") && text.contains("fuser/spare/status"))
        #expect(text.contains(#""avty_mode":"any""#))

        var spare = try House("spare")
        spare.register("keys")
        spare.failover.receive(
            Claim(shards: 0...255, state: .serving, epoch: "e", lastEvent: 0, seq: 1), of: "main", at: .start)
        spare.broker = house.broker
        spare.fused.pipeline.serveShards(ShardSet(), after: [:], at: Fused.time(0), &spare.fused.outbox)
        spare.connect()
        spare.run(10)
        #expect(spare.log.map(\.topic) == [Self.place.device("fuser_spare")])
        spare.fused.pipeline.serveShards(.all, after: [:], at: Fused.time(10), &spare.fused.outbox)
        spare.run(60)
        #expect(spare.log.count == 1, "what stands needs no word: \(spare.log.map(\.topic))")
    }

    @Test(
        "a fuser under another name takes its former device away, and what it told of items stays",
        arguments: [true, false])
    func renamedFuser(isNameFree: Bool) throws {
        var main = try House()
        main.register("keys")
        main.connect()
        main.run(10)
        var second = try House("second", names: main.discovery.desk.former.row)
        second.register("keys")
        second.broker = main.broker
        second.broker["whereabouts/fuser/main/status"] = Array("offline".utf8)
        second.broker[Self.place.device("fuser_mainz")] = main.broker[Self.place.device("fuser_main")]
        second.connect()
        let claim = Message(topic: Topics().fuserClaim("main"), text: "{}")
        if !isNameFree { _ = second.discovery.desk.receive(claim, at: second.now) }
        second.run(20)
        #expect((second.text("fuser_main") == nil) == isNameFree)
        #expect((second.broker["whereabouts/fuser/main/status"] == nil) == isNameFree)
        #expect(second.text("fuser_second") != nil && second.text("item_keys") != nil, "its own")
        #expect(second.text("fuser_mainz") != nil, "another's")
    }

    @Test("an output that is switched off clears what it told, without a word of anything else")
    func off() throws {
        var on = try House()
        on.register("keys")
        on.connect()
        on.run(10)
        var off = try House("main", "outputs: {home_assistant: false}\n", keeping: on.discovery.desk.discovery.row)
        off.register("keys")
        off.broker = on.broker
        off.connect()
        off.run(10)
        #expect(off.broker.isEmpty && off.discovery.desk.discovery.row.contains("item_keys "))
        _ = off.discovery.desk.receive(Message(topic: Self.place.birth, text: "online"), at: off.now)
        off.run(30)
        #expect(off.broker.isEmpty && off.discovery.desk.discovery.row == "", "Home Assistant has seen it go")
        let never = try House("main", "outputs: {home_assistant: false}\n")
        #expect(never.discovery.desk.subscriptions().isEmpty && never.discovery.desk.nextDeadline == nil)
    }

    @Test("spoilt documents, births and readings change nothing")
    func hostile() throws {
        var house = try House()
        house.register("keys")
        house.connect()
        for kind in HostilePayload.all {
            let honest = Array(#"{"dev":{"ids":"x"},"cmps":{"room":{"p":"sensor"}}}"#.utf8)
            for key in 0..<HostilePayload.keys(of: honest) {
                let payload = kind.payload(of: honest, key: key)
                for topic in [
                    Self.place.device("item_keys"), Self.place.device("item_\(key)"), Self.place.birth,
                    Self.place.single("sensor", "item_keys", "room"),
                ] {
                    _ = house.discovery.desk.receive(
                        Message(topic: topic, payload: payload, retained: true), at: house.now)
                }
                house.fused.receive(
                    Message(topic: "whereabouts/items/keys/telemetry", payload: payload, retained: true), at: 0)
            }
        }
        house.run(20)
        #expect(house.text("item_keys")?.hasPrefix(#"{"dev""#) == true)
    }

    @Test("a room whose node is heard of late stays, and one that nobody names goes when all has come")
    func lateRoom() throws {
        var house = try House()
        house.fused.info("kitchen")
        house.fused.info("attic")
        house.connect()
        house.run(10)
        #expect(house.text("room_kitchen") != nil && house.text("room_attic") != nil)
        var next = try House()
        next.broker = house.broker
        next.connect()
        next.run(20)
        // What the broker had retained comes slowly.
        next.discovery.noteRetained(at: next.now)
        next.run(2)
        next.fused.info("kitchen")
        next.run(7)
        #expect(next.text("room_kitchen") != nil && next.text("room_attic") != nil)
        #expect(!next.log.contains { $0.payload.isEmpty })
        next.discovery.noteRetained(at: next.now)
        next.run(8)
        #expect(next.text("room_attic") != nil, "for ten seconds after the last of it")
        next.run(5)
        #expect(next.text("room_attic") == nil && next.text("room_kitchen") != nil)
        // With the next connection what is known is known.
        next.connect()
        next.run(60)
        #expect(next.text("room_kitchen") != nil)
    }
}
