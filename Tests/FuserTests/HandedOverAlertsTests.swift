import Alerts
import WireProtocol
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
    /// The order in which the fusers' timers fire.
    var order = ["a", "b"]
    /// After how many further messages a fuser's connection ends with it; nil while it lives.
    var cut: [String: Int] = [:]
    /// Alerts that the broker retained before any event of them was published, or in another form.
    private(set) var unannounced: [String] = []

    init(repeating interval: Duration? = nil) {
        rule = AlertRule(.inRoom, item: "keys", companions: [], grace: .seconds(10))
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
        let silences = lastLife.filter { dead.contains($0.key) }.mapValues { Duration.seconds(now - $0) }
        for (fuser, shards) in [(name, ShardSet.all), (name == "a" ? "b" : "a", ShardSet())]
        where !dead.contains(fuser) {
            guard var fused = fusers[fuser] else { continue }
            fused.pipeline.serveShards(shards, after: silences, at: time, &fused.outbox)
            fused.advance(to: Double(now))
            fusers[fuser] = fused
        }
        spread()
    }

    /// It comes to itself, knows that it had stood still, and gets what the broker retains.
    mutating func wake(_ name: String) {
        dead.remove(name)
        guard var fused = fusers[name] else { return }
        fused.pipeline.serveShards(ShardSet(), after: [:], at: Fused.time(Double(now)), &fused.outbox)
        for var message in retained.values {
            message.retained = true
            fused.receive(message, at: Double(now))
        }
        fusers[name] = fused
    }

    mutating func keys(in room: String, _ seconds: Int) {
        for _ in 0..<seconds {
            second(in: room, order)
        }
    }

    /// A second in which one fuser begins to serve, and the other ceases to, between their timers.
    mutating func cede(to name: String, in room: String) {
        second(in: room, [name]) { $0.serve(name) }
        // The other's time comes later in the same second.
        listen(in: room, order.filter { $0 != name })
    }

    private mutating func second(
        in room: String, _ names: [String], _ body: (inout Self) -> Void = { _ in }
    ) {
        now += 1
        listen(in: room, names)
        body(&self)
    }

    private mutating func listen(in room: String, _ names: [String]) {
        for name in names where !dead.contains(name) {
            for node in ["hall", "kitchen"] {
                fusers[name]?.interval(node, Double(now), node == room ? ["keys"] : [])
            }
            lastLife[name] = now
            spread(name)
        }
    }

    private mutating func spread() {
        for name in ["a", "b"] { spread(name) }
    }

    /// Delivers what a fuser has to publish, as a service does: as many messages as its connection lasts for.
    private mutating func spread(_ name: String) {
        let other = name == "a" ? "b" : "a"
        guard !dead.contains(name), var fused = fusers[name] else { return }
        var messages = fused.outbox
        fused.outbox = []
        let effects = fused.pipeline.takeEffects(at: Fused.time(Double(now)))
        memories[name] = effects.alerts ?? memories[name]
        messages += effects.events.map { fused.pipeline.message($0.event, of: $0.item) } + effects.states
        fusers[name] = fused
        for message in messages {
            if let left = cut[name] {
                guard left > 0 else {
                    dead.insert(name)
                    cut[name] = nil
                    return
                }
                cut[name] = left - 1
            }
            note(message)
            if !dead.contains(other) { fusers[other]?.receive(message, at: Double(now)) }
        }
    }

    /// Takes down what the broker gets of alerts, in its order.
    private mutating func note(_ message: Message) {
        if message.retained { retained[message.topic] = message }
        switch Topics().kind(of: message.topic) {
        case .itemEvents:
            guard let event = try? ItemEvent(payload: message.payload.span), event.alert != nil else { return }
            events.append(event)
        case .itemAlert:
            for alert in (try? ItemAlerts(payload: message.payload.span))?.alerts ?? [] {
                let isPublished = events.contains {
                    $0.kind == .alert && $0.alert == alert.id && $0.count == alert.count && $0.notBefore == alert.since
                }
                if !isPublished { unannounced.append("\(alert) at \(now)") }
            }
        default: break
        }
    }

    /// What stands retained.
    var standing: String { String(decoding: retained[Topics().itemAlert("keys")]?.payload ?? [], as: UTF8.self) }

    /// The same as who drops what comes twice under one id sees it, whoever published it.
    var distinct: [String] {
        var ids: Set<String> = []
        return events.filter { ids.insert($0.id).inserted }
            .map { "\($0.kind) \($0.count.map { "\($0)" } ?? $0.reason ?? "")" }
    }

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
        var pair = WarningPair(repeating: .seconds(15))
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

    @Test("One that is killed amid its publishing leaves no alert without its event", arguments: ["ab", "ba"])
    func killed(order: String) {
        for second in 8...12 {
            for count in 0...4 {
                for rest in [1, 4, 11] {
                    var pair = WarningPair()
                    pair.order = order.map { "\($0)" }
                    pair.keys(in: "hall", 20)
                    pair.keys(in: "kitchen", second)
                    pair.cut["a"] = count
                    pair.keys(in: "kitchen", rest)
                    pair.cut["a"] = nil
                    pair.dead = ["a"]
                    pair.serve("b")
                    let story = "\(order), after \(second) s and \(count) messages, \(rest) s: \(pair.told)"
                    pair.keys(in: "kitchen", 20)
                    #expect(pair.unannounced.isEmpty, "\(story)")
                    #expect(pair.standing.contains("in_room-keys"), "\(story)")
                    pair.keys(in: "hall", 20)
                    #expect(pair.standing.isEmpty, "\(story)")
                    #expect(pair.distinct == ["alert 1", "cleared over"], "\(story)")
                }
            }
        }
    }

    @Test("What falls due, or is over, just as one hands over to the other is published", arguments: ["a", "b"])
    func ceded(first: String) {
        let next = first == "a" ? "b" : "a"
        for second in 8...13 {
            var pair = WarningPair()
            pair.serve(first)
            pair.keys(in: "hall", 20)
            pair.keys(in: "kitchen", second)
            pair.cede(to: next, in: "kitchen")
            pair.keys(in: "kitchen", 20)
            #expect(pair.unannounced.isEmpty, "ceded after \(second) s: \(pair.told)")
            #expect(pair.standing.contains("in_room-keys"), "ceded after \(second) s")
            #expect(pair.distinct == ["alert 1"], "ceded after \(second) s: \(pair.told)")
            // And back, as it ends.
            pair.keys(in: "hall", second - 8)
            pair.cede(to: first, in: "hall")
            pair.keys(in: "hall", 20)
            #expect(pair.distinct == ["alert 1", "cleared over"], "ceded after \(second) s: \(pair.told)")
            #expect(pair.unannounced.isEmpty && pair.standing.isEmpty, "ceded after \(second) s: \(pair.standing)")
        }
    }
}
