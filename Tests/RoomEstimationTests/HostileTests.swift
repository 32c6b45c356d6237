import Bytes
@testable import RoomEstimation
import Support
import Testing

@Suite("Hostile hops")
struct HostileTests {
    @Test("Drop levels that no radio reports, and nodes that do not exist")
    func numbers() {
        let end = Timestamp(microseconds: 5)
        let levels: [Double] = [.nan, .infinity, -.infinity, 1e308, -1e308, -128, 21, .signalingNaN]
        for level in levels {
            #expect(Hop(end: end, readings: [.init(node: 0, level: level, count: 1)]).readings.isEmpty)
        }
        for count in [0, -1, .min, .max] {
            #expect(Hop(end: end, readings: [.init(node: 0, level: -60, count: count)]).readings.isEmpty)
        }
        for node in [-1, .min, .max, NodeSet.highest + 1] {
            #expect(Hop(end: end, readings: [.init(node: node, level: -60, count: 1)]).readings.isEmpty)
        }
        var locator = Lines("kitchen -50\nhall -60").locator()
        let before = locator.answer
        let unknown = Hop(end: Timestamp(microseconds: 2_000_000_000), readings: [.init(node: 7, level: -1, count: 1)])
        #expect(locator.weigh(unknown).room == before.room)
    }

    @Test("Drop hops whose time does not advance")
    func timeGoingBack() {
        let lines = Lines("kitchen -50 -51 -50\nhall -60 -61 -60")
        var locator = lines.locator()
        let probabilities = locator.probabilities
        let away = Hop(end: lines.hops[1].end, readings: [.init(node: 1, level: -20, count: 1)])
        #expect(locator.weigh(away).room == 0)
        locator.weigh(lines.hops[2])
        #expect(locator.probabilities == probabilities)
    }

    @Test("Never trap on time that leaps to the ends of its range")
    func leaps() {
        let lines = Lines("kitchen -50\nhall -60")
        for leap: Int64 in [.max, .max - 1, 1 << 40] {
            var locator = Locator(house: lines.house)
            locator.weigh(Hop(end: Timestamp(microseconds: .min), readings: [.init(node: 0, level: -50, count: 1)]))
            let answer = locator.weigh(Hop(end: Timestamp(microseconds: leap)))
            #expect(answer.room == 0)
            #expect(answer.confidence.isFinite)
        }
    }

    @Test("Answer unknown in a house without rooms or nodes")
    func emptyHouse() {
        var locator = Locator(house: House())
        let answer = locator.weigh(
            Hop(end: Timestamp(microseconds: 1), readings: [.init(node: 0, level: -50, count: 1)]))
        #expect(answer.room == nil)
        #expect(answer.confidence == 0)
    }

    @Test("Never trap on twenty thousand seeded random hops, with lessons and without", arguments: [true, false])
    func random(taught: Bool) throws {
        var generator = SeededGenerator(seed: 11)
        var toy = ToyHouse(rooms: 3, nodesIn: [0, 1, 2], seed: 11)
        let lessons = taught ? TrainedModel([toy.stays([0, 1, 2], seconds: 20)], in: toy.house) : nil
        var locator = Locator(house: toy.house, lessons: lessons)
        var time: Int64 = 0
        for _ in 0..<20_000 {
            time &+= Int64.random(in: -3_000_000...9_000_000, using: &generator)
            var hop = Hop(end: Timestamp(microseconds: time))
            for _ in 0..<Int.random(in: 0..<4, using: &generator) {
                let level = Double(bitPattern: generator.next())
                let plain = Double.random(in: -130...25, using: &generator)
                hop.insert(
                    .init(
                        node: Int.random(in: -1...4, using: &generator),
                        level: Bool.random(using: &generator) ? level : plain,
                        count: Int.random(in: -1...5, using: &generator), expected: level))
            }
            let answer = locator.weigh(hop)
            #expect(answer.confidence >= 0 && answer.confidence <= 1)
        }
        #expect(abs(locator.probabilities.reduce(0, +) - 1) < 1e-9)
    }
}
