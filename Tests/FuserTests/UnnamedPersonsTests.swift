import Identity
import WireProtocol
import Support
import Testing

@testable import Fuser
import HouseTracking

/// Persons whom a fuser's configuration doesn't name: taken out of it, or another fuser's.
@Suite struct UnnamedPersonsTests {
    /// What stands of Anna.
    private static func standing(_ house: PersonHouse) -> [String] {
        let topics = house.topics
        return [topics.location("anna"), topics.room("anna"), topics.itemAlert("anna")].filter {
            house.retained($0).map { !$0.isEmpty } ?? false
        }
    }

    /// A house in which `b` has told of Anna, and is gone; `a` never had her in its configuration.
    private static func orphaned() -> PersonHouse {
        var house = PersonHouse()
        house.start("b")
        house.live(20, ["phone": "hall", "keys": "hall"])
        house.stop("b")
        return house
    }

    @Test(
        "Whom the configuration named is cleared after the next start, and the state holds nothing of her any more",
        arguments: [0...255, Topics.shardNumber(of: "anna")...Topics.shardNumber(of: "anna")])
    func takenOut(_ shards: ClosedRange<UInt8>) {
        var house = PersonHouse()
        house.start()
        house.live(20, ["phone": "hall", "keys": "hall"])
        #expect(house.remembered(of: "anna") != nil && Self.standing(house).count == 2)
        house.stop("main")
        house.start(persons: [], shards: shards)
        house.live(5, ["phone": "hall", "keys": "hall"])
        #expect(Self.standing(house).count == 2, "not before the broker has told what it retains")
        house.live(15, ["phone": "hall", "keys": "hall"])
        #expect(Self.standing(house).isEmpty && house.remembered(of: "anna") == nil)
        if shards.count == 256 {
            #expect(house.occupancy("hall")?.items == ["keys", "phone"] && house.occupancy("hall")?.count == 2)
        }
        #expect(!house.complaints.contains { $0.contains("anna") })
    }

    @Test("So is one whom this fuser told itself, where no state remembers her")
    func ownWord() {
        var house = PersonHouse()
        house.start()
        house.live(20, ["phone": "hall", "keys": "hall"])
        house.stop("main")
        house.forgetAll(of: "main")
        house.start(persons: [])
        house.live(20, ["phone": "hall", "keys": "hall"])
        #expect(Self.standing(house).isEmpty)
    }

    @Test("Whom only another fuser names stays as that one told, at a start and at a takeover, and is named")
    func others() throws {
        var house = Self.orphaned()
        let before = try #require(house.retained(house.topics.location("anna")))
        house.start("a", persons: [])
        house.live(30, ["phone": "kitchen", "keys": "kitchen"])
        #expect(house.retained(house.topics.location("anna")) == before && Self.standing(house).count == 2)
        #expect(house.text(house.topics.room("phone")) == "kitchen", "the rest is this one's to tell")
        let words = "fuser 'b' told of persons that this one's configuration doesn't name: anna."
        #expect(house.complaints.contains { $0.hasPrefix(words) }, "\(house.complaints)")
        // The other one comes back, serves and goes once more.
        house.serve("a", ShardSet())
        house.start("b")
        house.live(30, ["phone": "kitchen", "keys": "kitchen"])
        #expect(house.story(of: "anna") == ["b moved hall→kitchen #1"], "told once, as it was missed")
        house.stop("b")
        house.serve("a", .all, after: ["b": 10])
        house.live(30, ["phone": "kitchen", "keys": "kitchen"])
        #expect(house.text(house.topics.room("anna")) == "kitchen" && Self.standing(house).count == 2)
    }

    @Test("Who stands by and had the person taken out clears her when it takes over, and once")
    func takenOutOfOne() {
        var house = PersonHouse()
        house.start("a")
        house.start("b")
        house.serve("b", ShardSet())
        house.live(20, ["phone": "hall", "keys": "hall"])
        house.stop("b")
        house.start("b", persons: [])
        house.serve("b", ShardSet())
        house.live(20, ["phone": "hall", "keys": "hall"])
        #expect(Self.standing(house).count == 2, "the one that serves names her")
        #expect(house.remembered(of: "anna", by: "b") != nil)
        house.stop("a")
        house.serve("b", .all, after: ["a": 10])
        house.live(2, ["phone": "hall", "keys": "hall"])
        #expect(Self.standing(house).isEmpty && house.remembered(of: "anna", by: "b") == nil)
        // Her name is still in the other's file.
        house.serve("b", ShardSet())
        house.start("a")
        house.live(20, ["phone": "hall", "keys": "hall"])
        #expect(house.text(house.topics.room("anna")) == "hall")
        house.stop("a")
        house.serve("b", .all, after: ["a": 10])
        house.live(20, ["phone": "hall", "keys": "hall"])
        #expect(Self.standing(house).count == 2)
        #expect(house.complaints.contains { $0.hasPrefix("fuser 'a' told of persons") })
    }

    @Test("Where the other fuser is gone for good, so are those whom it alone named; a purge clears one, too")
    func goneForGood() throws {
        for isPurged in [false, true] {
            var house = Self.orphaned()
            house.start("a", persons: [])
            house.live(20, ["phone": "hall", "keys": "hall"])
            #expect(Self.standing(house).count == 2)
            house.with("a") { fuser, wall, outbox in
                if isPurged {
                    #expect(fuser.knows("anna"))
                    #expect(fuser.purgeItem("anna", before: nil, at: wall, &outbox).messages == 3)
                } else {
                    fuser.forget(fuser: "b", at: wall, &outbox)
                }
            }
            #expect(Self.standing(house).isEmpty)
        }
    }

    @Test("An item that has a former person's id now is not cleared")
    func reused() {
        var house = PersonHouse()
        house.start()
        house.live(20, ["phone": "hall", "keys": "hall"])
        house.stop("main")
        house.start(persons: [])
        let entry = ItemChange(ItemEntry(Item(id: "anna", identities: [.address(0x0A0A)]), at: house.time))
        house.broker.publish(
            Message(topic: house.topics.itemConfig("anna"), payload: entry.payload, qos: .atLeastOnce, retained: true))
        house.live(20, ["anna": "kitchen"])
        #expect(house.text(house.topics.room("anna")) == "kitchen" && house.remembered(of: "anna") == nil)
        #expect(house.location("anna")?.isPerson == false && house.why("anna") == "")
    }

    @Test("What a fuser isn't there for it forgets at once")
    func otherShards() {
        let shard = Topics.shardNumber(of: "anna")
        var house = PersonHouse()
        house.start()
        house.live(20, ["phone": "hall", "keys": "hall"])
        house.stop("main")
        house.start(persons: [], shards: shard == 255 ? 0...254 : shard + 1...255)
        #expect(house.remembered(of: "anna") == nil)
    }

    @Test("A row whose key is no id becomes no topic, and goes")
    func spoiltKey() {
        let fused = Fused(personMemory: ["a/#", "", "away"].map { PersonMemory(nothingOf: $0) })
        #expect(fused.pipeline.takeEffects(at: Fused.time(0)).gonePersons.count == 3)
    }

    @Test("Why says that a person was taken out, or is another fuser's")
    func why() {
        var house = PersonHouse()
        house.start("b")
        house.live(20, ["phone": "hall", "keys": "hall"])
        house.live(40, ["phone": "kitchen", "keys": "kitchen"])
        #expect(house.story(of: "anna").count == 1, "so that the number of her events is remembered")
        house.stop("b")
        house.start("a", persons: [])
        house.live(15, ["phone": "hall", "keys": "hall"])
        #expect(house.why("anna", "a").contains("'anna' is a person that fuser 'b' tells of"))
        house.stop("a")
        house.start("b", persons: [])
        #expect(house.why("anna", "b") == "'anna' was a person, and the configuration names none of that id any more")
        house.live(15, ["phone": "hall", "keys": "hall"])
        house.stop("b")
        house.start("b", persons: [])
        #expect(house.why("anna", "b").hasPrefix("there is no item 'anna'"))
    }
}
