@testable import RoomEstimation
import Testing

@Suite("Errors that last")
struct ShadowingTests {
    @Test("Learn to track errors in a house in which they last, and not to in any other")
    func memory() throws {
        for (lasting, seed) in [(0.0, 1), (0, 2), (8, 3), (8, 4)] as [(Double, UInt64)] {
            var toy = ToyHouse(rooms: 4, nodesIn: [0, 1, 2, 3], seed: seed)
            toy.lasting = lasting
            toy.noise = lasting > 0 ? 2 : 5
            var lessons = try #require(TrainedModel([toy.stays([0, 1, 2, 3, 2, 1, 0], seconds: 60)], in: toy.house))
            // Waiting tolerates errors that last, too.
            lessons.choice.pace.odds = 1
            if lasting == 0 { #expect(lessons.choice.memory.share * lessons.choice.memory.keeps < 0.3, "seed \(seed)") }
            guard lasting > 0 else { continue }
            #expect(lessons.choice.memory != Parameters.Shadowing.none, "seed \(seed)")
            var plain = lessons
            plain.choice.memory = Parameters.Shadowing.none
            let use = toy.stays([0, 1, 2, 3, 2, 1, 0, 1, 2, 3], seconds: 60)
            #expect(
                accuracy(use, Locator(house: toy.house, lessons: lessons))
                    > accuracy(use, Locator(house: toy.house, lessons: plain)), "seed \(seed)")
        }
    }
}
