import Bytes
import Identity
import Store
import Support
import WireProtocol
import Testing

@testable import Fuser

@Suite("What a fuser no longer stands for")
struct RemovalTests {
    private func run(_ fused: inout Fused, _ seconds: ClosedRange<Int>, _ items: [String]) {
        for second in seconds {
            fused.interval("hall", Double(second), [])
            fused.interval("kitchen", Double(second), items, telemetry: Telemetry(batteryMillivolts: 2900))
        }
    }

    private func told(_ fused: Fused) -> [String: [UInt8]] {
        var last: [String: [UInt8]] = [:]
        for message in fused.outbox where message.retained { last[message.topic] = message.payload }
        return last
    }

    private func standing(_ fused: Fused, _ item: String) -> [String] {
        told(fused).filter { !$0.value.isEmpty && $0.key.contains("/items/\(item)/") }.keys.sorted()
    }

    private func removal(of item: String, in fused: Fused, at seconds: Double) -> Message {
        let change = ItemChange(ItemEntry(removed: item, at: Fused.time(seconds)))
        return Message(topic: fused.topics.itemConfig(item), payload: change.payload, qos: .atLeastOnce, retained: true)
    }

    @Test("Of a removed item all is cleared, its windows are passed over, and it may come back")
    func removed() {
        var fused = Fused()
        for node in ["hall", "kitchen"] { fused.info(node) }
        run(&fused, 1...12, ["keys", "cat"])
        #expect(standing(fused, "keys").count == 4)
        fused.receive(removal(of: "keys", in: fused, at: 12.5), at: 12.5)
        #expect(standing(fused, "keys") == [])
        #expect(standing(fused, "cat").count == 4)
        #expect(fused.texts(fused.topics.occupancy("kitchen")).last?.contains("keys") == false)
        // A node that doesn't know yet.
        run(&fused, 13...16, ["keys", "cat"])
        fused.connect(at: 16.5)
        #expect(standing(fused, "keys") == [])
        let back = ItemChange(
            ItemEntry(Item(id: "keys", identities: [.address(0x0A0A)]), at: Fused.time(17)))
        fused.receive(
            Message(topic: fused.topics.itemConfig("keys"), payload: back.payload, retained: true), at: 17)
        run(&fused, 18...24, ["keys", "cat"])
        #expect(standing(fused, "keys").count == 4)
    }

    @Test("End the visit of a removed item")
    func visit() {
        var fused = Fused()
        for node in ["hall", "kitchen"] { fused.info(node) }
        run(&fused, 1...12, ["keys"])
        #expect(fused.pipeline.takeEffects(at: Fused.time(12)).stays.last?.room == "kitchen")
        fused.receive(removal(of: "keys", in: fused, at: 12.5), at: 12.5)
        let stays = fused.pipeline.takeEffects(at: Fused.time(12.5)).stays
        #expect(stays.map(\.item) == ["keys"] && stays.map(\.room) == [nil])
    }

    @Test("End the visit of a person that was taken out of the configuration")
    func personsVisit() throws {
        let folder = try TemporaryFolder()
        let memory = try FuserMemory(
            path: folder.file("fuser.sqlite"), history: .days(30), at: Fused.time(0), log: ExportingFuser.log)
        var effects = FuserEffects()
        effects.stays = [.init(item: "anna", room: "hall", from: Fused.time(1), confidence: 1)]
        _ = memory.persistEffects(effects, at: Fused.time(1))
        effects = FuserEffects()
        effects.gonePersons = ["anna"]
        _ = memory.persistEffects(effects, at: Fused.time(9))
        #expect(try memory.store.visits(of: "anna", limit: 9).map(\.to) == [Fused.time(9)])
    }

    @Test("What was heard just before it was removed, and not weighed yet, brings it not back")
    func removedMeanwhile() {
        var fused = Fused()
        for node in ["hall", "kitchen"] { fused.info(node) }
        run(&fused, 1...12, ["keys", "cat"])
        // The hall's word of this second is still on its way.
        fused.interval("kitchen", 13, ["keys", "cat"], late: 0.05)
        fused.receive(removal(of: "keys", in: fused, at: 13.1), at: 13.1)
        fused.interval("hall", 13, [], late: 0.2)
        run(&fused, 14...100, ["cat"])
        #expect(standing(fused, "keys") == [])
        #expect(fused.texts(fused.topics.occupancy("kitchen")).last?.contains("keys") == false)
        #expect(fused.pipeline.takeEffects(at: Fused.time(100)).events.isEmpty)
    }

    @Test("A room that only a forgotten node had named is cleared with it, when nobody is told to be there")
    func forgottenRoom() {
        var fused = Fused()
        for node in ["hall", "kitchen", "attic"] { fused.info(node) }
        for second in 1...12 {
            for node in ["hall", "kitchen", "attic"] {
                fused.interval(node, Double(second), node == "attic" ? ["keys"] : node == "hall" ? ["cat"] : [])
            }
        }
        let attic = fused.topics.occupancy("attic")
        #expect(told(fused)[attic]?.isEmpty == false)
        for second in 13...30 {
            for node in ["hall", "kitchen"] {
                fused.interval(node, Double(second), node == "hall" ? ["cat"] : ["keys"])
            }
        }
        for node in ["attic", "hall"] {
            fused.receive(.clearing(fused.topics.nodeInfo(node)), at: 30.5)
        }
        #expect(told(fused)[attic] == [])
        #expect(told(fused)[fused.topics.occupancy("hall")]?.isEmpty == false, "the cat is there")
    }

    @Test("What the broker kept of an item that was removed while the fuser was off is cleared as it comes")
    func removedWhileOff() {
        var fused = Fused()
        fused.connect(at: 0)
        fused.receive(removal(of: "keys", in: fused, at: 0), at: 0.1)
        let leftovers = [
            fused.topics.location("keys"), fused.topics.room("keys"), fused.topics.itemTelemetry("keys"),
            fused.topics.itemAlert("keys"),
        ]
        for topic in leftovers {
            fused.receive(Message(topic: topic, text: "{}", qos: .atLeastOnce, retained: true), at: 0.2)
        }
        let told = told(fused)
        #expect(leftovers.allSatisfy { told[$0] == [] }, "\(told.keys.sorted())")
    }

    @Test("A room that nobody names any more, and a room of an item whose answer is gone, are cleared; others are not")
    func gone() {
        var fused = Fused()
        fused.connect(at: 0)
        fused.info("kitchen")
        let topics = fused.topics
        for (topic, text) in [
            (topics.occupancy("attic"), "{\"count\":1,\"items\":[\"keys\"]}"),
            (topics.occupancy("kitchen"), "{\"count\":1,\"items\":[\"keys\"]}"), (topics.room("lost"), "attic"),
            (topics.room("keys"), "unknown"), (topics.itemTelemetry("keys"), "{}"),
        ] {
            fused.receive(Message(topic: topic, text: text, qos: .atLeastOnce, retained: true), at: 0.2)
        }
        let location = Location(
            fuser: "other", state: .unknown, room: nil, confidence: 0, since: Fused.time(0), previous: nil,
            at: Fused.time(0))
        var json = JSONWriter()
        location.write(to: &json)
        fused.receive(
            Message(topic: topics.location("keys"), payload: json.bytes, qos: .atLeastOnce, retained: true), at: 0.2)
        fused.advance(to: 11)
        let told = told(fused)
        #expect(told[topics.occupancy("attic")] == [] && told[topics.room("lost")] == [])
        #expect(told[topics.occupancy("kitchen")]?.isEmpty == false)
        #expect(told[topics.room("keys")] != [] && told[topics.itemTelemetry("keys")] == nil)
    }
}
