import Bytes
import HCI
import WireProtocol
import Support
import Testing

@testable import Agent
import System

@Suite("The alerts about a radio that doesn't receive")
struct RadioEventsTests {
    private var radio = RadioEvents(node: "kitchen")
    private var told: [NodeEvent] = []

    /// As `2 alert no_adapter x1 since 0`: time, kind, problem, count or reason of the end, and the earliest beginning.
    private var lines: [String] {
        told.map { event in
            let (at, since) = (Self.seconds(event.at), Self.seconds(event.notBefore))
            let more = event.count.map { "x\($0)" } ?? event.reason ?? ""
            return "\(at) \(event.kind.rawValue) \(event.rule ?? "") \(more) since \(since)"
        }
    }

    private static func seconds(_ time: Timestamp) -> Int { Int(time.microseconds / 1_000_000) }

    private mutating func fail(_ fault: RadioFault, since: Double? = nil, at seconds: Double) {
        radio.receive(.failed(fault, since: Node.time(since ?? seconds), at: Node.time(seconds)))
        take()
    }

    private mutating func hear(after rung: RecoveryLadder.Rung? = nil, at seconds: Double) {
        radio.receive(.hears(after: rung, at: Node.time(seconds)))
        take()
    }

    private mutating func pass(to seconds: Double) {
        radio.advance(to: Node.time(seconds))
        take()
    }

    @discardableResult private mutating func take() -> String? {
        let outcome = radio.takeEvents()
        told += outcome.events
        return outcome.memory
    }

    @Test("Publish a problem once after two seconds, and its end when the radio receives again")
    mutating func once() {
        fail(.noAdapter(.auto), at: 10)
        pass(to: 11.9)
        #expect(lines == [])
        for second in 12..<500 { pass(to: Double(second)) }
        hear(at: 500)
        #expect(lines == ["12 alert no_adapter x1 since 10", "500 cleared no_adapter returned since 500"])
        #expect(told.allSatisfy { $0.alert == "radio" && $0.item == nil && $0.region == nil && $0.node == "kitchen" })
    }

    @Test("Don't publish a start of a second, or a fault that passes by itself as fast")
    mutating func passing() {
        hear(at: 1)
        fail(.down("hci0"), at: 20)
        hear(at: 21.9)
        pass(to: 100)
        #expect(lines == [] && !radio.hasOutcome)
    }

    @Test("Publish a fault that a recovery step ended at any speed, from the beginning of the silence")
    mutating func mended() {
        fail(.mute("hci0"), since: 18, at: 20)
        hear(after: .reset, at: 21)
        #expect(lines == ["21 alert adapter_mute x1 since 18", "21 cleared adapter_mute reset since 21"])
    }

    @Test("Publish each problem once during an alert, in any order of repetition")
    mutating func others() {
        fail(.down("hci0"), at: 0)
        pass(to: 5)
        for second in stride(from: 10.0, to: 100, by: 10) {
            fail(.noAdapter(.auto), since: 0, at: second)
            pass(to: second + 5)
            fail(.down("hci0"), since: 0, at: second + 6)
        }
        hear(at: 100)
        #expect(
            lines == [
                "2 alert adapter_down x1 since 0", "12 alert no_adapter x2 since 0",
                "100 cleared no_adapter returned since 100",
            ])
    }

    @Test("Limit the alerts of an unstable radio to ten at once and one in five minutes, each with an end")
    mutating func flapping() {
        let week = 7 * 86_400
        for second in stride(from: 0, to: week, by: 20) {
            fail(.mute("hci0"), at: Double(second))
            hear(after: .reenable, at: Double(second) + 15)
        }
        let alerts = told.filter { $0.kind == .alert }
        #expect(alerts.filter { $0.at < Node.time(220) }.count == 10)
        #expect((week / 300...10 + week / 300).contains(alerts.count), "\(alerts.count)")
        #expect(told.count == 2 * alerts.count)
        #expect(zip(told, told.dropFirst()).allSatisfy { $0.at <= $1.at && $0.kind != $1.kind })
        // A day of rest, and it may be told as at first.
        told = []
        for second in stride(from: week + 86_400, to: week + 86_600, by: 20) {
            fail(.mute("hci0"), at: Double(second))
            hear(after: .reenable, at: Double(second) + 15)
        }
        #expect(told.count == 20)
    }

    @Test("Publish a problem over the limit as soon as permitted, if it still exists")
    mutating func late() {
        for second in 0..<10 {
            fail(.mute("hci0"), at: Double(second))
            hear(after: .reset, at: Double(second) + 0.5)
        }
        told = []
        fail(.noAdapter(.auto), at: 20)
        pass(to: 300)
        #expect(lines == [])
        pass(to: 301)
        #expect(lines == ["300 alert no_adapter x1 since 20"])
    }

    @Test("Move the times of events with a set clock, without a delay")
    mutating func set() {
        fail(.noAdapter(.auto), at: 10)
        radio.clockStepped(by: .hours(1))
        pass(to: 3611)
        #expect(lines == [])
        pass(to: 3613)
        #expect(lines == ["3612 alert no_adapter x1 since 3610"])
    }

    // MARK: Over a restart

    @Test("Don't repeat an open alert after a restart, and clear it when the next run receives")
    mutating func restarted() {
        fail(.blocked("hci0", isHard: false), at: 0)
        radio.advance(to: Node.time(5))
        let memory = take()
        #expect(memory == "adapter_blocked 1")
        radio = RadioEvents(node: "kitchen", remembering: memory)
        fail(.blocked("hci0", isHard: false), at: 100)
        pass(to: 105)
        #expect(lines == ["2 alert adapter_blocked x1 since 0"])
        radio.receive(.hears(after: nil, at: Node.time(110)))
        #expect(take() == "" && lines.last == "110 cleared adapter_blocked returned since 110")
        for text in ["", "adapter_blocked", "adapter_blocked x", "adapter_blocked -1", "a b c"] {
            radio = RadioEvents(node: "kitchen", remembering: text)
            radio.receive(.hears(after: nil, at: Node.time(120)))
            take()
        }
        #expect(lines.count == 2, "of what makes no sense nothing is taken back")
    }

    @Test("Number, store and replay the events with all others, and keep an open alert over a restart")
    func kept() throws {
        let folder = try TemporaryFolder()
        let log = Log(level: .warning, style: .plain)
        let path = folder.file("agent.sqlite")
        var node = Node()
        var memory = try NodeMemory(path: path, node: "kitchen", at: Node.time(0), log: log)
        node.pipeline.radioEvents.receive(.failed(.noAdapter(.auto), since: Node.time(0), at: Node.time(1)))
        node.pipeline.radioEvents.advance(to: Node.time(4))
        let early = node.pipeline.takeEffects()
        #expect(early == nil && node.pipeline.hasEvents, "before the first interval it waits")
        node.advance(to: 4)
        var taken = node.pipeline.takeEffects()
        var effects = try #require(taken)
        let events = memory.persist(effects, at: Node.time(4))
        #expect(events.map(\.seq) == [1] && events.map(\.rule) == ["no_adapter"] && memory.lastEvent == 1)
        #expect(!node.pipeline.hasEvents)
        let epoch = memory.epoch
        memory.close(at: Node.time(5))

        memory = try NodeMemory(path: path, node: "kitchen", at: Node.time(6), log: log)
        #expect(memory.radioAlert() == "no_adapter 1")
        node.pipeline.radioEvents = RadioEvents(node: "kitchen", remembering: memory.radioAlert())
        node.pipeline.radioEvents.receive(.hears(after: nil, at: Node.time(7)))
        taken = node.pipeline.takeEffects()
        effects = try #require(taken)
        #expect(memory.persist(effects, at: Node.time(7)).map(\.seq) == [2] && memory.radioAlert() == nil)
        let again = try memory.replayEvents(epoch: epoch, from: 1).events
        #expect(again.map(\.kind) == [.alert, .cleared] && again.allSatisfy { $0.isReplayed && $0.alert == "radio" })
        memory.close(at: Node.time(8))

        memory = try NodeMemory(path: path, node: "pantry", at: Node.time(9), log: log)
        let renamed = try memory.replayEvents(epoch: epoch, from: 1).events
        #expect(renamed.map(\.node) == ["pantry", "pantry"], "of another node's nobody would take them")
        memory.close(at: Node.time(10))
    }
}
