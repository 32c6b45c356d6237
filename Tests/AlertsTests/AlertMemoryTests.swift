import Alerts
import Support
import Testing

@Suite struct AlertMemoryTests {
    static func memory() -> AlertMemory {
        var line = AlertLine(
            AlertRule(.leftBehind, item: "keys", companions: ["phone"], interval: .seconds(60)),
            AlertRule(.gone, item: "cat", companions: []))
        line.play("0 keys inside\n0 cat inside\n0 phone inside\n10.000001 phone exit\n90 cat exit", until: 100)
        _ = line.book.silence(.item("cat"), until: AlertLine.time(500), at: AlertLine.time(100))
        _ = line.book.silence(.region("hall"), until: AlertLine.time(600), at: AlertLine.time(100))
        let visits = [
            VisitLedger.Visit(subject: .item("guest"), since: AlertLine.time(1), offers: ["topic:wifi:\"A\"", "x"]),
            VisitLedger.Visit(subject: .region("hall"), since: AlertLine.time(2), hasEnded: true),
        ]
        return AlertMemory(line.book.snapshot, visits)
    }

    @Test func whatIsRememberedComesBackToTheMicrosecond() {
        let memory = Self.memory()
        #expect(memory.alerts.alerts.map(\.phase) == [.open, .pending] && memory.alerts.silences.count == 2)
        #expect(AlertMemory(text: memory.text) == memory)
        #expect(AlertMemory(text: AlertMemory().text) == AlertMemory())
    }

    @Test(arguments: ["", "{", "[]", #"{"alerts":3}"#, #"{"alerts":[3]}"#, #"{"items":[{"item":true}]}"#])
    func anotherTextIsToldAsSuch(text: String) {
        #expect(AlertMemory(text: text) == nil)
    }

    @Test func aRowThatLacksSomethingIsLeftOut() {
        let text = #"{"later":{"a":[1]},"alerts":[{"alert":"a"}],"items":[{"item":"keys","inside":1}],"visits":[{}]}"#
        #expect(AlertMemory(text: text) == AlertMemory(AlertSnapshot(items: [.init(item: "keys", isInside: true)])))
    }

    @Test func aMangledMemoryIsNoFaultOfTheAlerts() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let rules = [AlertRule(.leftBehind, item: "keys", companions: ["phone"], interval: .seconds(60))]
        var read = 0
        for _ in 0..<3000 {
            var bytes = Array(Self.memory().text.utf8)
            for _ in 0...2 {
                bytes[.random(in: 0..<bytes.count, using: &random)] = .random(in: 0x20...0x7E, using: &random)
            }
            guard let memory = AlertMemory(text: String(decoding: bytes, as: UTF8.self)) else { continue }
            read += 1
            var book = AlertBook(rules: rules)
            _ = book.restore(memory.alerts, at: AlertLine.time(100))
            _ = book.receive(Crossing(.item("keys"), .exit, at: AlertLine.time(101)))
            _ = book.advance(to: AlertLine.time(10_000))
            var ledger = VisitLedger(memory.visits)
            ledger.receive(Crossing(.item("guest"), .enter, at: AlertLine.time(101)))
        }
        #expect(read > 100, "seed \(seed)")
    }
}
