import Alerts
import Bytes
import Identity
import WireProtocol
import Support
import Testing

@testable import Fuser

/// Persons on the topics of a fuser, and of several.
@Suite struct PersonsPipelineTests {
    @Test("A person is told like an item, with the item that decided, and counts once in a room")
    func told() throws {
        var house = PersonHouse()
        house.start()
        house.live(20, ["phone": "hall", "keys": "hall"])
        #expect(house.text(house.topics.room("anna")) == "hall")
        #expect(house.occupancy("hall")?.items == ["anna", "keys", "phone"])
        #expect(house.occupancy("hall")?.persons == ["anna"] && house.occupancy("hall")?.count == 1)
        house.live(60, ["phone": "kitchen", "keys": "hall"])
        let location = try #require(house.location("anna"))
        #expect(location.state == .present && location.room == "kitchen" && location.previous == "hall")
        #expect(location.isPerson && location.name == "Anna" && location.itemSeq == 1)
        let text = try #require(house.text(house.topics.location("anna")))
        #expect(text.contains("\"person\":true"))
        #expect(text.contains("\"reason\":[{\"item\":\"phone\",\"state\":\"present\",\"room\":\"kitchen\"}"))
        #expect(house.story(of: "anna") == ["main moved hall→kitchen #1"])
        #expect(house.occupancy("hall")?.items == ["keys"] && house.occupancy("hall")?.count == 1)
        #expect(house.occupancy("kitchen")?.items == ["anna", "phone"] && house.occupancy("kitchen")?.count == 1)
        #expect(house.stays.filter { $0.item == "anna" }.map(\.room) == ["hall", "kitchen"])
        #expect(house.retained(house.topics.itemTelemetry("anna")) == nil)
        let event = try #require(house.events.first { $0.item == "anna" }?.event)
        #expect(event.notBefore <= event.at)
    }

    @Test("Who leaves the keys behind has left, and an alert may name the person")
    func leaves() throws {
        var house = PersonHouse()
        house.start(alerts: [
            AlertRule(.leftHome, item: "anna", companions: [], grace: .seconds(1)),
            AlertRule(.leftBehind, item: "keys", companions: ["anna"], grace: .seconds(1)),
        ])
        house.live(20, ["phone": "hall", "keys": "hall"])
        house.live(70, ["phone": "kitchen", "keys": "hall"])
        #expect(house.location("anna")?.items.isEmpty == true, "readers pass over the reason")
        house.live(80, ["keys": "hall"])
        #expect(house.text(house.topics.room("anna")) == "away")
        #expect(house.occupancy("hall")?.items == ["keys"])
        #expect(
            house.story(of: "anna") == [
                "main moved hall→kitchen #1", "main left kitchen→- #2", "main alert left_home-anna #3",
            ])
        #expect(house.story(of: "keys") == ["main alert left_behind-keys #1"])
        let left = try #require(house.events.first { $0.item == "anna" && $0.event.kind == .left }?.event)
        let phone = try #require(house.events.first { $0.item == "phone" && $0.event.kind == .left }?.event)
        #expect(left.at == phone.at && left.notBefore == phone.notBefore)
        house.live(20, ["phone": "hall", "keys": "hall"])
        #expect(house.story(of: "anna").suffix(2).contains("main arrived -→hall #4"))
        #expect(house.text(house.topics.itemAlert("anna")) == nil)
    }

    @Test("Why, history and a purge know persons; a lesson of one is refused with the mend")
    func asked() throws {
        var house = PersonHouse()
        house.start()
        house.live(20, ["phone": "hall", "keys": "hall"])
        let why = try #require(try house.fusers["main"]?.explain("anna", at: house.time))
        #expect(why.state == .present && why.room == "hall" && why.nodes.isEmpty)
        #expect(why.items.map(\.item) == ["phone", "keys"] && why.lastHeard != nil)
        #expect(house.fusers["main"]?.knows("anna") == true)
        let time = house.time
        var refusal = ""
        house.with("main") { fuser, wall, outbox in
            let lesson = FuserCommand.Learning.start(item: "anna", room: "hall", for: .seconds(60), walk: nil)
            do { _ = try fuser.performLearning(lesson, at: wall, &outbox) } catch { refusal = "\(error)" }
            let isAll = fuser.isAll(of: "anna", before: time.advanced(bySeconds: -10))
            #expect(!isAll)
            let report = fuser.purgeItem("anna", before: nil, at: wall, &outbox)
            #expect(report.messages == 2)
        }
        #expect(refusal.contains("'anna' is a person: teach with one of the items, phone, keys"))
        house.live(5, ["phone": "hall", "keys": "hall"])
        #expect(house.text(house.topics.room("anna")) == "hall")
        #expect(house.story(of: "anna").isEmpty, "it is found anew")
    }

    @Test("What is purged of an item isn't told, or remembered, by way of its person")
    func purgedItem() throws {
        var house = PersonHouse()
        house.start()
        house.live(20, ["phone": "hall", "keys": "kitchen"])
        let word = "\"room\":\"kitchen\""
        #expect(house.text(house.topics.location("anna"))?.contains(word) == true)
        #expect(house.remembered(of: "anna")?.contains(word) == true)
        house.with("main") { fuser, wall, outbox in _ = fuser.purgeItem("keys", before: nil, at: wall, &outbox) }
        house.live(5, ["phone": "hall"])
        #expect(house.text(house.topics.room("anna")) == "hall")
        let told = try #require(house.text(house.topics.location("anna")))
        #expect(!told.contains(word), "\(told)")
        #expect(house.remembered(of: "anna")?.contains(word) == false)
        #expect(house.story(of: "anna").isEmpty)
    }

    @Test("An item under a person's id is left out and told; so is a person's item that nobody registered")
    func clashes() {
        var house = PersonHouse()
        house.start(alerts: [
            AlertRule(.leftHome, item: "catt", companions: ["anna", "phone"], grace: .seconds(1))
        ])
        #expect(house.fusers["main"]?.registry.book.entries.isEmpty == true, "persons are no entries")
        let entry = ItemChange(ItemEntry(Item(id: "anna", identities: [.address(0x0A0A)]), at: house.time))
        house.broker.publish(
            Message(topic: house.topics.itemConfig("anna"), payload: entry.payload, qos: .atLeastOnce, retained: true))
        house.live(20, ["phone": "hall", "anna": "kitchen"])
        #expect(house.text(house.topics.room("anna")) == "hall")
        #expect(house.complaints.contains { $0.contains("an item is registered as 'anna', which is a person's id") })
        #expect(house.complaints.contains { $0 == "person 'anna' has items that nobody registered: keys" })
        #expect(house.complaints.contains { $0 == "alerts are about items that nobody registered: catt" })
    }

    @Test("A restart neither moves nor forgets a person; what happened meanwhile is told once")
    func restart() {
        var house = PersonHouse()
        house.start()
        house.live(20, ["phone": "hall", "keys": "hall"])
        house.live(90, ["phone": "kitchen", "keys": "hall"])
        house.stop("main")
        house.start()
        house.live(20, ["phone": "kitchen", "keys": "hall"])
        #expect(house.story(of: "anna") == ["main moved hall→kitchen #1"])
        #expect(house.location("anna")?.previous == "hall")
        #expect(house.occupancy("kitchen")?.items == ["anna", "phone"] && house.occupancy("kitchen")?.count == 1)
        house.stop("main")
        house.pass(20)
        house.start()
        house.live(90, ["keys": "hall"])
        #expect(house.story(of: "anna") == ["main moved hall→kitchen #1", "main left kitchen→- #2"])
    }

    // MARK: Several fusers

    @Test("A person's items may be others' to tell: each fuser tells its own persons, by what all tell of items")
    func shards() throws {
        func ids(_ prefix: String, in shards: ClosedRange<UInt8>) -> String {
            (0...).lazy.map { "\(prefix)-\($0)" }.first { shards.contains(Topics.shardNumber(of: $0)) } ?? ""
        }
        let (low, high): (ClosedRange<UInt8>, ClosedRange<UInt8>) = (0...127, 128...255)
        let (anna, phone, keys) = (ids("anna", in: low), ids("phone", in: high), ids("keys", in: high))
        let person = Person(id: anna, items: [phone, keys])
        var house = PersonHouse()
        house.start("a", persons: [person], shards: low)
        house.start("b", persons: [person], shards: high)
        house.live(20, [phone: "hall", keys: "hall"])
        house.live(30, [phone: "kitchen", keys: "kitchen"])
        #expect(house.location(phone)?.fuser == "b")
        #expect(house.location(anna)?.fuser == "a" && house.location(anna)?.room == "kitchen")
        #expect(house.story(of: anna) == ["a moved hall→kitchen #1"])
        for room in ["hall", "kitchen"] {
            let here = house.occupancy(room)
            #expect(here?.items == (room == "hall" ? [] : [anna, keys, phone].sorted()))
            #expect(here?.count == (room == "hall" ? 0 : 1))
        }
    }

    /// A house with a standby, whose person has lain in the hall for a while.
    private static func standbyHouse() -> PersonHouse {
        var house = PersonHouse()
        house.start("a")
        house.start("b")
        house.serve("b", ShardSet())
        house.live(20, ["phone": "hall", "keys": "hall"])
        return house
    }

    @Test("Who stands by tells nothing of persons, and who takes over goes on without a second word")
    func standby() throws {
        var house = Self.standbyHouse()
        house.live(40, ["phone": "kitchen", "keys": "kitchen"])
        #expect(house.story(of: "anna") == ["a moved hall→kitchen #1"])
        let since = try #require(house.location("anna")?.since)
        house.stop("a")
        house.live(10, ["phone": "kitchen", "keys": "kitchen"])
        house.serve("b", .all, after: ["a": 10])
        #expect(house.location("anna")?.fuser == "b" && house.location("anna")?.since == since)
        #expect(house.location("anna")?.previous == "hall")
        house.live(30, ["phone": "hall", "keys": "hall"])
        #expect(house.story(of: "anna") == ["a moved hall→kitchen #1", "b moved kitchen→hall #2"])
    }

    @Test("Events whose answers a standby did not receive are enough: it goes on from them, of items and of persons")
    func eventsAlone() throws {
        var house = Self.standbyHouse()
        house.withoutAnswers = ["b"]
        house.live(40, ["phone": "kitchen", "keys": "kitchen"])
        let since = try #require(house.location("anna")?.since)
        house.stop("a")
        house.live(10, ["phone": "kitchen", "keys": "kitchen"])
        house.serve("b", .all, after: ["a": 10])
        #expect(house.location("anna")?.fuser == "b" && house.location("anna")?.since == since)
        house.live(30, ["phone": "hall", "keys": "hall"])
        for id in ["anna", "phone", "keys"] {
            #expect(house.story(of: id) == ["a moved hall→kitchen #1", "b moved kitchen→hall #2"])
        }
    }

    @Test("A move while nobody serves is told by the one who takes over")
    func gap() {
        var house = Self.standbyHouse()
        house.stop("a")
        house.live(10, ["phone": "kitchen", "keys": "kitchen"])
        #expect(house.story(of: "anna").isEmpty)
        house.serve("b", .all, after: ["a": 10])
        #expect(house.story(of: "anna") == ["b moved hall→kitchen #1"])
    }

    /// A house whose second fuser came later: it has received less of what lies in the hall, and what was published.
    private static func joinedHouse() -> PersonHouse {
        var house = PersonHouse()
        house.start("a")
        house.live(20, ["phone": "hall", "keys": "hall"])
        house.start("b")
        house.serve("b", ShardSet())
        house.live(10, ["phone": "hall", "keys": "hall"])
        return house
    }

    @Test("A move has one id, whichever of two fusers publishes it")
    func oneName() {
        var (served, house) = (Self.joinedHouse(), Self.joinedHouse())
        served.live(10, ["phone": "kitchen", "keys": "kitchen"])
        house.stop("a")
        house.live(10, ["phone": "kitchen", "keys": "kitchen"])
        house.serve("b", .all, after: ["a": 10])
        for item in ["anna", "keys", "phone"] {
            let ids = [served, house].map { $0.events.filter { $0.item == item }.map(\.event.id) }
            #expect(ids[0].count == 1 && ids[0] == ids[1], "\(item)")
        }
    }
}
