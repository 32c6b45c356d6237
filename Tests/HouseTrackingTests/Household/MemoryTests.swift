import Bytes
import HouseTracking
import WireProtocol
import Support
import Testing

/// The state of a household after its fuser was killed and started again.
@Suite struct MemoryTests {
    private static let atKitchen = [("kitchen", -50.0), ("hall", -75.0)]
    private static let atHall = [("kitchen", -75.0), ("hall", -50.0)]

    private func home(_ levels: [(String, Double)] = atKitchen, seconds: Int = 60) -> Home {
        var home = Home()
        home.run(seconds, levels)
        return home
    }

    @Test("Publish an unmoved item again after a restart, without an event", arguments: [1.0, 30, 86_400])
    func unmoved(pause: Double) throws {
        var home = home()
        let before = try #require(home.locations.last)
        home.restart(after: pause, with: home.record())
        #expect(home.household.isWaiting)
        home.run(30, Self.atKitchen)
        #expect(home.events.isEmpty && !home.household.isWaiting)
        let first = try #require(home.locations.first)
        #expect(first.room == "kitchen" && first.state == .present && first.since == before.since)
        #expect(home.occupancy["kitchen"] == ["keys"])
        #expect(home.stays.isEmpty, "its visit goes on")
    }

    @Test("Publish a move of the time between once, with its earliest time before the pause")
    func moved() throws {
        var home = home(Self.atKitchen + [], seconds: 60)
        home.run(60, Self.atHall)
        let stopped = home.now
        home.restart(after: 300, with: home.record())
        home.run(30, Self.atKitchen)
        let event = try #require(home.events.first)
        #expect(home.events.count == 1)
        #expect(event.kind == .moved && event.room == "kitchen" && event.previous == "hall" && event.itemSeq == 2)
        #expect(event.notBefore <= Home.time(stopped) && event.at > Home.time(stopped + 300))
        #expect(event.at < Home.time(stopped + 315))
        #expect(home.stays == ["keys kitchen \(event.at.seconds)"])
    }

    @Test("Publish a departure of the time between after the due silence, from the room of the last packet")
    func left() throws {
        var home = home()
        home.restart(after: 3600, with: home.record())
        // The first interval does not count: the received part of it is unknown.
        home.run(60, [])
        #expect(home.events.isEmpty)
        home.run(2, [])
        let event = try #require(home.events.first)
        #expect(event.kind == .left && event.notBefore == Home.time(1060) && event.at == Home.time(4721))
        #expect(home.stays == ["keys away 1060.0"])
        let id = event.id
        home.restart(after: 10, with: home.record())
        home.run(5, [])
        #expect(home.events.isEmpty && home.locations.map(\.state) == [.away])
        home.run(5, Self.atHall)
        let arrived = try #require(home.events.first)
        #expect(arrived.kind == .arrived && arrived.room == "hall" && arrived.itemSeq == 2)
        #expect(arrived.notBefore == Home.time(4737), "nobody heard it in the interval before")
        home.restart(after: 10, with: home.record())
        home.run(61, [])
        #expect(home.events.map(\.kind) == [.left] && home.events.first?.id != id, "another leaving, another name")
    }

    @Test("Date the earliest time of an arrival after a pause to its beginning")
    func arrivedMeanwhile() throws {
        var home = home()
        home.run(100, [])
        var record = home.record()
        record.at = Home.time(home.now)
        home.restart(after: 500, with: record)
        home.run(5, Self.atHall)
        let event = try #require(home.events.first)
        #expect(event.kind == .arrived && event.notBefore == Home.time(1160) && event.at >= Home.time(1661))
    }

    @Test(
        "Publish each move once, and no others, over kills every few seconds with a full store",
        arguments: 1...(LongProofs.areRequested ? 8 : 3))
    func killedAgainAndAgain(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var killed = Home()
        var told: [ItemEvent] = []
        var rooms: [(Int, [(String, Double)])] = []
        for stay in 0..<30 {
            rooms.append((Int.random(in: 20...90, using: &random), stay % 2 == 0 ? Self.atKitchen : Self.atHall))
        }
        var untilKill = 5
        var moves: [Double] = []
        for (seconds, levels) in rooms {
            moves.append(killed.now)
            for _ in 0..<seconds {
                let noisy = levels.compactMap { node, level in
                    Int.random(in: 0..<10, using: &random) == 0
                        ? nil : (node, (level + .random(in: -6...6, using: &random)).rounded())
                }
                killed.run(1, noisy)
                untilKill -= 1
                guard untilKill == 0 else { continue }
                untilKill = .random(in: 3...40, using: &random)
                told += killed.events
                killed.restart(after: 0, with: killed.record())
            }
        }
        told += killed.events
        #expect(told.map(\.room) == (1..<30).map { $0 % 2 == 0 ? "kitchen" : "hall" })
        #expect(told.map(\.itemSeq) == Array(1..<30))
        let late = zip(told, moves.dropFirst()).map { $0.at.seconds(since: Home.time($1)) }
        #expect(late.allSatisfy { (0...10).contains($0) }, "\(late)")
    }

    @Test("Keep keys on a hook between two nodes in their room over a restart")
    func restKept() {
        var random = SeededGenerator(seed: 9)
        var home = Home()
        let noisy = { () -> [(String, Double)] in
            [("kitchen", -68.0), ("hall", -70.0)].map { ($0.0, ($0.1 + .random(in: -5...5, using: &random)).rounded()) }
        }
        for _ in 0..<300 { home.run(1, noisy()) }
        for _ in 0..<20 {
            let before = home.events.count
            home.restart(after: 20, with: home.record())
            for _ in 0..<30 { home.run(1, noisy()) }
            #expect(home.events.count <= before)
            #expect(home.events.isEmpty)
        }
    }

    @Test("Give up restored answers, and end their visits, if no node publishes after a start")
    func giveUp() {
        var home = home()
        home.restart(after: 60, with: home.record())
        home.advance(to: home.now)
        #expect(home.lines.isEmpty)
        home.household.giveUp(at: Home.time(home.now)) { outcome in
            if case .location(let item, let location) = outcome { home.lines.append("\(item) \(location.placeText)") }
            if case .stay(let item, let room, let from, _) = outcome {
                home.stays.append("\(item) \(room ?? "?") \(from.seconds)")
            }
        }
        #expect(home.lines == ["keys unknown"] && home.stays == ["keys ? 1060.0"])
        home.run(5, Self.atHall)
        #expect(home.events.isEmpty, "it is determined anew")
    }

    @Test("Drop stored answers of a future time")
    func future() {
        var home = home()
        home.restart(after: -1000, with: home.record())
        home.run(20, Self.atHall)
        #expect(home.events.isEmpty && home.locations.last?.room == "hall")
    }

    @Test("Begin anew for an item in a removed room, and continue its count")
    func roomGone() {
        var home = home()
        home.run(60, Self.atHall)
        var record = home.record()
        record.nodes.removeAll { $0.id == "hall" }
        home.restart(after: 5, with: record, rooms: ["kitchen"])
        home.run(30, [("kitchen", -60)], listening: ["kitchen"])
        #expect(home.events.isEmpty && home.locations.last?.room == "kitchen")
        home.run(61, [], listening: ["kitchen"])
        #expect(home.events.map(\.itemSeq) == [2])
    }

    @Test("Drop a truncated or damaged row, and read the others")
    func mangled() {
        var random = SeededGenerator(seed: 3)
        let home = home()
        let record = home.record()
        let belief = record.items[0].belief
        #expect(belief.count > 50)
        for number in 0..<belief.count * 3 {
            var bytes = belief
            if number < belief.count {
                bytes = Array(bytes.prefix(number))
            } else {
                for _ in 0..<3 {
                    bytes[.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
                }
            }
            var mangled = record
            mangled.items[0].belief = bytes
            var next = home
            next.restart(after: 5, with: mangled)
            next.run(2, Self.atKitchen)
            let location = next.locations.last
            #expect(location.map { (0...1).contains($0.confidence) } ?? true)
            #expect(location?.rooms.allSatisfy { (0...1).contains($0.probability) } ?? true, "\(location!.rooms)")
        }
    }

    @Test("Return changed rows for storage, and unchanged ones seldom")
    func rows() {
        var home = Home()
        home.run(1, Self.atKitchen)
        home.run(1, Self.atHall, item: "cat")
        let first = home.household.takeRecord(at: Home.time(home.now))
        #expect(first.items.map(\.id) == ["keys", "cat"] && first.nodes.map(\.room) == ["hall", "kitchen"])
        var given: [String: Int] = [:]
        for _ in 0..<600 {
            home.run(1, Self.atKitchen)
            let record = home.household.takeRecord(at: Home.time(home.now))
            #expect(record.nodes.isEmpty)
            for item in record.items { given[item.id, default: 0] += 1 }
        }
        // The cat was silent for a minute, and has left; the keys lie in the kitchen.
        #expect((25...35).contains(given["cat"] ?? 0))
        #expect((20...60).contains(given["keys"] ?? 0), "\(given)")
        #expect(home.household.takeRecord(at: Home.time(home.now), isLast: true).items.count <= 1)
    }
}
