import Bytes
import Fuser
import WireProtocol
import Testing

@Suite struct FuserPipelineTests {
    @Test("A room is told once an interval, however many things came into it")
    func occupancy() {
        var fused = Fused()
        fused.info("hall")
        let items = (0..<300).map { "item-\($0)" }
        fused.interval("hall", 1, items)
        fused.interval("hall", 2, items)
        #expect(fused.texts(fused.topics.occupancy("hall")).count == 1)
        #expect(items.allSatisfy { fused.texts(fused.topics.room($0)) == ["hall"] })
    }

    @Test("A replay beside real nodes does not carry the house off, and is told")
    func clocks() {
        var fused = Fused()
        fused.info("hall")
        for second in 1...3 { fused.interval("hall", Double(second), ["keys"]) }
        let clock = NodeClock(start: Fused.time(-5_000_000), origin: Fused.time(0), speed: 1)
        fused.interval("evil", 3, [], late: 0.2, clock: clock)
        for second in 4...6 { fused.interval("hall", Double(second), ["keys"]) }
        #expect(fused.texts(fused.topics.room("keys")) == ["hall"])
        #expect(fused.pipeline.takeComplaints().map(\.key) == ["evil"])
        #expect(fused.pipeline.takeComplaints().isEmpty)
    }

    @Test("Windows of a real node do not move the time of a replay that runs as fast as it can")
    func unpacedReplay() {
        var fused = Fused()
        let clock = NodeClock(start: Fused.time(-5_000_000), origin: Fused.time(0), speed: nil)
        fused.info("hall", clock: clock)
        for second in 1...3 {
            fused.interval("hall", Double(second) - 5_000_000, ["keys"], late: 5_000_000, clock: clock)
        }
        fused.interval("real", 4, ["keys"])
        for second in 4...9 {
            fused.interval("hall", Double(second) - 5_000_000, ["keys"], late: 5_000_000, clock: clock)
        }
        #expect(fused.texts(fused.topics.room("keys")) == ["hall"])
        let last = fused.texts(fused.topics.location("keys")).last ?? ""
        #expect(last.contains(#""room":"hall""#))
    }

    @Test("A node whose clock is wrong is told by name, and one whose words were held up is not")
    func wrongClock() {
        var fused = Fused()
        fused.info("hall")
        for second in 1...3 { fused.interval("hall", Double(second), ["keys"], late: 9.1 - Double(second)) }
        fused.interval("hall", 9, ["keys"])
        #expect(fused.pipeline.takeComplaints().isEmpty)
        for second in 10...13 { fused.interval("hall", Double(second), ["keys"], late: 3.1) }
        #expect(fused.pipeline.takeComplaints().first?.words.contains("hall is 3 s behind") == true)
    }

    @Test("Date the messages of a node with a wrong clock by their arrival", arguments: [300.0, -300, -3600])
    func wrongClockServes(ahead: Double) {
        var fused = Fused()
        for node in ["hall", "den"] { fused.info(node) }
        for second in 10_001...10_020 {
            let end = Double(second)
            fused.interval("den", end, [])
            fused.interval("hall", end + ahead, ["keys"], late: 0.1 - ahead)
        }
        #expect(fused.texts(fused.topics.room("keys")) == ["hall"])
        let words = fused.pipeline.takeComplaints().first?.words ?? ""
        #expect(words.contains("node hall is \(Int(ahead.magnitude)) s \(ahead > 0 ? "ahead" : "behind")"), "\(words)")
        // Its clock is set: it is taken as it is again.
        for second in 10_021...10_040 {
            fused.interval("hall", Double(second), [])
            fused.interval("den", Double(second), ["keys"])
        }
        #expect(fused.texts(fused.topics.room("keys")) == ["hall", "den"])
        // It is told so, and when that is over.
        let commands = fused.texts(fused.topics.nodeCommand("hall"))
        #expect(commands == [-ahead, 0].map { #"{"action":"clock","offset":\#(Int($0))}"# }, "\(commands)")
    }

    @Test("What an earlier run said and nobody confirms is taken back")
    func inheritance() throws {
        var fused = Fused()
        var json = JSONWriter()
        Location(
            fuser: "main", state: .present, room: "hall", confidence: 0.9, since: Fused.time(-9), previous: nil,
            at: Fused.time(-9)
        ).write(to: &json)
        let old = json.bytes
        fused.pipeline.connected(at: Fused.time(0), &fused.outbox)
        for item in ["keys", "cat"] {
            fused.receive(Message(topic: fused.topics.location(item), payload: old, retained: true), at: 0.1)
        }
        let crowd = Message(
            topic: fused.topics.occupancy("hall"), text: "{\"count\":2,\"items\":[\"cat\",\"keys\"]}", retained: true)
        fused.receive(crowd, at: 0.1)
        fused.info("hall")
        for second in 1...12 { fused.interval("hall", Double(second), ["cat"]) }
        #expect(fused.texts(fused.topics.room("cat")) == ["hall"])
        #expect(fused.texts(fused.topics.room("keys")) == ["unknown"])
        #expect(fused.texts(fused.topics.occupancy("hall")).last?.contains("\"items\":[\"cat\"]") == true)
    }
}
