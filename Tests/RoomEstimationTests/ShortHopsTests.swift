import Bytes
@testable import RoomEstimation
import Testing

@Suite("Hops of less than a second")
struct ShortHopsTests {
    @Test("Move belief on in silence no faster by hops of a tenth of a second", arguments: [false, true])
    func silence(taught: Bool) {
        var toy = ToyHouse(rooms: 3, nodesIn: [0, 1, 2], seed: 3)
        let lessons = taught ? TrainedModel([toy.stays([0, 1, 2], seconds: 20)], in: toy.house) : nil
        var whole = Locator(house: toy.house, lessons: lessons)
        for second in 1_001...1_005 { whole.weigh(toy.hop(at: 2, second: second)) }
        var short = whole
        let before = whole.probabilities
        for tenth in 1...200 {
            let hop = Hop(end: Timestamp(microseconds: 1_005_000_000 + Int64(tenth) * 100_000))
            short.weigh(hop)
            if tenth % 10 == 0 { whole.weigh(hop) }
        }
        for (room, probability) in whole.probabilities.enumerated() {
            #expect(abs(short.probabilities[room] - probability) < 1e-6, "room \(room)")
        }
        #expect(whole.probabilities[0] < before[0], "it may have left")
    }

    @Test("Believe nearly the same by the same packets in hops of a tenth of a second")
    func packets() {
        var toy = ToyHouse(rooms: 3, nodesIn: [0, 1, 2], seed: 4)
        var whole = Locator(house: toy.house)
        var short = whole
        var difference = 0.0
        for second in 1_001...1_120 {
            // A packet a second, in a hop that ends with the second in either case.
            let hop = toy.hop(at: second <= 1_060 ? 2 : 6, second: second)
            whole.weigh(hop)
            short.weigh(hop)
            for (one, other) in zip(whole.probabilities, short.probabilities) { difference += abs(one - other) }
            for tenth in 1...9 { short.weigh(Hop(end: hop.end.advanced(byMicroseconds: Int64(tenth) * 100_000))) }
        }
        #expect(difference / 120 < 0.05, "on average over the seconds")
        #expect(whole.answer.room == 1 && short.answer.room == 1)
    }
}
