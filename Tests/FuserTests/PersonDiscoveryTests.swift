import Bytes
import Integrations
import WireProtocol
import Testing

@testable import Fuser
import HouseTracking
import RoomEstimation

@Suite("What Home Assistant is told of persons who are no more, or another fuser's")
struct PersonDiscoveryTests {
    private typealias House = HouseDiscoveryTests.House
    private static let place = HouseDiscoveryTests.place

    @Test("a person that the configuration names no more goes, though nobody removed her; another fuser's stays")
    func formerPersonDevice() throws {
        for teller in ["main", "other"] {
            var house = try Self.house(whereAnnaIsToldBy: teller)
            house.run(10)
            #expect((house.text("item_anna") == nil) == (teller == "main"))
            // For longer than what nobody knows stays.
            house.run(3700)
            #expect((house.text("item_anna") == nil) == (teller == "main"))
            house.fused.pipeline.forget(fuser: "other", at: Fused.time(0), &house.fused.outbox)
            house.run(10)
            #expect(house.text("item_anna") == nil)
        }
    }

    @Test("another fuser's person that is purged goes, however long she stood", arguments: [20, 4000])
    func purgedPersonDevice(_ seconds: Int) throws {
        var house = try Self.house(whereAnnaIsToldBy: "other")
        house.run(seconds)
        #expect(house.text("item_anna") != nil)
        _ = house.fused.pipeline.purgeItem("anna", before: nil, at: Fused.time(11), &house.fused.outbox)
        house.run(10)
        #expect(house.text("item_anna") == nil)
    }

    @Test("One who is told of by what can't be a fuser is nobody's")
    func impossibleTeller() throws {
        var fused = Fused()
        fused.connect(at: 0)
        let word = Self.word(of: String(repeating: "x", count: 10_000))
        fused.receive(Message(topic: fused.topics.location("anna"), payload: word, retained: true), at: 0)
        #expect(fused.pipeline.persons.publisher(ofUnnamed: "anna") == nil)
    }

    /// A fuser whose configuration names nobody, at a broker that retains Anna's device and where a fuser told she is.
    private static func house(whereAnnaIsToldBy teller: String) throws -> House {
        var house = try House()
        let anna = DiscoveryDocument(
            name: "Anna", model: DiscoveryDocument.person, availability: [], components: [])
        house.broker[place.device("item_anna")] = anna.payload(at: place, "item_anna")
        house.fused.connect(at: 0)
        house.fused.receive(
            Message(topic: house.fused.topics.location("anna"), payload: Self.word(of: teller), retained: true), at: 0)
        house.fused.advance(to: 11)
        house.connect()
        return house
    }

    /// Where Anna is, by a fuser's word.
    private static func word(of fuser: String) -> [UInt8] {
        var word = Location(
            fuser: fuser, state: .present, room: "hall", confidence: 1, since: Fused.time(0), previous: nil,
            at: Fused.time(0))
        word.isPerson = true
        var json = JSONWriter()
        word.write(to: &json)
        return json.bytes
    }

    @Test("a person that the state remembers from a former configuration goes")
    func rememberedPersonDevice() throws {
        var house = try House()
        house.fused = Fused(personMemory: [PersonMemory(nothingOf: "anna")])
        let anna = DiscoveryDocument(name: "Anna", model: DiscoveryDocument.person, availability: [], components: [])
        for person in ["anna", "bob"] {
            house.broker[Self.place.device("item_\(person)")] = anna.payload(at: Self.place, "item_\(person)")
        }
        house.connect()
        house.run(10)
        #expect(house.text("item_anna") == nil && house.text("item_bob") != nil)
    }

    @Test("of whom only the number of events is remembered, as of a person who is no more, nothing is told")
    func formerPerson() {
        var record = HouseholdRecord()
        record.items = [
            .init(
                id: "anna", at: Fused.time(-60), state: .unknown, room: nil, since: Fused.time(-60), previous: nil,
                heard: Fused.time(-60), silence: .zero, events: 3, belief: [])
        ]
        var fused = Fused(remembering: record)
        fused.info("kitchen")
        for second in 1...5 { fused.interval("kitchen", Double(second), ["keys"]) }
        #expect(fused.pipeline.publishedItems == ["keys"])
        #expect(!fused.pipeline.publishes("anna") && fused.pipeline.publishes("keys"))
    }
}
