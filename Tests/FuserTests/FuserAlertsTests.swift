import Alerts
import Bytes
import WireProtocol
import Testing

@testable import Fuser

/// What a fuser warns of, on its topics.
@Suite struct FuserAlertsTests {
    private static func rules() -> [AlertRule] {
        var office = AlertRule(.inRoom, item: "keys", companions: [], grace: .seconds(5))
        office.rooms = ["kitchen"]
        var battery = AlertRule(.batteryLow, item: "keys", companions: [], grace: .zero)
        battery.limit = 2400
        return [office, battery, AlertRule(.leftHome, item: "keys", companions: [], grace: .seconds(1))]
    }

    private func events(
        _ fused: inout Fused, at seconds: Double, _ taken: [FuserEffects.Event] = []
    ) -> [String] {
        (taken + fused.settle(at: seconds)).compactMap { entry in
            let event = entry.event
            guard let alert = event.alert else { return nil }
            return "\(event.kind) \(alert) \(event.count.map { "\($0)" } ?? event.reason ?? "") #\(event.itemSeq)"
        }
    }

    private func alerts(_ fused: Fused) -> [[String]] {
        fused.outbox.filter { $0.topic == fused.topics.itemAlert("keys") && $0.retained }.map { message in
            (try? ItemAlerts(payload: message.payload.span))?.alerts.map(\.id) ?? []
        }
    }

    @Test("Events that another fuser publishes again open no alert, and an old departure is none")
    func replayed() throws {
        var fused = Fused("b", alerts: Self.rules())
        for node in ["hall", "kitchen"] { fused.info(node) }
        fused.pipeline.serveShards(ShardSet(), after: [:], at: Fused.time(0), &fused.outbox)
        func hear(_ kind: ItemEvent.Kind, _ number: UInt64, _ room: String?, _ alert: (id: String, rule: String)? = nil)
        {
            let time = Fused.time(Double(number))
            var event = ItemEvent(
                fuser: "a", epoch: "1", seq: number, itemSeq: number, id: "\(number)", at: time, notBefore: time,
                kind: kind, room: room, previous: nil)
            (event.alert, event.rule, event.isReplayed) = (alert?.id, alert?.rule, true)
            if kind == .alert { event.count = 1 }
            var json = JSONWriter()
            event.write(to: &json)
            fused.receive(Message(topic: fused.topics.itemEvents("keys"), payload: json.bytes), at: 30)
        }
        var location = Location(
            fuser: "a", state: .present, room: "hall", confidence: 0.9, since: Fused.time(9), previous: nil,
            at: Fused.time(9))
        location.itemSeq = 9
        var json = JSONWriter()
        location.write(to: &json)
        fused.receive(Message(topic: fused.topics.location("keys"), payload: json.bytes), at: 29)
        hear(.left, 4, nil)
        hear(.alert, 5, "kitchen", ("in_room-keys", "in_room"))
        fused.pipeline.serveShards(.all, after: [:], at: Fused.time(31), &fused.outbox)
        fused.advance(to: 40)
        let told = events(&fused, at: 40)
        #expect(told.isEmpty && alerts(fused).allSatisfy(\.isEmpty))
    }

    @Test("A warning is an event and stands retained until it is over; silence holds it back")
    func story() throws {
        var fused = Fused(alerts: Self.rules())
        for node in ["hall", "kitchen"] { fused.info(node) }
        var taken: [FuserEffects.Event] = []
        func keys(_ fused: inout Fused, in room: String?, _ seconds: ClosedRange<Int>, millivolts: Int? = nil) {
            taken = []
            for second in seconds {
                taken += fused.settle(at: Double(second))
                for node in ["hall", "kitchen"] {
                    fused.interval(
                        node, Double(second), node == room ? ["keys"] : [],
                        telemetry: millivolts.map { Telemetry(batteryMillivolts: $0) })
                }
            }
        }
        keys(&fused, in: "hall", 1...20)
        let told1 = events(&fused, at: 20, taken)
        #expect(told1.isEmpty && alerts(fused).isEmpty)
        keys(&fused, in: "kitchen", 21...40)
        let told2 = events(&fused, at: 40, taken)
        #expect(told2 == ["alert in_room-keys 1 #2"])
        #expect(alerts(fused) == [["in_room-keys"]])
        keys(&fused, in: "hall", 41...60, millivolts: 2300)
        let told3 = events(&fused, at: 60, taken)
        #expect(told3.sorted() == ["alert battery_low-keys 1 #3", "cleared in_room-keys over #5"])
        #expect(alerts(fused).suffix(2) == [["in_room-keys", "battery_low-keys"], ["battery_low-keys"]])
        #expect(fused.texts(fused.topics.itemTelemetry("keys")).count == 1)

        let answer = try fused.pipeline.silence("keys", for: .seconds(100), at: Fused.time(60))
        #expect(answer == .done)
        keys(&fused, in: nil, 61...130)
        let told4 = events(&fused, at: 130, taken)
        #expect(told4.isEmpty, "it has left, and nobody is to be told yet")
        keys(&fused, in: nil, 131...165)
        let told5 = events(&fused, at: 165, taken)
        #expect(told5 == ["alert left_home-keys 1 #7"])
        keys(&fused, in: "hall", 166...170, millivolts: 3000)
        let told6 = events(&fused, at: 170, taken)
        #expect(
            told6.sorted() == [
                "cleared battery_low-keys over #8", "cleared left_home-keys returned #10",
            ])
        #expect(alerts(fused).last == [])
    }

    @Test("While another fuser speaks, alerts are followed and not told; one that takes over tells what stands")
    func standby() {
        var fused = Fused(alerts: Self.rules())
        for node in ["hall", "kitchen"] { fused.info(node) }
        fused.pipeline.serveShards(ShardSet(), after: [:], at: Fused.time(0), &fused.outbox)
        var word = JSONWriter()
        Location(
            fuser: "first", state: .present, room: "kitchen", confidence: 0.9, since: Fused.time(2), previous: "hall",
            at: Fused.time(3)
        ).write(to: &word)
        fused.receive(Message(topic: fused.topics.location("keys"), payload: word.bytes, retained: true), at: 3)
        func kitchen(_ fused: inout Fused, _ seconds: ClosedRange<Int>) {
            for second in seconds {
                let battery = Telemetry(batteryMillivolts: 2300)
                fused.interval("hall", Double(second), [])
                fused.interval("kitchen", Double(second), ["keys"], telemetry: battery)
            }
        }
        kitchen(&fused, 4...30)
        let told = events(&fused, at: 30)
        #expect(told.isEmpty && fused.outbox.isEmpty, "\(fused.outbox.map(\.topic))")
        fused.pipeline.serveShards(.all, after: [:], at: Fused.time(30), &fused.outbox)
        kitchen(&fused, 31...32)
        let own = events(&fused, at: 32)
        #expect(own.map { $0.prefix { $0 != "#" } } == ["alert battery_low-keys 1 ", "alert in_room-keys 1 "])
        #expect(alerts(fused) == [["in_room-keys", "battery_low-keys"]])
        #expect(fused.texts(fused.topics.room("keys")) == ["kitchen"])
        #expect(fused.texts(fused.topics.itemTelemetry("keys")).count == 1)
    }

    @Test("What an earlier run warned of and this one doesn't is cleared")
    func inherited() {
        var fused = Fused()
        var json = JSONWriter()
        ItemAlerts(fuser: "main", alerts: [.init(id: "a", rule: "in_room", since: Fused.time(0), count: 1)])
            .write(to: &json)
        fused.connect(at: 0)
        fused.receive(Message(topic: fused.topics.itemAlert("keys"), payload: json.bytes, retained: true), at: 0.1)
        fused.advance(to: 11)
        #expect(fused.texts(fused.topics.itemAlert("keys")) == [""])
    }
}
