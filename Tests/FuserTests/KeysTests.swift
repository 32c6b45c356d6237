import Bytes
import WireProtocol
import Testing

/// What a fuser makes of items that are known by keys.
@Suite("A fuser and items known by a key") struct KeysTests {
    private func state(_ fused: Fused, _ item: String) -> String? {
        fused.texts(fused.topics.location(item)).last.flatMap { text in
            ["present", "quiet", "away", "unknown"].first { text.contains(#""state":"\#($0)""#) }
        }
    }

    private func info(_ fused: inout Fused, _ node: String, missing: [String]) {
        var info = NodeInfo(
            version: "1", room: node, adapter: "replay", started: Fused.time(0), epoch: "e", window: 1,
            publishesAll: false, registry: "")
        info.missingKeys = missing
        var json = JSONWriter()
        info.write(to: &json)
        fused.receive(Message(topic: fused.topics.nodeInfo(node), payload: json.bytes), at: 0)
    }

    private func register(_ fused: inout Fused, _ item: String) {
        fused.receive(
            Message(
                topic: fused.topics.itemConfig(item),
                payload: Array(#"{"v":1,"id":"\#(item)","key":"irk","at":1}"#.utf8),
                retained: true), at: 0)
    }

    @Test("A phone that says nothing while it is locked is quiet and not gone; a tag is gone by then")
    func lockedPhone() {
        var fused = Fused()
        info(&fused, "hall", missing: [])
        register(&fused, "phone")
        for second in 1...20 { fused.interval("hall", Double(second), ["phone", "keys"]) }
        fused.advance(to: 20.5)
        #expect(state(fused, "phone") == "present" && state(fused, "keys") == "present")
        for second in 21...120 { fused.interval("hall", Double(second), []) }
        fused.advance(to: 120.5)
        #expect(state(fused, "phone") == "quiet" && state(fused, "keys") == "away")
        for second in 121...340 { fused.interval("hall", Double(second), []) }
        fused.advance(to: 340.5)
        #expect(state(fused, "phone") == "away")
    }

    @Test("The silence of a node that lacks an item's key says nothing of it")
    func missingKey() {
        var fused = Fused()
        info(&fused, "hall", missing: [])
        info(&fused, "den", missing: ["watch"])
        for second in 1...20 {
            fused.interval("hall", Double(second), ["watch", "keys"])
            fused.interval("den", Double(second), [])
        }
        fused.advance(to: 20.5)
        #expect(state(fused, "watch") == "present")
        // Then the only node that knows it is gone: nobody can tell.
        for second in 21...110 { fused.interval("den", Double(second), []) }
        fused.advance(to: 110.5)
        #expect(state(fused, "keys") == "away" && state(fused, "watch") == "present")
        info(&fused, "hall", missing: ["watch"])
        for second in 111...114 { fused.interval("den", Double(second), []) }
        fused.advance(to: 114.5)
        #expect(state(fused, "watch") == "unknown")
        // The key has come.
        info(&fused, "den", missing: [])
        for second in 115...125 { fused.interval("den", Double(second), ["watch"]) }
        fused.advance(to: 125.5)
        #expect(state(fused, "watch") == "present")
    }

    @Test("Readings that a device tells in turn stand together, and a door is told at once")
    func telemetry() {
        var fused = Fused()
        info(&fused, "hall", missing: [])
        func readings(_ name: String, _ value: Telemetry.Reading.Value) -> Telemetry {
            var telemetry = Telemetry()
            telemetry.set(.init(name, value))
            return telemetry
        }
        let topic = fused.topics.itemTelemetry("fridge")
        fused.interval("hall", 1, ["fridge"], telemetry: readings("humidity_percent", .number(51.5)))
        fused.interval("hall", 2, ["fridge"], telemetry: readings("door", .flag(false)))
        #expect(fused.texts(topic).last?.contains(#""humidity_percent":51.5,"door":false"#) == true)
        let count = fused.texts(topic).count
        fused.interval("hall", 3, ["fridge"], telemetry: readings("humidity_percent", .number(52)))
        #expect(fused.texts(topic).count == count)
        fused.interval("hall", 4, ["fridge"], telemetry: readings("door", .flag(true)))
        #expect(fused.texts(topic).last?.contains(#""humidity_percent":52,"door":true"#) == true)
        #expect(fused.texts(topic).count == count + 1)
    }
}
