import Alerts
import WireProtocol
import Testing

@testable import Fuser

@Suite("An item of which nothing is to be known any more")
struct PurgeTests {
    /// Keys that are warned of in the kitchen, and a cat, both of which tell of their batteries.
    private func fused() -> Fused {
        var rule = AlertRule(.inRoom, item: "keys", companions: [], grace: .seconds(5))
        rule.rooms = ["kitchen"]
        var fused = Fused(alerts: [rule])
        for node in ["hall", "kitchen"] { fused.info(node) }
        run(&fused, 1...20, ["keys", "cat"])
        return fused
    }

    private func run(_ fused: inout Fused, _ seconds: ClosedRange<Int>, _ items: [String]) {
        for second in seconds {
            fused.interval("hall", Double(second), [])
            fused.interval(
                "kitchen", Double(second), items, telemetry: Telemetry(batteryMillivolts: 2900))
        }
    }

    private func retained(_ fused: Fused) -> [String] {
        var last: [String: [UInt8]] = [:]
        for message in fused.outbox where message.retained { last[message.topic] = message.payload }
        return last.filter { !$0.value.isEmpty }.keys.filter { $0.contains("/items/") }
            .map { String($0.dropFirst("whereabouts/items/".count)) }.sorted()
    }

    private func purge(_ fused: inout Fused, before: Double? = nil, at seconds: Double) -> PurgeReport {
        defer { fused.advance(to: seconds) }
        return fused.pipeline.purgeItem(
            "keys", before: before.map(Fused.time), at: Fused.time(seconds), &fused.outbox)
    }

    @Test("Nothing stands retained of it, in its room it isn't counted, and what is said is what was there")
    func all() throws {
        var fused = fused()
        _ = fused.settle(at: 20)
        #expect(
            retained(fused).filter { $0.hasPrefix("keys") } == [
                "keys/alert", "keys/battery", "keys/location", "keys/room", "keys/telemetry",
            ])
        let report = purge(&fused, at: 20.5)
        #expect(report.messages == 5 && report.lessons == 0)
        #expect(retained(fused) == ["cat/battery", "cat/location", "cat/room", "cat/telemetry"])
        #expect(fused.texts(fused.topics.occupancy("kitchen")).last?.contains("keys") == false)
        let over = fused.pipeline.takeEffects(at: Fused.time(20.5))
        #expect(over.events.map(\.event.kind) == [.cleared] && over.alerts?.contains("\"since\"") != true)
        #expect(purge(&fused, at: 20.6) == PurgeReport(), "there is nothing more")
        fused.connect(at: 20.7)
        #expect(!retained(fused).contains { $0.hasPrefix("keys") }, "nor does a connection bring it back")
        // It is still there: that is found out anew, and no move.
        run(&fused, 21...24, ["keys", "cat"])
        let next = fused.pipeline.takeEffects(at: Fused.time(24))
        #expect(next.events.isEmpty && next.stays.map(\.room) == ["kitchen"])
        #expect(
            retained(fused).filter { $0.hasPrefix("keys") } == [
                "keys/battery", "keys/location", "keys/room", "keys/telemetry",
            ])
    }

    @Test("What is younger than the given time stays")
    func before() {
        var fused = fused()
        _ = fused.settle(at: 20)
        let report = purge(&fused, before: 10, at: 20.5)
        // Its battery was told in the first second, and has been the same since.
        #expect(report.messages == 1)
        #expect(
            retained(fused).filter { $0.hasPrefix("keys") } == [
                "keys/alert", "keys/battery", "keys/location", "keys/room",
            ])
        run(&fused, 21...120, ["cat"])
        let old = purge(&fused, before: 100, at: 120.5)
        #expect(old.messages == 3, "the alert is over")
        #expect(!retained(fused).contains { $0.hasPrefix("keys") })
    }

    @Test("Its lessons are undone, so that no other fuser brings them back, and those of other items stay")
    func lessons() throws {
        var fleet = FuserFleet()
        fleet.start("a")
        fleet.start("b")
        try fleet.teach("a", "kitchen")
        let middle = fleet.time
        try fleet.teach("a", "hall")
        #expect(fleet.purge("a", before: middle).lessons == 1)
        fleet.pass(1)
        for name in ["a", "b"] { #expect(try fleet.taught(name) == ["2 hall"]) }
        #expect(fleet.purge("a").lessons == 1)
        fleet.pass(1)
        for name in ["a", "b"] { #expect(try fleet.taught(name).isEmpty) }
        #expect(fleet.purge("a").lessons == 0)
    }
}
