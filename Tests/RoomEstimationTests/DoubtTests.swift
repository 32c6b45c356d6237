import Bytes
@testable import RoomEstimation
import Support
import Testing

@Suite("A move to a room of another fingerprint waits")
struct DoubtTests {
    private static var without: Parameters {
        var parameters = Parameters()
        (parameters.fingerprints.leaving, parameters.fingerprints.doubt) = (0, 0)
        return parameters
    }

    /// In five rooms, the middle one without a node: moves published while it was there, and the share of right answers
    /// elsewhere.
    private static func told(_ parameters: Parameters) -> (moves: Int, right: Double) {
        var (moves, right, hops) = (0, 0, 0)
        for seed in 1...6 as ClosedRange<UInt64> {
            var toy = ToyHouse(rooms: 5, nodesIn: [0, 1, 3, 4], seed: seed)
            toy.slope = 3
            var locator = Locator(house: toy.house, parameters: parameters)
            let rooms = [0, 1, 2, 3, 4, 3, 2, 1]
            for hop in toy.stays(rooms + rooms + rooms, seconds: 40).hops { locator.weigh(hop) }
            let recording = toy.stays(rooms + rooms + rooms, seconds: 40, from: 961)
            for (hop, room) in zip(recording.hops, recording.rooms) {
                let answer = locator.weigh(hop)
                if room == 2 {
                    moves += answer.moved ? 1 : 0
                } else {
                    (hops, right) = (hops + 1, right + (answer.room == room ? 1 : 0))
                }
            }
        }
        return (moves, Double(right) / Double(hops))
    }

    @Test("Answer one neighbour of a room without a node, and not both in turn")
    func nodeless() {
        let (with, without) = (Self.told(Parameters()), Self.told(Self.without))
        #expect(Double(with.moves) < 0.8 * Double(without.moves), "\(with) beside \(without)")
        #expect(with.right > without.right - 0.01, "\(with) beside \(without)")
    }

    @Test("Answer the other room for an item laid at its edge after a long rest", arguments: [6.0, 8, 10])
    func edge(louder: Double) {
        let toy = ToyHouse(rooms: 2, nodesIn: [0, 1], seed: 1)
        var generator = SeededGenerator(seed: 1)
        var locator = Locator(house: toy.house)
        var second: Int64 = 0
        func weigh(_ levels: [Double], hops: Int) {
            for _ in 0..<hops {
                second += 1
                let readings = levels.enumerated().map {
                    Hop.Reading(node: $0, level: $1 + 3 * generator.normal(), count: 3)
                }
                locator.weigh(Hop(end: Timestamp(microseconds: second * 1_000_000), readings: readings))
            }
        }
        for _ in 0..<6 {
            weigh([-55, -71], hops: 60)
            weigh([-71, -55], hops: 60)
        }
        weigh([-55, -71], hops: 300)
        #expect(locator.answer.room == 0)
        weigh([-62 - louder / 2, -62 + louder / 2], hops: 90)
        #expect(locator.answer.room == 1)
    }

    private static func track(_ node: Int, _ level: Double) -> ProximityModel.Track {
        ProximityModel.Track(node: node, level: level, last: 1, now: level)
    }

    /// Two rooms with a node each, and so many hops of either.
    private static func fingerprints(hops: Int) -> Fingerprints {
        var fingerprints = Fingerprints(parameters: .init())
        for _ in 0..<hops {
            fingerprints.learn([track(0, -50), track(1, -80)], [1, 0, 0], among: [true, true, true], hops: 1)
            fingerprints.learn([track(0, -80), track(1, -50)], [0, 1, 0], among: [true, true, true], hops: 1)
        }
        return fingerprints
    }

    @Test("Doubt no move before the rooms' fingerprints are known")
    func early() {
        let early = Self.fingerprints(hops: 44)
        #expect(early.doubt(of: 0, leaving: 1, [Self.track(0, -90), Self.track(1, -90)], hops: 1) == 0)
        #expect(Fingerprints(parameters: .init()).doubt(of: 0, leaving: nil, [], hops: 1) == 0)
    }

    @Test("Require higher odds to leave a known room, and to enter one of another fingerprint")
    func known() {
        let known = Self.fingerprints(hops: 60)
        let parameters = Parameters.Fingerprints()
        func doubt(_ levels: [Double], of room: Int = 0, leaving current: Int?) -> Double {
            known.doubt(of: room, leaving: current, levels.enumerated().map { Self.track($0, $1) }, hops: 1)
        }
        let alike = doubt([-50, -80], leaving: nil)
        #expect(alike >= 0 && alike < 0.25 * parameters.doubt)
        #expect(doubt([-50, -80], leaving: 1) == parameters.leaving + alike)
        #expect(doubt([-50, -80], leaving: 2) == alike)
        #expect(doubt([-50, -80], of: 2, leaving: 1) == parameters.leaving)
        // Half-way it matches both and neither; then the other.
        let halfway = doubt([-65, -65], leaving: 1)
        #expect(halfway > parameters.leaving && halfway <= parameters.leaving + parameters.doubt)
        #expect(doubt([-80, -50], leaving: 1) == parameters.leaving + parameters.doubt)
    }

    @Test("Raise only the odds of a move by doubt")
    func decision() {
        var decision = Decision(pace: Parameters().decision.alone, parameters: Parameters().decision)
        func at(_ second: Int64) -> Timestamp { Timestamp(microseconds: second * 1_000_000) }
        #expect(decision.move(by: [0, 0]) == nil)
        #expect(decision.move(by: [0.9, 0.1]) == 0)
        var moved = decision.weigh([0.9, 0.1], at: at(1), doubt: 9)
        #expect(moved, "the first answer is none that is left")
        #expect(decision.move(by: [0.9, 0.1]) == nil)
        #expect(decision.move(by: [0.1, 0.9]) == 1)
        moved = decision.weigh([0.1, 0.9], at: at(2), doubt: 2)
        #expect(!moved && !decision.isLikeliest)
        moved = decision.weigh([0.1, 0.9], at: at(3), doubt: 1)
        #expect(moved && decision.room == 1)
        // Its doubt falls hop after hop.
        let hops = (20...200).prefix { !decision.weigh([0.9, 0.1], at: at($0), doubt: 3) }.count
        #expect((20...60).contains(hops))
    }
}
