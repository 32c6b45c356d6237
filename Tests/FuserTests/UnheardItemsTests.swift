import Bytes
import Identity
import WireProtocol
import Testing

@testable import Fuser

@Suite("Items that are registered and that no node hears")
struct UnheardItemsTests {
    private func registered(_ item: String, in fused: Fused, at seconds: Double, every: Duration? = nil) -> Message {
        var entry = Item(id: item, identities: [.address(0x0A0A)])
        entry.expectedInterval = every
        let change = ItemChange(ItemEntry(entry, at: Fused.time(seconds)))
        return Message(topic: fused.topics.itemConfig(item), payload: change.payload, retained: true)
    }

    private func run(_ fused: inout Fused, _ seconds: ClosedRange<Int>, _ items: [String] = []) {
        for second in seconds { fused.interval("kitchen", Double(second), items) }
    }

    private func started() -> Fused {
        var fused = Fused()
        fused.connect(at: 0)
        fused.info("kitchen")
        return fused
    }

    @Test(
        "One is away when nodes have listened for it for the time after which it would have left, and no event says so")
    func away() {
        var fused = started()
        fused.receive(registered("keys", in: fused, at: 0.5), at: 0.5)
        run(&fused, 1...58)
        #expect(fused.texts(fused.topics.room("keys")) == [])
        run(&fused, 59...65)
        #expect(fused.texts(fused.topics.room("keys")) == ["away"])
        #expect(fused.texts(fused.topics.itemEvents("keys")) == [])
        #expect(fused.pipeline.takeEffects(at: Fused.time(65)).events.isEmpty)
    }

    @Test("One that is said to speak seldom is waited for longer")
    func seldom() {
        var fused = started()
        fused.receive(registered("keys", in: fused, at: 0.5, every: .seconds(30)), at: 0.5)
        run(&fused, 1...140)
        #expect(fused.texts(fused.topics.room("keys")) == [])
        run(&fused, 141...160)
        #expect(fused.texts(fused.topics.room("keys")) == ["away"])
    }

    @Test("Nobody knows of it while no node listens")
    func deaf() {
        var fused = started()
        fused.receive(registered("keys", in: fused, at: 0.5), at: 0.5)
        run(&fused, 1...30)
        fused.advance(to: 500)
        #expect(fused.texts(fused.topics.room("keys")) == [])
    }

    @Test("Heard for the first time, it has arrived")
    func arrives() {
        var fused = started()
        fused.receive(registered("keys", in: fused, at: 0.5), at: 0.5)
        run(&fused, 1...65)
        _ = fused.pipeline.takeEffects(at: Fused.time(65))
        run(&fused, 66...70, ["keys"])
        #expect(fused.texts(fused.topics.room("keys")) == ["away", "kitchen"])
        let events = fused.pipeline.takeEffects(at: Fused.time(70)).events
        #expect(events.map(\.event.kind) == [.arrived])
    }

    @Test("What an earlier run said of it and nobody confirms doesn't stay unknown")
    func inherited() {
        var fused = started()
        let location = Location(
            fuser: "main", state: .present, room: "kitchen", confidence: 0.9, since: Fused.time(-100), previous: nil,
            at: Fused.time(-100))
        var json = JSONWriter()
        location.write(to: &json)
        fused.receive(registered("keys", in: fused, at: 0.5), at: 0.5)
        fused.receive(Message(topic: fused.topics.location("keys"), payload: json.bytes, retained: true), at: 0.6)
        run(&fused, 1...70)
        #expect(fused.texts(fused.topics.room("keys")) == ["unknown", "away"])
    }

    @Test("A purge takes all that is known of it; that it is away is found anew")
    func purged() throws {
        var fused = started()
        fused.receive(registered("keys", in: fused, at: 0.5), at: 0.5)
        run(&fused, 1...65)
        _ = fused.pipeline.purgeItem("keys", before: nil, at: Fused.time(65.5), &fused.outbox)
        #expect(fused.texts(fused.topics.room("keys")).last == "")
        run(&fused, 66...120)
        #expect(fused.texts(fused.topics.room("keys")).last == "")
        run(&fused, 121...130)
        #expect(fused.texts(fused.topics.room("keys")).last == "away")
    }

    @Test("Why it is away is told without a moment at which it was heard")
    func why() throws {
        var fused = started()
        fused.receive(registered("keys", in: fused, at: 0.5), at: 0.5)
        run(&fused, 1...65)
        #expect(try fused.pipeline.explain("keys", at: Fused.time(65)).lastHeard == nil)
    }
}
