import Bytes
import Testing

@testable import RoomEstimation

@Suite("Fingerprints learned without lessons")
struct FingerprintsTests {
    private static let rooms = [0, 1, 2, 3, 2, 1, 0, 3, 1, 2]

    private static var without: Parameters {
        var parameters = Parameters()
        (parameters.fingerprints.share, parameters.fingerprints.leaving, parameters.fingerprints.doubt) = (0, 0, 0)
        return parameters
    }

    private static func toy(_ seed: UInt64) -> ToyHouse {
        var toy = ToyHouse(rooms: 4, nodesIn: [0, 1, 2, 3], seed: seed)
        toy.slope = 3
        return toy
    }

    /// The levels of each room, each a level a track.
    private static func known(_ locator: Locator) -> [[Fingerprints.Level]] {
        let fingerprints = locator.nearness.fingerprints
        return [Array(fingerprints.anywhere)]
            + locator.house.rooms.indices.map { Array(fingerprints.levels(in: $0)) }
    }

    private static func change(_ recording: Recording, _ body: (Hop.Reading) -> Hop.Reading?) -> Recording {
        let hops = recording.hops.map { Hop(end: $0.end, readings: $0.readings.compactMap(body)) }
        return Recording(hops: hops, rooms: recording.rooms)
    }

    /// The mean share of right answers over some seeds, in the second half of a recording.
    private static func right(_ parameters: Parameters, _ change: (Int, Hop.Reading) -> Hop.Reading?) -> Double {
        var sum = 0.0
        for seed in 1...6 as ClosedRange<UInt64> {
            var toy = Self.toy(seed)
            var locator = Locator(house: toy.house, parameters: parameters)
            let first = toy.stays(rooms + rooms + rooms, seconds: 40)
            for hop in Self.change(first, { change(0, $0) }).hops { locator.weigh(hop) }
            let second = toy.stays(rooms + rooms + rooms, seconds: 40, from: first.hops.count + 1)
            sum += accuracy(Self.change(second) { change(1, $0) }, locator) / 6
        }
        return sum
    }

    @Test("Answer better after an item's own way if neighbouring nodes receive nearly as well")
    func gain() {
        let (with, without) = (Self.right(Parameters()) { $1 }, Self.right(Self.without) { $1 })
        #expect(with > without + 0.01, "\(with) beside \(without)")
    }

    @Test("Mislead no answer by fingerprints if a node goes deaf, or is moved without notice")
    func faults() {
        func expectNoHarm(_ what: String, _ change: (Int, Hop.Reading) -> Hop.Reading?) {
            let (with, without) = (Self.right(Parameters(), change), Self.right(Self.without, change))
            #expect(with > without - 0.01, "\(what): \(with) beside \(without)")
        }
        expectNoHarm("deaf") { half, reading in half == 1 && reading.node == 1 ? nil : reading }
        expectNoHarm("moved") { half, reading in
            var reading = reading
            if half == 1 { reading.level += [0, -9, 0, 6][reading.node] }
            return reading
        }
    }

    @Test("Retain the fingerprints of other rooms over a day in one")
    func shelf() {
        func found(_ parameters: Parameters) -> Double {
            var toy = Self.toy(3)
            var locator = Locator(house: toy.house, parameters: parameters)
            let before = toy.stays(Self.rooms + Self.rooms, seconds: 40)
            for hop in before.hops { locator.weigh(hop) }
            for second in 0..<86_400 { locator.weigh(toy.hop(at: 5.5, second: before.hops.count + 1 + second)) }
            return accuracy(toy.stays(Self.rooms, seconds: 40, from: before.hops.count + 86_401), locator)
        }
        #expect(found(Parameters()) > found(Self.without))
    }

    @Test("List the votes of all nodes in a reason, with the odds of the hop as their sum")
    func reason() throws {
        var toy = Self.toy(7)
        var locator = Locator(house: toy.house)
        var others = 0
        for hop in toy.stays(Self.rooms + [1], seconds: 40).hops {
            locator.weigh(hop)
            let reason = locator.reason()
            let isOther = reason.votes.contains {
                $0.node != locator.answer.room && $0.node != reason.runnerUp && abs($0.nats) > 0.01
            }
            if isOther { others += 1 }
        }
        let reason = locator.reason()
        let (room, other) = (try #require(locator.answer.room), try #require(reason.runnerUp))
        let odds = locator.nearness.evidence[room] - locator.nearness.evidence[other]
        #expect(abs(reason.votes.reduce(0) { $0 + $1.nats } - odds) < 0.05)
        #expect(others > 40)
    }

    @Test("Learn a node in another room anew, and retain the others")
    func moved() throws {
        var toy = Self.toy(4)
        var locator = Locator(house: toy.house)
        for hop in toy.stays(Self.rooms, seconds: 40).hops { locator.weigh(hop) }
        let before = Self.known(locator)
        var house = toy.house
        house.addNode("node-1", room: 3)
        locator.update(house)
        let after = Self.known(locator)
        #expect(before.dropFirst().contains { !$0.isEmpty && $0[1].hops > 20 })
        for (one, other) in zip(before, after) where !one.isEmpty {
            #expect(other[1] == Fingerprints.Level())
            #expect([one[0], one[2], one[3]] == [other[0], other[2], other[3]])
        }
    }

    @Test("Keep a night in a corner out of the room's fingerprint")
    func night() {
        var toy = ToyHouse(rooms: 4, nodesIn: [0, 1, 2, 3], seed: 9)
        var locator = Locator(house: toy.house)
        for hop in toy.stays(Self.rooms + Self.rooms, seconds: 40).hops { locator.weigh(hop) }
        let before = Self.known(locator)[2].map(\.mean)
        for second in 801..<30_000 { locator.weigh(toy.hop(at: 4.6, second: second)) }
        let after = Self.known(locator)[2].map(\.mean)
        for (one, other) in zip(before, after) { #expect(abs(one - other) < 6, "\(before) beside \(after)") }
        for hop in toy.stays([2], seconds: 30, from: 30_000).hops { locator.weigh(hop) }
        for second in 30_030...30_090 { locator.weigh(toy.hop(at: 7, second: second)) }
        #expect(locator.answer.room == 1)
    }

    @Test("Use a node's former levels after an hour of deafness")
    func deaf() {
        var toy = Self.toy(10)
        var locator = Locator(house: toy.house)
        for hop in toy.stays(Self.rooms + Self.rooms, seconds: 40).hops { locator.weigh(hop) }
        let before = Self.known(locator)
        toy.dead = [1]
        let rooms = (0..<9).flatMap { _ in Self.rooms }
        for hop in toy.stays(rooms, seconds: 40, from: 801).hops { locator.weigh(hop) }
        for (one, other) in zip(before, Self.known(locator)) where !one.isEmpty {
            #expect(abs(one[1].mean - other[1].mean) < 4, "\(one) beside \(other)")
        }
    }

    @Test("Leave the rest unchanged by a late node, a removed node and a removed room")
    func bookkeeping() {
        func track(_ node: Int, _ level: Double) -> ProximityModel.Track {
            ProximityModel.Track(node: node, level: level, last: 1, now: level)
        }
        var fingerprints = Fingerprints(parameters: .init())
        let open = [true, true, true]
        fingerprints.insert(at: 0)
        for room in [2, 0] {
            let belief = (0..<3).map { $0 == room ? 1.0 : 0 }
            let tracks = [track(4, -60 - Double(room)), track(9, -70 - Double(room))]
            fingerprints.learn(tracks, belief, among: open, hops: 1)
        }
        fingerprints.learn([track(4, -61), track(9, -71)], [0, 0.9, 0.1], among: open, hops: 1)
        fingerprints.learn([track(4, -61), track(9, -71)], [0, 1, 0], among: [true, false, true], hops: 1)
        #expect(fingerprints.anywhere.map(\.mean) == [-61, -71] && fingerprints.anywhere.map(\.hops) == [4, 4])
        #expect(fingerprints.levels(in: 1).isEmpty, "nobody was sure, or no node of it ever heard the item")
        fingerprints.insert(at: 1)
        #expect(fingerprints.anywhere.map(\.mean) == [-61, 0, -71])
        #expect(fingerprints.levels(in: 2).map(\.mean) == [-62, 0, -72])
        #expect(fingerprints.levels(in: 0).map(\.mean) == [-60, 0, -70])
        fingerprints.remove(at: 0)
        fingerprints.forget(room: 2)
        #expect(fingerprints.levels(in: 2).isEmpty && fingerprints.levels(in: 0).map(\.mean) == [0, -70])
        var evidence = [0.0, 0, 0]
        fingerprints.add(to: &evidence, [track(7, -90), track(9, -70)], hops: 1)
        #expect(evidence[0] > 0 && evidence[1...].allSatisfy { $0 == 0 })
        var late = evidence
        fingerprints.add(to: &late, [track(7, -90), track(9, -70)], hops: 100)
        #expect(late == evidence, "what has heard nothing for long may be deaf")
        fingerprints.remove(at: 0)
        fingerprints.remove(at: 0)
        #expect(fingerprints.anywhere.isEmpty && fingerprints.levels(in: 0).isEmpty)
    }

    @Test("Learn no fingerprints beside lessons")
    func lessons() throws {
        var toy = Self.toy(5)
        let lessons = try #require(TrainedModel([toy.stays(Self.rooms, seconds: 40)], in: toy.house))
        var locator = Locator(house: toy.house)
        for hop in toy.stays(Self.rooms, seconds: 40).hops { locator.weigh(hop) }
        #expect(Self.known(locator).contains { !$0.isEmpty })
        locator.learn(like: Locator(house: toy.house, lessons: lessons), keepsTrust: true)
        for hop in toy.stays(Self.rooms, seconds: 40, from: 401).hops { locator.weigh(hop) }
        #expect(Self.known(locator).allSatisfy { $0.isEmpty })
    }

    @Test("Restore fingerprints after a restart, without impossible numbers and removed nodes")
    func kept() throws {
        var toy = Self.toy(6)
        var locator = Locator(house: toy.house)
        for hop in toy.stays(Self.rooms, seconds: 40).hops { locator.weigh(hop) }
        var record = try #require(locator.record)
        var next = Locator(house: toy.house)
        next.resume(record)
        #expect(Self.known(next) == Self.known(locator))
        // The nodes of the next run go by another order, and one of them is gone.
        var house = House()
        for room in 0..<4 { house.addRoom("room-\(room)") }
        for node in [3, 1, 0] { house.addNode("node-\(node)", room: node) }
        next = Locator(house: house)
        next.resume(record)
        for (one, other) in zip(Self.known(locator), Self.known(next)) where !one.isEmpty {
            #expect(other == [one[3], one[1], one[0]])
        }
        func isSound(_ level: Fingerprints.Level) -> Bool { level.mean.isFinite && (0...1200).contains(level.hops) }
        for bad in [.nan, .infinity, 1e30, -1e30] as [Float] {
            for room in record.rooms.indices {
                record.rooms[room].fingerprint = record.rooms[room].fingerprint.map { _ in .init(mean: bad, hops: 9) }
            }
            for node in record.nodes.indices { record.nodes[node].anywhere = .init(mean: -60, hops: bad) }
            next = Locator(house: toy.house)
            next.resume(record)
            #expect(Self.known(next).joined().allSatisfy(isSound))
            for hop in toy.stays([0, 1], seconds: 40, from: 401).hops { next.weigh(hop) }
            #expect(next.probabilities.allSatisfy { $0.isFinite })
        }
    }

    @Test("Use the fingerprints of an item that comes home, over a restart too")
    func away() throws {
        var toy = Self.toy(8)
        var locator = Locator(house: toy.house)
        for hop in toy.stays(Self.rooms + Self.rooms, seconds: 40).hops { locator.weigh(hop) }
        let before = Self.known(locator)
        locator.forget()
        #expect(Self.known(locator) == before && locator.answer == Answer())
        let use = toy.stays([2, 1, 3, 0], seconds: 40, from: 10_000)
        #expect(accuracy(use, locator) >= accuracy(use, Locator(house: toy.house)))
    }

    @Test("Store fingerprints in a row, and read no row of another version")
    func row() throws {
        var record = LocatorRecord(at: Timestamp(microseconds: 5_000_000))
        record.room = "hall"
        record.rooms = [
            .init(id: "hall", nearness: 0.5, taught: 0.75, fingerprint: [.init(mean: -61.5, hops: 9)])
        ]
        record.nodes = [
            .init(
                id: "door", heard: 1, mean: -60, level: -61, gap: 1, listened: 2, usual: -63, age: 4, settled: -60,
                settledHeard: 3, settledMissed: 0, anywhere: .init(mean: -64, hops: 20))
        ]
        var writer = RowWriter()
        record.write(to: &writer)
        let bytes = writer.bytes
        var reader = RowReader()
        #expect(LocatorRecord(&reader, bytes.span) == record)
        for count in 0..<bytes.count {
            let cut = Array(bytes.prefix(count))
            var reader = RowReader()
            #expect(LocatorRecord(&reader, cut.span) == nil)
        }
        reader = RowReader()
        let former = [4] + Array(bytes.dropFirst())
        #expect(LocatorRecord(&reader, former.span) == nil)
    }
}
