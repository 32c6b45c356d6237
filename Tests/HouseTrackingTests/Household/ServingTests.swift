import HouseTracking
import WireProtocol
import Support
import Testing

/// Two fusers in one flat that receive the same windows and each other, and a reader of all they publish.
private struct Pair {
    var homes = ["a": Home(fuser: "a"), "b": Home(fuser: "b")]
    /// Those that neither receive nor publish anything.
    var dead: Set<String> = []
    /// The item's events at a reader, duplicates dropped by their ids.
    private(set) var events: [ItemEvent] = []
    private(set) var room: String?
    private var read = ["a": (0, 0), "b": (0, 0)]
    private(set) var now = 1000.0
    private var lastLife: [String: Double] = [:]

    init() { homes["b"]?.serve(ShardSet()) }

    mutating func serve(_ name: String) {
        let silences = dead.compactMapKeys { lastLife[$0].map(Home.time) }
        for (home, shards) in [(name, ShardSet.all), (name == "a" ? "b" : "a", ShardSet())] where !dead.contains(home) {
            homes[home]?.serve(shards, ends: silences)
        }
        spread()
    }

    /// It resumes, detects that it had stood still, and receives the broker's retained messages.
    mutating func revive(_ name: String) {
        dead.remove(name)
        homes[name]?.skip(to: now)
        homes[name]?.serve(ShardSet())
        if let last = homes[name == "a" ? "b" : "a"]?.locations.last {
            homes[name]?.household.receivePeerAnswer(last, of: "keys", at: Home.time(now))
        }
    }

    mutating func run(_ seconds: Int, kitchen: Double, hall: Double) {
        run(seconds, [("kitchen", kitchen), ("hall", hall)])
    }

    /// No packet of the item is received.
    mutating func silence(_ seconds: Int) { run(seconds, []) }

    private mutating func run(_ seconds: Int, _ levels: [(String, Double)]) {
        for _ in 0..<seconds {
            now += 1
            for name in homes.keys.sorted() where !dead.contains(name) {
                homes[name]?.run(1, levels, at: now)
                lastLife[name] = now
            }
            spread()
        }
    }

    /// Passes each one's publications to the other, and to the reader.
    private mutating func spread() {
        for name in ["a", "b"] {
            guard let home = homes[name], let (locations, told) = read[name] else { continue }
            let other = name == "a" ? "b" : "a"
            for location in home.locations[locations...] {
                room = location.word
                let time = Home.time(now)
                guard !dead.contains(other) else { continue }
                homes[other]?.note { household, body in
                    household.receivePeerAnswer(location, of: "keys", at: time, body)
                }
            }
            for event in home.events[told...] {
                if !events.contains(where: { $0.id == event.id }) { events.append(event) }
                if !dead.contains(other) { homes[other]?.household.receivePeerEvent(event, of: "keys") }
            }
            read[name] = (home.locations.count, home.events.count)
        }
    }
}

extension Set<String> {
    fileprivate func compactMapKeys<Value>(_ value: (String) -> Value?) -> [String: Value] {
        var values: [String: Value] = [:]
        for key in self { values[key] = value(key) }
        return values
    }
}

extension Home {
    fileprivate mutating func run(_ seconds: Int, _ levels: [(String, Double)], at end: Double) {
        skip(to: end - Double(seconds))
        run(seconds, levels)
    }
}

@Suite struct ServingTests {
    @Test("Publish nothing from a standby, which follows")
    func silent() throws {
        var pair = Pair()
        pair.run(20, kitchen: -50, hall: -75)
        pair.run(20, kitchen: -75, hall: -50)
        let b = try #require(pair.homes["b"])
        #expect(b.lines.isEmpty && b.occupancy.isEmpty)
        #expect(pair.events.map(\.room) == ["hall"] && pair.room == "hall")
    }

    @Test("Continue after a takeover with the same room, the same time and the next number")
    func goesOn() throws {
        var pair = Pair()
        pair.run(20, kitchen: -50, hall: -75)
        pair.run(20, kitchen: -75, hall: -50)
        let since = try #require(pair.homes["a"]?.locations.last?.since)
        pair.dead = ["a"]
        pair.run(10, kitchen: -75, hall: -50)
        pair.serve("b")
        let told = try #require(pair.homes["b"]?.locations.last)
        #expect(told.room == "hall" && told.since == since && told.previous == "kitchen" && told.fuser == "b")
        #expect(pair.homes["b"]?.occupancy["hall"] == ["keys"])
        #expect(pair.events.count == 1)
        pair.run(20, kitchen: -50, hall: -75)
        #expect(pair.events.map(\.room) == ["hall", "kitchen"])
        #expect(pair.events.map(\.itemSeq) == [1, 2])
    }

    @Test("Record the serving fuser's history at a standby, and continue it after a takeover")
    func history() throws {
        var pair = Pair()
        pair.run(20, kitchen: -50, hall: -75)
        pair.run(20, kitchen: -75, hall: -50)
        pair.silence(100)
        pair.run(20, kitchen: -50, hall: -75)
        let (a, b) = try (#require(pair.homes["a"]?.stays), #require(pair.homes["b"]?.stays))
        #expect(a == b && a.map { $0.split(separator: " ")[1] } == ["kitchen", "hall", "away", "kitchen"], "\(a) \(b)")
        pair.dead = ["a"]
        pair.run(20, kitchen: -75, hall: -50)
        pair.serve("b")
        #expect(pair.homes["b"]?.stays.last?.hasPrefix("keys hall") == true)
    }

    @Test("Publish a move once that the other had no time to publish")
    func missed() {
        var pair = Pair()
        pair.run(20, kitchen: -50, hall: -75)
        pair.dead = ["a"]
        pair.run(12, kitchen: -75, hall: -50)
        pair.serve("b")
        #expect(pair.events.map(\.room) == ["hall"] && pair.events.map(\.previous) == ["kitchen"])
        #expect(pair.room == "hall")
    }

    @Test("Repeat an answer that another fuser has overwritten")
    func contested() throws {
        var home = Home(fuser: "a")
        home.run(20, [("kitchen", -50), ("hall", -75)])
        var stale = try #require(home.locations.last)
        stale.fuser = "b"
        stale.room = "hall"
        let before = home.locations.count
        home.household.receivePeerAnswer(stale, of: "keys", at: Home.time(1020))
        home.note { household, body in household.repeatContested(at: Home.time(1021), body) }
        #expect(home.locations.count == before + 1 && home.locations.last?.room == "kitchen")
        home.note { household, body in household.repeatContested(at: Home.time(1022), body) }
        #expect(home.locations.count == before + 1)
    }

    @Test("Retain an item that only the other fuser knew")
    func handedDown() throws {
        var home = Home(fuser: "b")
        home.serve(ShardSet())
        var word = Location(
            fuser: "a", state: .present, room: "hall", confidence: 0.9, since: Home.time(500), previous: "kitchen",
            at: Home.time(990))
        word.fuser = "a"
        home.household.receivePeerAnswer(word, of: "ring", at: Home.time(1000))
        home.skip(to: 1001)
        home.serve(.all)
        let told = try #require(home.locations.last)
        #expect(told.room == "hall" && told.since == Home.time(500) && told.fuser == "b")
        #expect(home.occupancy == ["hall": ["ring"]])
        // It was never received here: it leaves in its time, like any item that has fallen silent.
        home.run(70, [])
        #expect(home.events.map(\.kind) == [.left])
    }

    @Test(
        "Publish consecutive moves, none twice and none missing, over fifty changes at seeded moments")
    func fifty() {
        var generator = SeededGenerator(seed: 7)
        var pair = Pair()
        var serving = "a"
        var isInKitchen = true
        var truth = 0
        for _ in 0..<50 {
            for _ in 0..<3 {
                let stay = Int.random(in: 5...40, using: &generator)
                pair.run(stay, kitchen: isInKitchen ? -50 : -75, hall: isInKitchen ? -75 : -50)
                isInKitchen.toggle()
                truth += 1
            }
            // It dies at some moment, and the other takes over ten seconds later.
            pair.run(
                .random(in: 0...6, using: &generator), kitchen: isInKitchen ? -50 : -75, hall: isInKitchen ? -75 : -50)
            pair.dead = [serving]
            pair.run(10, kitchen: isInKitchen ? -50 : -75, hall: isInKitchen ? -75 : -50)
            let other = serving == "a" ? "b" : "a"
            pair.serve(other)
            pair.run(
                .random(in: 0...30, using: &generator), kitchen: isInKitchen ? -50 : -75, hall: isInKitchen ? -75 : -50)
            // It comes back, follows, and takes over again if it has the lower name.
            pair.revive(serving)
            serving = other
            pair.run(10, kitchen: isInKitchen ? -50 : -75, hall: isInKitchen ? -75 : -50)
            if serving == "b", Bool.random(using: &generator) {
                pair.serve("a")
                serving = "a"
            }
        }
        #expect(pair.room == (isInKitchen ? "kitchen" : "hall"))
        let chain = pair.events.map { ($0.previous ?? "-", $0.room ?? "-") }
        for (one, next) in zip(chain, chain.dropFirst()) { #expect(one.1 == next.0, "\(chain)") }
        #expect(pair.events.count == truth, "\(pair.events.count) of \(truth)")
        #expect(pair.events.map(\.itemSeq) == (1...UInt64(truth)).map { $0 })
    }
}
