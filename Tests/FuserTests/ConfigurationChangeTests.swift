import Alerts
import Bytes
import Configuration
import HouseTracking
import Testing
import WireProtocol

@testable import Fuser

/// Another configuration of a fuser that runs: what was observed, published and stored goes on.
@Suite("A configuration that changes at run time")
struct ConfigurationChangeTests {
    private let topics = Topics()

    private static func configuration(_ lines: String...) throws -> FuserConfiguration {
        try FuserConfiguration.load(
            text: (["mqtt: {url: \"mqtt://localhost\"}"] + lines).joined(separator: "\n") + "\n", file: "fuser.yaml")
    }

    /// A fuser of a configuration, in whose kitchen the keys and the phone lie.
    private static func house(_ configuration: FuserConfiguration) -> Fused {
        var fused = Fused(
            alerts: configuration.alerts, persons: configuration.persons,
            settings: Household.Settings(configuration, epoch: "00000001"))
        fused.info("stove", room: "kitchen")
        fused.info("door", room: "hall")
        hear(&fused, 1...20)
        return fused
    }

    private static func hear(_ fused: inout Fused, _ seconds: ClosedRange<Int>) {
        for second in seconds {
            fused.interval("stove", Double(second), ["keys", "phone"], level: -50)
            fused.interval("door", Double(second), [])
            fused.advance(to: Double(second) + 0.5)
        }
    }

    private static func change(
        _ fused: inout Fused, _ old: FuserConfiguration, _ new: FuserConfiguration, at seconds: Double
    ) {
        fused.pipeline.use(new, instead: old, at: Fused.time(seconds), &fused.outbox)
        fused.advance(to: seconds)
    }

    private func location(_ fused: Fused, _ item: String) throws -> Location {
        let message = try #require(fused.outbox.last { $0.topic == topics.location(item) })
        return try Location(payload: message.payload.span)
    }

    @Test("Another node's room moves what it hears, by an event; a room's name moves nothing")
    func rooms() throws {
        let old = try Self.configuration("rooms: [{id: kitchen, name: Kitchen}, {id: hall}]")
        let named = try Self.configuration("rooms: [{id: kitchen, name: Galley}, {id: hall}]")
        var fused = Self.house(old)
        #expect(fused.settle(at: 20.5).filter { $0.item == "keys" }.isEmpty)
        #expect(try location(fused, "keys").room == "kitchen")
        let since = try location(fused, "keys").since
        Self.change(&fused, old, named, at: 20.6)
        Self.hear(&fused, 21...30)
        #expect(try location(fused, "keys").since == since)
        #expect(fused.settle(at: 30.5).isEmpty)
        // A room that is added is known at once, and one that nobody names any more goes.
        let grown = try Self.configuration(
            "rooms: [{id: kitchen, name: Galley}, {id: pantry}, {id: hall}]", "nodes: {stove: {room: pantry}}")
        Self.change(&fused, named, grown, at: 30.6)
        #expect(fused.pipeline.rooms.contains("pantry"))
        Self.hear(&fused, 31...60)
        #expect(try location(fused, "keys").room == "pantry")
        let moves = fused.settle(at: 60.5).filter { $0.item == "keys" }.map(\.event)
        #expect(moves.map(\.room) == ["pantry"] && moves.map(\.previous) == ["kitchen"])
        // Without a room in the file the node stands where it says that it does.
        let without = try Self.configuration("rooms: [{id: kitchen}, {id: hall}]")
        Self.change(&fused, grown, without, at: 60.6)
        Self.hear(&fused, 61...90)
        #expect(try location(fused, "keys").room == "kitchen")
        #expect(!fused.pipeline.rooms.contains("pantry"))
    }

    @Test("An alert of a condition that holds begins, one of a rule that stays goes on, and one that goes is cleared")
    func alerts() throws {
        let old = try Self.configuration(
            "rooms: [{id: kitchen}, {id: hall}]", "alerts:",
            "  - {id: stays, in_room: {item: keys, rooms: [kitchen]}, grace: 1s}",
            "  - {id: goes, not_in_room: {item: phone, rooms: [hall]}, grace: 1s}")
        let new = try Self.configuration(
            "rooms: [{id: kitchen}, {id: hall}]", "alerts:",
            "  - {id: comes, in_room: {item: phone, rooms: [kitchen]}, grace: 1s}",
            "  - {id: stays, in_room: {item: keys, rooms: [kitchen]}, grace: 5s, repeat: 1h}")
        var fused = Self.house(old)
        let first = fused.settle(at: 20.5).map(\.event).filter { $0.alert != nil }
        #expect(Set(first.compactMap(\.alert)) == ["stays", "goes"])
        Self.change(&fused, old, new, at: 20.6)
        Self.hear(&fused, 21...40)
        let next = fused.settle(at: 40.5).map(\.event).filter { $0.alert != nil }
        #expect(
            next.map { "\($0.kind) \($0.alert ?? "") \($0.reason ?? "")" }.sorted() == [
                "alert comes ", "cleared goes removed",
            ])
        let standing = try #require(fused.texts(topics.itemAlert("keys")).last)
        #expect(standing.contains("\"stays\""))
    }

    @Test("A person that is added is placed at once, one with another name stays, and one that goes is cleared")
    func persons() throws {
        let old = try Self.configuration("persons: [{id: anna, name: Anna, items: [keys]}]")
        let new = try Self.configuration(
            "persons: [{id: bert, items: [phone]}, {id: anna, name: Ann, items: [keys]}]")
        var fused = Self.house(old)
        fused.pipeline.expectRetained(at: Fused.time(20.5))
        Self.hear(&fused, 21...40)
        _ = fused.settle(at: 40.5)
        let before = try location(fused, "anna")
        #expect(before.room == "kitchen")
        Self.change(&fused, old, new, at: 40.6)
        Self.hear(&fused, 41...43)
        #expect(fused.settle(at: 43.5).isEmpty)
        #expect(try location(fused, "bert").room == "kitchen")
        let after = try location(fused, "anna")
        #expect(after.name == "Ann" && after.since == before.since)
        Self.change(&fused, new, old, at: 43.6)
        Self.hear(&fused, 44...60)
        _ = fused.settle(at: 60.5)
        #expect(fused.texts(topics.location("bert")).last == "")
        let occupancy = try #require(fused.outbox.last { $0.topic == topics.occupancy("kitchen") })
        #expect(try Occupancy(payload: occupancy.payload.span).items.sorted() == ["anna", "keys", "phone"])
    }

    @Test("Publish nothing of a person that was taken out at the next connection either")
    func gonePerson() throws {
        let old = try Self.configuration("persons: [{id: bert, name: Bert, items: [phone]}]")
        let new = try Self.configuration()
        var fused = Self.house(old)
        fused.pipeline.expectRetained(at: Fused.time(20.5))
        Self.hear(&fused, 21...40)
        #expect(try location(fused, "bert").room == "kitchen")
        Self.change(&fused, old, new, at: 40.6)
        Self.hear(&fused, 41...60)
        #expect(fused.texts(topics.location("bert")).last == "" && fused.texts(topics.room("bert")).last == "")
        let count = fused.outbox.count
        fused.connect(at: 60.6)
        Self.hear(&fused, 61...80)
        let later = fused.outbox.dropFirst(count)
        #expect(later.contains { $0.topic == topics.location("phone") })
        #expect(!later.contains { $0.topic.contains("/bert/") && !$0.payload.isEmpty })
    }

    @Test("Another silence counts from the next interval on")
    func awayAfter() throws {
        let old = try Self.configuration("away_after: 1h")
        let new = try Self.configuration("away_after: 10s")
        var fused = Self.house(old)
        func fallSilent(_ seconds: ClosedRange<Int>) {
            for second in seconds {
                fused.interval("stove", Double(second), [])
                fused.interval("door", Double(second), [])
                fused.advance(to: Double(second) + 0.5)
            }
        }
        fallSilent(21...60)
        #expect(try location(fused, "keys").state != .away)
        Self.change(&fused, old, new, at: 60.6)
        fallSilent(61...63)
        #expect(try location(fused, "keys").state == .away)
    }
}
