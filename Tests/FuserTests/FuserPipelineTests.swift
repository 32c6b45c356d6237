import Bytes
import Fuser
import Fusion
import Sightings
import Testing

/// A fuser's pipeline on a virtual wall clock, and nodes that speak to it.
private struct Fused {
    var pipeline = FuserPipeline(settings: Household.Settings(fuser: "main", epoch: "00000001"))
    var outbox: [Message] = []
    let topics = Topics()

    static func time(_ seconds: Double) -> Timestamp {
        Timestamp(microseconds: 1_000_000_000_000).advanced(bySeconds: seconds)
    }

    mutating func receive(_ message: Message, at seconds: Double) {
        pipeline.receive(message, at: Self.time(seconds), &outbox)
    }

    private func payload(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        write(&json)
        return json.bytes
    }

    mutating func info(_ node: String, clock: NodeClock? = nil) {
        var info = NodeInfo(
            version: "1", room: node, adapter: "replay", started: Self.time(0), epoch: "e", window: 1,
            publishesAll: false, registry: "")
        info.clock = clock
        receive(Message(topic: topics.nodeInfo(node), payload: payload { info.write(to: &$0) }), at: 0)
    }

    /// The interval that ends at a second, with the items heard in it, told `late` seconds after its end.
    mutating func interval(
        _ node: String, _ end: Double, _ items: [String], late: Double = 0.1, clock: NodeClock? = nil
    ) {
        let (from, to) = (Self.time(end - 1), Self.time(end))
        for item in items {
            var window = Window(
                seq: UInt64(end), from: from, to: to, node: node, epoch: "e", id: "0123456789ab", item: item, count: 1)
            window.rssi = Window.Levels(mean: -60, median: -60, minimum: -60, maximum: -60, deviation: nil)
            receive(
                Message(topic: topics.window(beacon: item, node: node), payload: payload { window.write(to: &$0) }),
                at: end + late)
        }
        var scan = Scan(from: from, to: to, seq: UInt64(end), registry: "", epoch: "e")
        scan.windows = items.count
        scan.clock = clock
        receive(Message(topic: topics.scan(node), payload: payload { scan.write(to: &$0) }), at: end + late)
    }

    func texts(_ topic: String) -> [String] {
        outbox.filter { $0.topic == topic }.map { String(decoding: $0.payload, as: UTF8.self) }
    }
}

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
