import Bytes
import Presence
import Sightings
import Testing

@testable import Fuser

/// Two fusers with one rule, of which `a` serves and `b` stands by, and somebody who reads what they warn of.
private struct WarningPair {
    var fusers: [String: Fused] = [:]
    var dead: Set<String> = []
    private var lastLife: [String: Int] = [:]
    private(set) var events: [ItemEvent] = []
    private var retained: [String: Message] = [:]
    private(set) var now = 0
    private var rule: AlertRule
    private var memories: [String: String] = [:]

    init(repeating interval: Int64? = nil) {
        rule = AlertRule(.inRoom, item: "keys", companions: [], grace: 10_000_000)
        rule.rooms = ["kitchen"]
        rule.interval = interval
        for name in ["a", "b"] { start(name) }
        serve("a")
    }

    private mutating func start(_ name: String) {
        fusers[name] = Fused(name, alerts: [rule], alertMemory: memories[name])
        for node in ["hall", "kitchen"] { fusers[name]?.info(node) }
    }

    /// It begins anew with what it kept, beside the other one, and gets what the broker retains.
    mutating func restart(_ name: String) {
        start(name)
        wake(name)
    }

    /// One begins to serve, and the other one, where it lives, ceases to.
    mutating func serve(_ name: String) {
        let time = Fused.time(Double(now))
        let silences = lastLife.filter { dead.contains($0.key) }.mapValues { Int64(now - $0) * 1_000_000 }
        for (fuser, shards) in [(name, ShardSet.all), (name == "a" ? "b" : "a", ShardSet())]
        where !dead.contains(fuser) {
            guard var fused = fusers[fuser] else { continue }
            fused.pipeline.serve(shards, after: silences, at: time, &fused.outbox)
            fused.advance(to: Double(now))
            fusers[fuser] = fused
        }
        spread()
    }

    /// It comes to itself, knows that it had stood still, and gets what the broker retains.
    mutating func wake(_ name: String) {
        dead.remove(name)
        guard var fused = fusers[name] else { return }
        fused.pipeline.serve(ShardSet(), after: [:], at: Fused.time(Double(now)), &fused.outbox)
        for var message in retained.values {
            message.retained = true
            fused.receive(message, at: Double(now))
        }
        fusers[name] = fused
    }

    mutating func keys(in room: String, _ seconds: Int) {
        for _ in 0..<seconds {
            now += 1
            for name in ["a", "b"] where !dead.contains(name) {
                for node in ["hall", "kitchen"] {
                    fusers[name]?.interval(node, Double(now), node == room ? ["keys"] : [])
                }
                lastLife[name] = now
            }
            spread()
        }
    }

    private mutating func spread() {
        for (name, other) in [("a", "b"), ("b", "a")] where !dead.contains(name) {
            guard var fused = fusers[name] else { continue }
            var messages = fused.outbox
            fused.outbox = []
            let effects = fused.pipeline.takeEffects(at: Fused.time(Double(now)))
            memories[name] = effects.alerts ?? memories[name]
            for entry in effects.events {
                if entry.event.alert != nil { events.append(entry.event) }
                messages.append(fused.pipeline.message(entry.event, of: entry.item))
            }
            fusers[name] = fused
            for message in messages {
                if message.retained { retained[message.topic] = message }
                if !dead.contains(other) { fusers[other]?.receive(message, at: Double(now)) }
            }
        }
    }

    /// What stands retained.
    var standing: String { String(decoding: retained[Topics().itemAlert("keys")]?.payload ?? [], as: UTF8.self) }

    var told: [String] { events.map { "\($0.fuser) \($0.kind) \($0.count.map { "\($0)" } ?? $0.reason ?? "")" } }
}

@Suite("Alerts while one fuser takes over from another")
struct HandedOverAlertsTests {
    @Test("What falls due while nobody serves is told by the one that takes over, with its time, and once")
    func due() throws {
        var pair = WarningPair()
        pair.keys(in: "hall", 20)
        pair.keys(in: "kitchen", 10)
        #expect(pair.told.isEmpty)
        pair.dead = ["a"]
        pair.keys(in: "kitchen", 10)
        pair.serve("b")
        pair.keys(in: "kitchen", 5)
        #expect(pair.told == ["b alert 1"])
        let event = try #require(pair.events.first)
        #expect(event.at < Fused.time(38) && pair.standing.contains("in_room-keys"))
        // The first one wakes up, finds it due, and is too late.
        pair.wake("a")
        pair.keys(in: "kitchen", 5)
        pair.serve("a")
        pair.keys(in: "kitchen", 30)
        #expect(pair.told == ["b alert 1"])
        pair.keys(in: "hall", 20)
        #expect(pair.told == ["b alert 1", "a cleared over"])
    }

    @Test("What the other one told before it died, or while it lives, is not told again")
    func told() {
        for dies in [true, false] {
            var pair = WarningPair()
            pair.keys(in: "hall", 20)
            pair.keys(in: "kitchen", 22)
            #expect(pair.told == ["a alert 1"])
            if dies { pair.dead = ["a"] }
            pair.serve("b")
            pair.keys(in: "kitchen", 20)
            #expect(pair.told == ["a alert 1"])
            pair.keys(in: "hall", 20)
            #expect(pair.told == ["a alert 1", "b cleared over"])
        }
    }

    @Test("An alert that ends, or is due again, while nobody serves is told so, too")
    func more() {
        var pair = WarningPair(repeating: 15_000_000)
        pair.keys(in: "hall", 20)
        pair.keys(in: "kitchen", 25)
        #expect(pair.told == ["a alert 1"])
        pair.dead = ["a"]
        pair.keys(in: "kitchen", 12)
        pair.keys(in: "hall", 12)
        pair.serve("b")
        #expect(pair.told == ["a alert 1", "b alert 2", "b cleared over"], "it was over before the third was due")
        #expect(pair.standing.isEmpty)
    }

    @Test(
        "What another fuser cleared and told anew meanwhile is what one that was killed goes on from",
        arguments: [true, false])
    func cleared(isStandingAgain: Bool) throws {
        var pair = WarningPair()
        pair.keys(in: "hall", 20)
        pair.keys(in: "kitchen", 22)
        pair.dead = ["a"]
        pair.serve("b")
        pair.keys(in: "hall", 20)
        #expect(pair.told == ["a alert 1", "b cleared over"])
        pair.keys(in: "kitchen", isStandingAgain ? 30 : 7)
        let standing = pair.standing
        pair.restart("a")
        pair.keys(in: "kitchen", 2)
        pair.serve("a")
        pair.keys(in: "kitchen", 1)
        if isStandingAgain {
            let since = { (word: String) in word.split(separator: ",").first { $0.contains("since") } }
            #expect(since(pair.standing) == since(standing), "what stands is the second alert")
        } else {
            #expect(pair.standing.isEmpty, "the first alert doesn't come back")
            pair.keys(in: "kitchen", 30)
        }
        pair.keys(in: "hall", 20)
        let teller = isStandingAgain ? "b" : "a"
        #expect(pair.told == ["a alert 1", "b cleared over", "\(teller) alert 1", "a cleared over"])
        #expect(Set(pair.events.map(\.id)).count == 4, "no event is taken for another one")
    }
}
