import Bytes
@testable import RoomEstimation
import Testing

@Suite("Nodes whose reception differs from that in the lessons")
struct RefinementTests {
    /// The rooms of a walk through the toy house.
    private static let rooms = [0, 1, 2, 3, 2, 1, 0, 3, 1, 2]

    private static var without: Parameters {
        var parameters = Parameters()
        parameters.refinement.variance = Parameters.tiny
        return parameters
    }

    private static func toy(_ seed: UInt64) -> ToyHouse { ToyHouse(rooms: 4, nodesIn: [0, 1, 2, 3], seed: seed) }

    /// The hops with each node at so many dB more.
    private static func changed(_ recording: Recording, by changes: [Double]) -> Recording {
        let hops = recording.hops.map { hop in
            Hop(
                end: hop.end,
                readings: hop.readings.map { reading in
                    var reading = reading
                    reading.level += changes[reading.node]
                    return reading
                })
        }
        return Recording(hops: hops, rooms: recording.rooms)
    }

    /// The stored deviations of each room.
    private static func deviations(_ refinement: ReceiverDrift) -> [[ReceiverDrift.Deviation]] {
        Set(rooms).sorted().map { refinement.deviations(in: $0) }
    }

    @Test(
        "Continue to use lessons with changed nodes, once the change is found",
        arguments: [[0, 10, 0, 0], [0, 0, -10, 0], [5, -4, -3, 6]])
    func changed(by changes: [Double]) throws {
        var (same, known, unknown) = (0.0, 0.0, 0.0)
        for seed in 1...6 as ClosedRange<UInt64> {
            var toy = Self.toy(seed)
            let lessons = try #require(TrainedModel([toy.stays(Self.rooms, seconds: 40)], in: toy.house))
            let use = toy.stays(Self.rooms + Self.rooms, seconds: 40)
            let changed = Self.changed(use, by: changes)
            same += accuracy(use, Locator(house: toy.house, lessons: lessons)) / 6
            known += accuracy(changed, Locator(house: toy.house, lessons: lessons)) / 6
            unknown += accuracy(changed, Locator(house: toy.house, lessons: lessons, parameters: Self.without)) / 6
        }
        #expect(known > unknown, "\(known) in place of \(unknown)")
        #expect(same - known < 0.6 * (same - unknown), "\(known) in place of \(unknown), unchanged \(same)")
    }

    @Test("Cost nothing if no node has changed")
    func unchanged() throws {
        var (with, without) = (0.0, 0.0)
        for seed in 1...8 as ClosedRange<UInt64> {
            var toy = Self.toy(seed)
            toy.lasting = 3
            let lessons = try #require(TrainedModel([toy.stays(Self.rooms, seconds: 40)], in: toy.house))
            let use = toy.stays(Self.rooms, seconds: 40)
            with += accuracy(use, Locator(house: toy.house, lessons: lessons)) / 8
            without += accuracy(use, Locator(house: toy.house, lessons: lessons, parameters: Self.without)) / 8
        }
        #expect(with > without - 0.005, "\(with) beside \(without)")
    }

    @Test("Keep lessons in place over an hour and a half on one shelf", arguments: [1, 2] as [UInt64])
    func shelf(seed: UInt64) throws {
        var toy = Self.toy(seed)
        let lessons = try #require(TrainedModel([toy.stays(Self.rooms, seconds: 40)], in: toy.house))
        var locator = Locator(house: toy.house, lessons: lessons)
        // A cupboard of steel in front of three of its walls: no lesson was given in it.
        let shut = Self.changed(
            Recording(hops: (1...5400).map { toy.hop(at: 5, second: $0) }, rooms: []), by: [-9, -2, -12, -6])
        for hop in shut.hops { locator.weigh(hop) }
        let offsets = try #require(locator.taught?.refinement.offsets)
        #expect(offsets.allSatisfy { abs($0) < 4 }, "\(offsets)")
        let use = toy.stays(Self.rooms + Self.rooms, seconds: 40, from: 5401)
        let fresh = accuracy(use, Locator(house: toy.house, lessons: lessons))
        #expect(accuracy(use, locator) > fresh - 0.02)
    }

    @Test("Learn nothing after two minutes of rest, even if its room is often mistaken for the next")
    func still() throws {
        func learned(_ parameters: Parameters) throws -> ReceiverDrift {
            var toy = Self.toy(7)
            (toy.slope, toy.noise) = (2, 4)
            let lessons = try #require(TrainedModel([toy.stays(Self.rooms, seconds: 40)], in: toy.house))
            var locator = Locator(house: toy.house, lessons: lessons, parameters: parameters)
            // Near a wall, and behind an obstacle that was behind no lesson.
            let shelf = Recording(hops: (1...4000).map { toy.hop(at: 7.6, second: $0) }, rooms: [])
            for hop in Self.changed(shelf, by: [6, -5, 4, -6]).hops { locator.weigh(hop) }
            return try #require(locator.taught?.refinement)
        }
        func weights(_ refinement: ReceiverDrift) -> [Float] {
            Self.deviations(refinement).flatMap { $0.map(\.weight) }
        }
        var always = Parameters()
        always.refinement.rest = .infinity
        let rested = try learned(Parameters())
        #expect(try #require(weights(rested).max()) < 12, "\(weights(rested))")
        #expect(try #require(weights(learned(always)).max()) > 25)
        for node in 0..<4 { #expect(rested.change(of: node) == nil) }
    }

    @Test("Learn nothing of the nodes in a room that the lessons do not cover")
    func elsewhere() throws {
        var toy = Self.toy(8)
        let lessons = try #require(TrainedModel([toy.stays([0, 1, 3, 1, 0, 3], seconds: 40)], in: toy.house))
        var locator = Locator(house: toy.house, lessons: lessons)
        for hop in toy.stays([2], seconds: 30).hops { locator.weigh(hop) }
        let before = try #require(locator.taught.map { Self.deviations($0.refinement) })
        #expect(locator.chanceElsewhere > 0.9)
        for hop in toy.stays([2], seconds: 300, from: 31).hops { locator.weigh(hop) }
        let after = try #require(locator.taught.map { Self.deviations($0.refinement) })
        let learned = zip(after.joined(), before.joined()).map { $0.weight - $1.weight }
        #expect(after.map(\.count) == before.map(\.count) && (learned.max() ?? 0) < 0.5, "\(learned)")
    }

    @Test("Weigh one room less than four that agree, for any length of stay")
    func rooms() throws {
        func offset(_ rooms: [Int], seconds: Int) throws -> Double {
            var toy = Self.toy(4)
            let lessons = try #require(TrainedModel([toy.stays(Self.rooms, seconds: 40)], in: toy.house))
            var locator = Locator(house: toy.house, lessons: lessons)
            for hop in Self.changed(toy.stays(rooms, seconds: seconds), by: [0, 0, -8, 0]).hops { locator.weigh(hop) }
            return try #require(locator.taught?.refinement.offsets[2])
        }
        let one = try offset([2], seconds: 1600)
        let four = try offset([0, 1, 2, 3, 2, 1, 0, 3], seconds: 200)
        #expect(four < one - 1, "\(four) beside \(one)")
        #expect(four > -8.5 && one < 0)
    }

    @Test("Ignore changes close to chance, and report none before it is sure")
    func sure() throws {
        var refinement = ReceiverDrift(nodes: 3, rooms: 4, parameters: .init())
        refinement.resume(.init(mean: 2, weight: 30), of: 0, in: 0)
        #expect(refinement.isIdle)
        refinement.resume(.init(mean: 7, weight: 99), of: 1, in: 0)
        #expect(refinement.offsets[0] == 0 && refinement.offsets[1] > 2 && !refinement.isIdle)
        #expect(refinement.change(of: 1) == nil)
        for room in 1...3 { refinement.resume(.init(mean: 7, weight: 30), of: 1, in: room) }
        #expect(try #require(refinement.change(of: 1)) > 4)
        for node in [0, 2] { #expect(refinement.change(of: node) == nil) }
    }

    @Test("Restore deviations after a restart, also of nodes without a room, without impossible numbers")
    func kept() throws {
        var toy = Self.toy(5)
        toy.house.addNode("corridor")
        toy.nodes.append(8)
        let lessons = try #require(TrainedModel([toy.stays(Self.rooms, seconds: 40)], in: toy.house))
        var locator = Locator(house: toy.house, lessons: lessons)
        for hop in Self.changed(toy.stays(Self.rooms, seconds: 40), by: [0, 9, 0, 0, 9]).hops { locator.weigh(hop) }
        var record = try #require(locator.record)
        var next = Locator(house: toy.house, lessons: lessons)
        next.resume(record)
        let (before, after) = (locator.taught?.refinement.offsets ?? [], next.taught?.refinement.offsets ?? [])
        #expect(before.count == 5 && after.count == 5 && before[1] > 3 && before[4] > 3)
        for (one, other) in zip(before, after) { #expect(abs(one - other) < 1e-3) }
        for (mean, weight) in [(Float.nan, 1), (1e30, 1), (3, -1), (3, .infinity), (3, .nan)] as [(Float, Float)] {
            for room in record.rooms.indices {
                record.rooms[room].deviations = record.rooms[room].deviations.map { _ in
                    .init(mean: mean, weight: weight)
                }
            }
            next = Locator(house: toy.house, lessons: lessons)
            next.resume(record)
            #expect(next.taught?.refinement.isIdle == true)
        }
    }

    @Test("Store deviations in a row")
    func row() throws {
        var record = LocatorRecord(at: Timestamp(microseconds: 5_000_000))
        record.room = "kitchen"
        record.taughtNodes = ["door"]
        record.rooms = [
            .init(id: "kitchen", nearness: 0.5, taught: 0.75, deviations: [.init(mean: 3.5, weight: 2)]),
            .init(id: "hall", nearness: 0.25, taught: 0.25),
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
    }

    @Test("Begin a new training with the lessons")
    func anew() throws {
        var toy = Self.toy(6)
        let lessons = try #require(TrainedModel([toy.stays(Self.rooms, seconds: 40)], in: toy.house))
        let blank = Locator(house: toy.house, lessons: lessons)
        var locator = blank
        for hop in Self.changed(toy.stays(Self.rooms, seconds: 40), by: [0, 9, 0, 0]).hops { locator.weigh(hop) }
        let known = try #require(locator.taught?.refinement.offsets)
        #expect(try #require(locator.change(of: 1)) > 3)
        locator.forget()
        #expect(locator.taught?.refinement.offsets == known, "who comes home finds the house as it was")
        locator.learn(like: blank, keepsTrust: true)
        #expect(locator.taught?.refinement.offsets == [0, 0, 0, 0])
    }
}
