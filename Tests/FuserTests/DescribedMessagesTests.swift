import Alerts
import Reference
import WireProtocol
import Support
import Testing

@testable import Fuser

/// Messages of a fuser against the reference of topics: a subscriber is written by that page.
@Suite struct DescribedMessagesTests {
    private func contradictions(_ messages: [Message], knowsRetained: Bool) -> [String] {
        messages.flatMap { message in
            PublishedMessage(
                topic: message.topic, payload: message.payload, qos: Int(message.qos.rawValue),
                isRetained: knowsRetained ? message.retained : nil
            ).contradictions()
        }
    }

    private func patterns(_ messages: [Message]) -> Set<String> {
        Set(messages.compactMap { PublishedMessage.description(of: $0.topic, prefix: "whereabouts")?.pattern })
    }

    @Test("Items, persons, rooms and alerts are published as they are described")
    func house() {
        var office = AlertRule(.inRoom, item: "keys", companions: [], grace: .seconds(5))
        office.rooms = ["kitchen"]
        var fused = Fused(
            alerts: [office, AlertRule(.leftHome, item: "keys", companions: [], grace: .seconds(1))],
            persons: [Person(id: "anna", name: "Anna", items: ["keys"])])
        for node in ["hall", "kitchen"] { fused.info(node) }
        fused.connect(at: 0.5)
        for second in 1...150 {
            let end = Double(second)
            for event in fused.settle(at: end) {
                fused.outbox.append(fused.pipeline.message(event.event, of: event.item))
            }
            let room = second <= 30 ? "hall" : second <= 60 ? "kitchen" : nil
            for node in ["hall", "kitchen"] {
                fused.interval(
                    node, end, node == room ? ["keys"] : [], telemetry: Telemetry(batteryMillivolts: 2300))
            }
        }
        #expect(contradictions(fused.outbox, knowsRetained: true) == [])
        let seen = patterns(fused.outbox)
        for kind in ["location", "room", "events", "alert", "telemetry", "battery"] {
            #expect(seen.contains("items/<item>/\(kind)"))
        }
        #expect(seen.contains("rooms/<room>/occupancy"))
    }

    @Test("Lessons are published as they are described")
    func lessons() throws {
        var fleet = FuserFleet()
        fleet.broker.connect("reader")
        fleet.broker.subscribe("reader", to: "whereabouts/lessons/#")
        fleet.start("main")
        try fleet.teach("main", "kitchen", 10)
        try fleet.ask("main", .undo("1"))
        let messages = fleet.broker.takeMessages(for: "reader")
        #expect(messages.count >= 2)
        #expect(contradictions(messages, knowsRetained: false) == [])
        #expect(patterns(messages) == ["lessons/<lesson>"])
    }
}
