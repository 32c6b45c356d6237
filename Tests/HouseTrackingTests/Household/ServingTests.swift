import Bytes
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
    /// One in so many answers is lost on its way from one to the other; events are not.
    private let lossOfAnswers: Int?
    private var generator = SeededGenerator(seed: 8)

    init(lossOfAnswers: Int? = nil) {
        self.lossOfAnswers = lossOfAnswers
        homes["b"]?.serve(ShardSet())
    }

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
                room = location.placeText
                let time = Home.time(now)
                guard !dead.contains(other), !isLost() else { continue }
                homes[other]?.note { household, body in
                    household.receivePeerAnswer(location, of: "keys", at: time, body)
                }
            }
            for event in home.events[told...] {
                if !events.contains(where: { $0.id == event.id }) { events.append(event) }
                let time = Home.time(now)
                guard !dead.contains(other) else { continue }
                homes[other]?.note { household, body in
                    household.receivePeerEvent(event, of: "keys", at: time, body)
                }
            }
            read[name] = (home.locations.count, home.events.count)
        }
    }

    private mutating func isLost() -> Bool {
        lossOfAnswers.map { Int.random(in: 1...$0, using: &generator) == 1 } ?? false
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

    @Test("Continue from the own last answer where nobody served for a while, however often the item has moved")
    func nobody() throws {
        var home = Home(fuser: "a")
        home.run(20, [("kitchen", -50), ("hall", -75)])
        home.serve(ShardSet())
        for _ in 1...3 {
            home.run(20, [("kitchen", -75), ("hall", -50)])
            home.run(20, [("kitchen", -50), ("hall", -75)])
        }
        home.run(20, [("kitchen", -75), ("hall", -50)])
        #expect(home.events.isEmpty)
        home.serve(.all)
        #expect(home.locations.last?.room == "hall")
        #expect(home.events.map(\.previous) == ["kitchen"] && home.events.map(\.room) == ["hall"])
        #expect(home.events.map(\.itemSeq) == [1])
    }

    /// A follower that saw the keys go to the hall, and received these answers of a fuser that died a moment later: the room, the
    /// number, and the seconds before now since which it holds.
    private static func follower(of answers: [(room: String, number: UInt64, seconds: Double)]) throws -> Home {
        var home = Home(fuser: "b")
        home.run(20, [("kitchen", -50), ("hall", -75)])
        var answer = try #require(home.locations.last)
        home.serve(ShardSet())
        home.run(12, [("kitchen", -75), ("hall", -50)])
        let time = Home.time(home.now)
        answer.fuser = "a"
        for (room, number, seconds) in answers {
            (answer.room, answer.itemSeq, answer.at) = (room, number, time)
            answer.since = Home.time(home.now - seconds)
            home.household.receivePeerAnswer(answer, of: "keys", at: time)
        }
        home.serve(.all, ends: ["a": time])
        #expect(home.locations.last?.room == "hall")
        return home
    }

    @Test("Publish no move of an item that was elsewhere meanwhile, and never said to be")
    func elsewhereMeanwhile() throws {
        let home = try Self.follower(of: [("hall", 1, 30), ("hall", 1, 2)])
        #expect(home.events.isEmpty && home.locations.last?.itemSeq == 1)
        let moved = try Self.follower(of: [("kitchen", 0, 30), ("hall", 1, 2)])
        #expect(moved.events.map(\.previous) == ["kitchen"] && moved.events.map(\.itemSeq) == [1])
    }

    @Test("Leave a move to the other's state where its former place is not known")
    func unknownFormerPlace() throws {
        let home = try Self.follower(of: [("hall", 7, 2)])
        #expect(home.events.isEmpty && home.locations.last?.itemSeq == 7)
    }

    /// A fuser whose keys were carried from the kitchen to the hall, another one with these nodes that follows it, and the answers
    /// of the first before and after.
    private static func carried(
        _ nodes: [String] = ["kitchen", "hall"]
    ) throws -> (a: Home, b: Home, first: Location, second: Location) {
        var (a, b) = (Home(fuser: "a"), Home(nodes, fuser: "b"))
        b.serve(ShardSet())
        a.run(20, [("kitchen", -50), ("hall", -75)])
        let first = try #require(a.locations.last)
        a.run(20, [("kitchen", -75), ("hall", -50)])
        let second = try #require(a.locations.last)
        #expect(first.room == "kitchen" && second.room == "hall" && second.itemSeq == 1)
        b.skip(to: a.now)
        return (a, b, first, second)
    }

    @Test("Leave out an answer from before the one that stands, which a broker delivers late")
    func late() throws {
        var (a, b, first, second) = try Self.carried()
        for location in [second, first] { b.household.receivePeerAnswer(location, of: "keys", at: Home.time(b.now)) }
        b.serve(.all)
        b.run(20, [("kitchen", -50), ("hall", -75)])
        #expect(b.events.map(\.previous) == ["hall"] && b.events.map(\.itemSeq) == [2])
        // The same of its own: what another said before is not where it goes on.
        a.serve(ShardSet())
        var late = first
        late.fuser = "c"
        a.household.receivePeerAnswer(late, of: "keys", at: Home.time(a.now))
        a.serve(.all)
        a.run(20, [("kitchen", -50), ("hall", -75)])
        #expect(a.events.map(\.previous) == ["kitchen", "hall"])
    }

    @Test("Leave out an old answer that a fuser repeats which takes over and has not received the last one")
    func repeated() throws {
        var (_, b, first, second) = try Self.carried()
        b.skip(to: b.now + 2)
        var old = first
        (old.fuser, old.at) = ("c", Home.time(b.now))
        for location in [first, second, old] {
            b.household.receivePeerAnswer(location, of: "keys", at: Home.time(b.now))
        }
        #expect(b.household.publishingPeer(of: "keys") == "a")
        b.serve(.all)
        b.run(20, [("kitchen", -50), ("hall", -75)])
        #expect(b.events.map(\.previous) == ["hall"] && b.events.map(\.itemSeq) == [2])
    }

    @Test("Leave out an answer from before a restart that is older than what the record tells")
    func lateAfterRestart() throws {
        var (a, b) = (Home(fuser: "a"), Home(fuser: "b"))
        b.serve(ShardSet())
        var answers: [Location] = []
        for levels in [(-50.0, -75.0), (-75, -50), (-50, -75)] {
            a.run(20, [("kitchen", levels.0), ("hall", levels.1)])
            answers.append(try #require(a.locations.last))
        }
        #expect(answers.map(\.room) == ["kitchen", "hall", "kitchen"] && answers.map(\.itemSeq) == [0, 1, 2])
        b.skip(to: a.now)
        for answer in answers { b.household.receivePeerAnswer(answer, of: "keys", at: Home.time(b.now)) }
        // The row of the last answer is due by itself.
        let record = b.household.takeRecord(at: Home.time(b.now))
        #expect(record.items.map(\.events) == [2])
        b.restart(after: 2, with: record)
        b.serve(ShardSet())
        b.household.receivePeerAnswer(answers[1], of: "keys", at: Home.time(b.now))
        #expect(b.household.publishingPeer(of: "keys") == nil)
        // One that has lost its numbers counts again from the start of the run on.
        var anew = answers[1]
        (anew.since, anew.at) = (Home.time(b.now), Home.time(b.now))
        b.household.receivePeerAnswer(anew, of: "keys", at: Home.time(b.now))
        #expect(b.household.publishingPeer(of: "keys") == "a")
    }

    @Test("Continue from another fuser's event whose answer was not received")
    func eventAlone() throws {
        var (a, b, first, answer) = try Self.carried()
        let move = try #require(a.events.last)
        #expect(move.room == "hall" && answer.since == move.at)
        let now = Home.time(b.now)
        b.household.receivePeerAnswer(first, of: "keys", at: now)
        b.note { household, body in household.receivePeerEvent(move, of: "keys", at: now, body) }
        #expect(b.stays == ["keys hall \(move.at.seconds)"])
        // The answer of before is late, and the answer of the move itself is no news.
        for late in [first, answer] {
            b.note { household, body in household.receivePeerAnswer(late, of: "keys", at: now, body) }
        }
        #expect(b.stays.count == 1)
        b.serve(.all)
        #expect(b.locations.last?.room == "hall" && b.locations.last?.since == move.at)
        b.run(20, [("kitchen", -50), ("hall", -75)])
        #expect(b.events.map(\.previous) == ["hall"] && b.events.map(\.itemSeq) == [2])
        #expect(
            b.events.map(\.id) == [ItemEvent.id(item: "keys", kind: .moved, room: "kitchen", ending: move.at)])
    }

    @Test("Leave out an event from before the answer that stands, which a broker delivers late")
    func lateEvent() throws {
        var (a, b) = (Home(fuser: "a"), Home(fuser: "b"))
        b.serve(ShardSet())
        a.run(20, [("kitchen", -50), ("hall", -75)])
        a.run(20, [("kitchen", -75), ("hall", -50)])
        let early = try #require(a.events.last)
        a.run(20, [("kitchen", -50), ("hall", -75)])
        b.skip(to: a.now)
        let now = Home.time(b.now)
        b.household.receivePeerAnswer(try #require(a.locations.last), of: "keys", at: now)
        b.note { household, body in household.receivePeerEvent(early, of: "keys", at: now, body) }
        b.serve(.all)
        #expect(b.locations.last?.room == "kitchen" && b.locations.last?.itemSeq == 2)
    }

    /// Fuser b, which has taken over from another that published nothing, while the keys lie in the kitchen.
    private static func takenOver() -> Home {
        var home = Home(fuser: "b")
        home.serve(ShardSet())
        home.run(20, [("kitchen", -50), ("hall", -75)])
        home.serve(.all)
        return home
    }

    @Test("Lead back from moves of another fuser that arrive late, to where the item is, once")
    func lateMoves() throws {
        var home = Self.takenOver()
        home.run(5, [("kitchen", -50), ("hall", -75)])
        func hear(_ room: String?, from previous: String?, seq: UInt64, at seconds: Double) {
            let time = Home.time(seconds)
            let event = ItemEvent(
                fuser: "a", epoch: "e", seq: seq, itemSeq: seq, id: "id-\(seq)", at: time, notBefore: time,
                kind: room == nil ? .left : .moved, room: room, previous: previous)
            let now = Home.time(home.now)
            home.note { household, body in household.receivePeerEvent(event, of: "keys", at: now, body) }
        }
        func settle() {
            home.skip(to: home.now + 1)
            let now = Home.time(home.now)
            home.note { household, body in household.repeatOverwritten(at: now, beside: [:], body) }
        }
        hear("hall", from: "kitchen", seq: 1, at: 1010)
        hear(nil, from: "hall", seq: 2, at: 1011)
        #expect(home.events.isEmpty)
        settle()
        #expect(home.events.map(\.kind) == [.arrived] && home.events.map(\.room) == ["kitchen"])
        #expect(home.events.map(\.itemSeq) == [3] && home.occupancy["kitchen"] == ["keys"])
        #expect(
            home.events.map(\.id) == [
                ItemEvent.id(item: "keys", kind: .arrived, room: "kitchen", ending: Home.time(1011))
            ])
        #expect(home.locations.last?.room == "kitchen" && home.locations.last?.since == Home.time(home.now))
        settle()
        // One that leads to where the item is needs nothing.
        hear("kitchen", from: "hall", seq: 4, at: 1012)
        settle()
        #expect(home.events.count == 1)
        home.run(20, [("kitchen", -75), ("hall", -50)])
        #expect(home.events.map(\.previous) == [nil, "kitchen"] && home.events.map(\.itemSeq) == [3, 5])
        // An own move that is found before goes on from it, or is that move.
        hear("kitchen", from: "hall", seq: 6, at: 1013)
        home.run(20, [("kitchen", -50), ("hall", -75)])
        settle()
        #expect(home.events.count == 2 && home.locations.last?.room == "kitchen")
        hear(nil, from: "kitchen", seq: 7, at: 1014)
        home.run(20, [("kitchen", -75), ("hall", -50)])
        settle()
        #expect(home.events.count == 3 && home.events[2].kind == .arrived && home.events[2].itemSeq == 8)
    }

    @Test("Continue from an answer whose room a node named later")
    func namedLater() throws {
        var (_, b, first, second) = try Self.carried(["kitchen"])
        for location in [first, second] { b.household.receivePeerAnswer(location, of: "keys", at: Home.time(b.now)) }
        var unnamed = b
        b.household.receive(Home.info("hall"), of: "hall")
        b.serve(.all)
        #expect(b.locations.last?.room == "hall" && b.locations.last?.since == second.since)
        b.run(20, [("kitchen", -50), ("hall", -75)])
        #expect(b.events.map(\.previous) == ["hall"] && b.events.map(\.itemSeq) == [2])
        // Nobody needs to name it.
        unnamed.serve(.all)
        #expect(unnamed.locations.last?.room == "hall" && unnamed.locations.last?.since == second.since)
        unnamed.run(20, [("kitchen", -50)])
        #expect(unnamed.events.map(\.previous) == ["hall"] && unnamed.events.map(\.itemSeq) == [2])
    }

    @Test("Continue from a room that no node has named here, and not from the own answer of before")
    func unnamed() throws {
        var (a, b) = (Home(fuser: "a"), Home(["kitchen", "attic"], fuser: "b"))
        b.run(20, [("kitchen", -50), ("attic", -75)])
        #expect(b.locations.last?.room == "kitchen")
        b.serve(ShardSet())
        a.run(20, [("hall", -50)])
        a.run(20, [("kitchen", -50), ("hall", -75)])
        a.run(20, [("kitchen", -75), ("hall", -50)])
        let answer = try #require(a.locations.last)
        #expect(answer.room == "hall")
        b.skip(to: a.now)
        b.household.receivePeerAnswer(answer, of: "keys", at: Home.time(b.now))
        let count = b.locations.count
        b.serve(.all)
        #expect(b.locations.dropFirst(count).map(\.room) == ["hall"])
        b.run(20, [("kitchen", -75), ("attic", -50)])
        #expect(b.events.last?.previous == "hall" && b.events.last?.room == "attic")
        #expect(b.household.hasRoom("hall"))
        // The room goes when nothing is known of it any more.
        b.run(20, [("kitchen", -50), ("attic", -75)])
        #expect(b.events.last?.previous == "attic" && !b.household.hasRoom("hall"))
    }

    @Test("Lead back from a move whose answer arrives before its event, long after the takeover")
    func lateAnswer() throws {
        var (a, b) = (Home(fuser: "a"), Home(fuser: "b"))
        b.serve(ShardSet())
        a.run(20, [("kitchen", -50), ("hall", -75)])
        let first = try #require(a.locations.last)
        a.run(10, [("kitchen", -75), ("hall", -50)])
        let (move, answer) = try (#require(a.events.last), #require(a.locations.last))
        b.run(20, [("kitchen", -50), ("hall", -75)])
        b.household.receivePeerAnswer(first, of: "keys", at: Home.time(b.now))
        b.skip(to: a.now + 1)
        b.serve(.all)
        b.run(10, [("kitchen", -50), ("hall", -75)])
        #expect(b.events.isEmpty && b.locations.last?.room == "kitchen")
        let now = Home.time(b.now)
        b.note { household, body in household.receivePeerAnswer(answer, of: "keys", at: now, body) }
        b.note { household, body in household.receivePeerEvent(move, of: "keys", at: now, body) }
        b.note { household, body in household.repeatOverwritten(at: now, beside: [:], body) }
        #expect(b.events.map(\.room) == ["kitchen"] && b.events.map(\.previous) == ["hall"])
        #expect(b.events.map(\.itemSeq) == [move.itemSeq + 1])
        b.note { household, body in household.repeatOverwritten(at: now, beside: [:], body) }
        #expect(b.events.count == 1)
    }

    @Test(
        "Lead back from a move that another fuser decides after the takeover, once it can't answer any more",
        arguments: [2.0, 30])
    func overlap(after seconds: Double) throws {
        var home = Self.takenOver()
        let time = Home.time(home.now + seconds)
        home.run(Int(seconds) + 1, [("kitchen", -50), ("hall", -75)])
        let event = ItemEvent(
            fuser: "a", epoch: "e", seq: 1, itemSeq: 1, id: "id", at: time, notBefore: time, kind: .moved, room: "hall",
            previous: "kitchen")
        let now = Home.time(home.now)
        home.note { household, body in household.receivePeerEvent(event, of: "keys", at: now, body) }
        func settle(_ peers: [String: ShardSet]) {
            home.note { household, body in household.repeatOverwritten(at: now, beside: peers, body) }
        }
        // One that still serves half a minute later takes itself for the publisher: answers alone are repeated.
        settle(["a": .all])
        #expect(home.events.map(\.previous) == (seconds < 9 ? ["hall"] : []))
        #expect(home.locations.last?.room == "kitchen" && home.locations.last?.itemSeq == (seconds < 9 ? 2 : 1))
        settle(["a": ShardSet(), "c": .all])
        settle([:])
        #expect(home.events.map(\.previous) == ["hall"] && home.events.map(\.room) == ["kitchen"])
        #expect(home.events.map(\.itemSeq) == [2] && home.locations.last?.itemSeq == 2)
    }

    @Test("Go on from the move of another fuser that serves the item as well, with an id of its own")
    func disputedMove() throws {
        var home = Self.takenOver()
        home.run(30, [("kitchen", -50), ("hall", -75)])
        let now = Home.time(home.now)
        let event = ItemEvent(
            fuser: "a", epoch: "e", seq: 1, itemSeq: 1, id: "id", at: now, notBefore: now, kind: .moved, room: "attic",
            previous: "kitchen")
        home.note { household, body in
            household.receivePeerEvent(event, of: "keys", at: now, body)
            household.repeatOverwritten(at: now, beside: ["a": .all], body)
        }
        #expect(home.events.isEmpty)
        home.run(20, [("kitchen", -75), ("hall", -50)])
        #expect(home.events.map(\.previous) == ["attic"] && home.events.map(\.room) == ["hall"])
        #expect(home.events.map(\.id) == [ItemEvent.id(item: "keys", kind: .moved, room: "hall", ending: now)])
    }

    @Test("Adopt a move of before the takeover that comes late, unless packets since then say otherwise")
    func missedMove() throws {
        let home = Self.takenOver()
        let tookOver = home.now
        func hear(_ home: inout Home, _ room: String?) {
            let time = Home.time(tookOver - 1)
            var event = ItemEvent(
                fuser: "a", epoch: "e", seq: 1, itemSeq: 1, id: "id", at: time, notBefore: time,
                kind: room == nil ? .left : .moved, room: room, previous: "kitchen")
            event.isReplayed = true
            let now = Home.time(home.now)
            home.note { household, body in
                household.receivePeerEvent(event, of: "keys", at: now, body)
                household.repeatOverwritten(at: now, beside: [:], body)
            }
        }
        for room in ["hall", nil] {
            var silent = home
            silent.skip(to: tookOver + 8)
            hear(&silent, room)
            #expect(silent.events.isEmpty)
            #expect(silent.locations.last?.room == room && silent.locations.last?.itemSeq == 1)
            #expect(silent.stays.last?.hasPrefix("keys \(room ?? "away")") == true)
            // One that this fuser has moved since is led back.
            var moved = home
            moved.run(20, [("kitchen", -75), ("hall", -50)])
            #expect(moved.events.map(\.room) == ["hall"])
            hear(&moved, room)
            #expect(moved.locations.last?.room == "hall")
        }
        var heard = home
        heard.run(8, [("kitchen", -50), ("hall", -75)])
        hear(&heard, "hall")
        #expect(heard.events.map(\.previous) == ["hall"] && heard.locations.last?.room == "kitchen")
    }

    @Test("Name each of several moves that the other could not publish by the answer that it ends")
    func severalMissed() throws {
        var pair = Pair()
        pair.run(20, kitchen: -50, hall: -75)
        pair.dead = ["a"]
        pair.run(20, kitchen: -75, hall: -50)
        pair.run(20, kitchen: -50, hall: -75)
        pair.run(20, kitchen: -75, hall: -50)
        pair.serve("b")
        pair.run(20, kitchen: -50, hall: -75)
        let events = try #require(pair.homes["b"]?.events)
        #expect(events.map(\.room) == ["hall", "kitchen", "hall", "kitchen"])
        #expect(Set(events.map(\.id)).count == 4)
        let ids = events.indices.dropFirst().map { index in
            ItemEvent.id(item: "keys", kind: .moved, room: events[index].room, ending: events[index - 1].at)
        }
        #expect(events.dropFirst().map(\.id) == ids)
    }

    @Test("Follow the last move of the fuser before, which arrives after the takeover", arguments: [false, true])
    func lastMove(isLost: Bool) throws {
        var home = Home(fuser: "b")
        home.run(20, [("kitchen", -50), ("hall", -75)])
        home.serve(ShardSet())
        var answer = try #require(home.locations.last)
        (answer.fuser, answer.at) = ("a", Home.time(home.now + 0.2))
        let first = answer
        home.note { household, body in
            household.receivePeerAnswer(first, of: "keys", at: Home.time(1020.3), body)
        }
        home.run(1, [("kitchen", -75), ("hall", -50)])
        home.skip(to: home.now + 0.25)
        home.serve(.all)
        let time = Home.time(1021)
        let move = ItemEvent(
            fuser: "a", epoch: "e", seq: 1, itemSeq: 1, id: "id", at: time, notBefore: time, kind: .moved, room: "hall",
            previous: "kitchen")
        let last = Location(after: move, confidence: 0.9)
        home.note { household, body in
            if !isLost { household.receivePeerAnswer(last, of: "keys", at: Home.time(1021.29), body) }
            household.receivePeerEvent(move, of: "keys", at: Home.time(1021.44), body)
            household.repeatOverwritten(at: Home.time(1022.25), beside: [:], body)
        }
        #expect(home.locations.last?.room == "hall" && home.locations.last?.itemSeq == 1 && home.events.isEmpty)
    }

    @Test("Continue from another's move that this fuser learned of as it ceased to publish")
    func crossedMove() throws {
        var home = Home(fuser: "b")
        home.run(20, [("kitchen", -50), ("hall", -75)])
        // The other one publishes the item as well, and this one repeats its own answer after the other's move.
        var answer = try #require(home.locations.last)
        (answer.fuser, answer.at) = ("a", Home.time(home.now - 1))
        let (now, time) = (Home.time(home.now), Home.time(home.now - 0.5))
        let move = ItemEvent(
            fuser: "a", epoch: "e", seq: 1, itemSeq: 1, id: "id", at: time, notBefore: time, kind: .moved, room: "hall",
            previous: "kitchen")
        home.note { household, body in
            household.receivePeerAnswer(answer, of: "keys", at: now, body)
            household.repeatOverwritten(at: now, beside: [:], body)
            household.receivePeerEvent(move, of: "keys", at: now, body)
        }
        #expect(home.locations.last?.at == now && home.locations.last?.itemSeq == 0)
        home.serve(ShardSet())
        home.serve(.all)
        #expect(home.locations.last?.room == "hall" && home.locations.last?.itemSeq == 1 && home.events.isEmpty)
    }

    @Test("Take a move whose number is below that of an alert which is known")
    func moveBehindAlert() throws {
        var (a, b, first, _) = try Self.carried()
        let move = try #require(a.events.last)
        let now = Home.time(b.now)
        b.household.receivePeerAnswer(first, of: "keys", at: now)
        var alert = move
        (alert.kind, alert.itemSeq, alert.seq, alert.alert) = (.alert, 2, 2, "left_home-keys")
        b.note { household, body in
            household.receivePeerEvent(alert, of: "keys", at: now, body)
            household.receivePeerEvent(move, of: "keys", at: now, body)
        }
        b.serve(.all)
        #expect(b.locations.last?.room == "hall" && b.locations.last?.itemSeq == 2)
    }

    @Test("Continue from the own last answer after the item was not followed for a while")
    func unfollowed() throws {
        var home = Home(fuser: "a")
        home.run(20, [("kitchen", -50), ("hall", -75)])
        let since = try #require(home.locations.last?.since)
        home.serve(ShardSet())
        let now = Home.time(home.now)
        home.household.followShards(ShardSet(), at: now)
        home.household.followShards(.all, at: now)
        home.serve(.all)
        #expect(home.locations.last?.room == "kitchen" && home.locations.last?.since == since)
        home.run(30, [("kitchen", -75), ("hall", -50)])
        #expect(home.events.map(\.previous) == ["kitchen"] && home.events.map(\.itemSeq) == [1])
    }

    @Test("Repeat an answer that another fuser has overwritten")
    func overwritten() throws {
        var home = Home(fuser: "a")
        home.run(20, [("kitchen", -50), ("hall", -75)])
        var stale = try #require(home.locations.last)
        stale.fuser = "b"
        stale.room = "hall"
        let before = home.locations.count
        home.household.receivePeerAnswer(stale, of: "keys", at: Home.time(1020))
        home.note { household, body in household.repeatOverwritten(at: Home.time(1021), beside: [:], body) }
        #expect(home.locations.count == before + 1 && home.locations.last?.room == "kitchen")
        home.note { household, body in household.repeatOverwritten(at: Home.time(1022), beside: [:], body) }
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
        "Publish consecutive moves, none twice and none missing, over fifty changes at seeded moments",
        arguments: [nil, 2])
    func fifty(lossOfAnswers: Int?) {
        var generator = SeededGenerator(seed: 7)
        var pair = Pair(lossOfAnswers: lossOfAnswers)
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
