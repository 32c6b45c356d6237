import Testing

@testable import Fusion

@Suite("How long an answer waits")
struct PatienceTests {
    @Test("A house in which levels often mislead for seconds learns to wait, and flaps less for it")
    func waits() throws {
        var (flaps, hasty) = (0, 0)
        for seed in 1...6 as ClosedRange<UInt64> {
            var toy = ToyHouse(rooms: 4, nodesIn: [0, 1, 2, 3], seed: seed)
            (toy.lasting, toy.noise) = (9, 3)
            let rooms = [0, 1, 2, 3, 2, 1, 0]
            let lessons = try #require(Lessons([toy.stays(rooms, seconds: 120)], in: toy.house))
            var quick = lessons
            quick.choice.pace.odds = 1
            let use = toy.stays(rooms, seconds: 120)
            flaps += moves(use, Locator(house: toy.house, lessons: lessons)) - rooms.count
            hasty += moves(use, Locator(house: toy.house, lessons: quick)) - rooms.count
        }
        #expect(flaps < hasty)
    }

    @Test("Where nothing misleads the likelier room wins at once")
    func wins() throws {
        var toy = ToyHouse(rooms: 4, nodesIn: [0, 1, 2, 3], seed: 9)
        toy.noise = 1
        let lessons = try #require(Lessons([toy.stays([0, 1, 2, 3, 2, 1, 0], seconds: 60)], in: toy.house))
        #expect(lessons.choice.pace.odds == 1)
    }
}
