import Testing

@testable import Fusion

@Suite("Errors that last")
struct ShadowingTests {
    @Test("A house where errors don't last learns not to follow them", arguments: [1, 2] as [UInt64])
    func none(seed: UInt64) throws {
        var toy = ToyHouse(rooms: 4, nodesIn: [0, 1, 2, 3], seed: seed)
        let lessons = try #require(Lessons([toy.stays([0, 1, 2, 3, 2, 1, 0], seconds: 60)], in: toy.house))
        #expect(lessons.choice.memory.share * lessons.choice.memory.keeps < 0.3)
    }

    @Test("Most houses where errors last learn to follow them, and are told better for it")
    func memory() throws {
        var chosen = 0
        var (with, without) = (0.0, 0.0)
        for seed in 1...8 as ClosedRange<UInt64> {
            var toy = ToyHouse(rooms: 4, nodesIn: [0, 1, 2, 3], seed: seed)
            (toy.lasting, toy.noise) = (8, 2)
            let lessons = try #require(Lessons([toy.stays([0, 1, 2, 3, 2, 1, 0], seconds: 60)], in: toy.house))
            guard lessons.choice.memory != Parameters.Shadowing.none else { continue }
            chosen += 1
            var plain = lessons
            plain.choice.memory = Parameters.Shadowing.none
            let use = toy.stays([0, 1, 2, 3, 2, 1, 0, 1, 2, 3], seconds: 60)
            with += accuracy(use, Locator(house: toy.house, lessons: lessons))
            without += accuracy(use, Locator(house: toy.house, lessons: plain))
        }
        #expect(chosen > 4)
        #expect(with > without, "\(with) beside \(without) in \(chosen) houses")
    }
}
