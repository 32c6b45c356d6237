@testable import RoomEstimation
import Testing

@Suite("Patience of an answer")
struct PatienceTests {
    private let parameters = Parameters()

    @Test("Avoid flaps by waiting if stays are long and levels often mislead for seconds")
    func waits() throws {
        var (flaps, hasty) = (0, 0)
        for seed in 1...6 as ClosedRange<UInt64> {
            var toy = ToyHouse(rooms: 4, nodesIn: [0, 1, 2, 3], seed: seed)
            (toy.lasting, toy.noise) = (9, 3)
            let rooms = [0, 1, 2, 3, 2, 1, 0]
            let lessons = try #require(TrainedModel([toy.stays(rooms, seconds: 120)], in: toy.house))
            var quick = lessons
            quick.choice.pace.odds = 1
            let use = toy.stays(rooms, seconds: 120)
            flaps += moves(use, Locator(house: toy.house, lessons: lessons)) - rooms.count
            hasty += moves(use, Locator(house: toy.house, lessons: quick)) - rooms.count
        }
        #expect(flaps < hasty)
    }

    @Test(
        "Require higher odds of a move for longer stays, up to a bound",
        arguments: [(10, 1), (45, 1), (60, 16.0 / 9), (90, 2.5), (900, 2.5)] as [(Int, Double)])
    func stays(seconds: Int, odds: Double) throws {
        var toy = ToyHouse(rooms: 4, nodesIn: [0, 1, 2, 3], seed: 9)
        let lessons = try #require(TrainedModel([toy.stays([0, 1, 2, 3, 2, 1, 0], seconds: seconds)], in: toy.house))
        #expect(abs(lessons.choice.pace.odds - odds) < 1e-9)
    }

    @Test("Ignore an item in one room all the time for the length of stays")
    func lying() throws {
        var toy = ToyHouse(rooms: 2, nodesIn: [0, 1], seed: 9)
        let taught = [toy.stays([0, 1, 0, 1], seconds: 20), toy.stays([0], seconds: 600)]
        #expect(try #require(TrainedModel(taught, in: toy.house)).choice.pace.odds == 1)
    }

    @Test("Continue a stay through unlabelled seconds")
    func unlabelled() throws {
        var toy = ToyHouse(rooms: 2, nodesIn: [0, 1], seed: 9)
        var taught = toy.stays([0, 1], seconds: 70)
        for second in 40..<60 { taught.rooms[second] = nil }
        let lessons = try #require(TrainedModel([taught], in: toy.house))
        #expect(abs(lessons.choice.pace.odds - (70.0 / 45) * (70.0 / 45)) < 1e-9)
    }

    @Test("Require more for a slow beacon if that avoided wrong answers, and for no other")
    func sparse() throws {
        var odds: [Double] = []
        for seed in 1...6 as ClosedRange<UInt64> {
            var toy = ToyHouse(rooms: 4, nodesIn: [0, 1, 2, 3], seed: seed)
            toy.noise = 8
            var taught = toy.stays((0..<30).map { $0 % 4 }, seconds: 40)
            #expect(try #require(TrainedModel([taught], in: toy.house)).choice.pace.odds == 1, "seed \(seed)")
            for second in taught.hops.indices where second % 5 != 0 {
                taught.hops[second] = Hop(end: taught.hops[second].end, listening: taught.hops[second].listening)
            }
            odds.append(try #require(TrainedModel([taught], in: toy.house)).choice.pace.odds)
        }
        #expect(odds.contains { $0 > 1 }, "\(odds)")
        #expect(odds.allSatisfy { ([1] + parameters.trial.slowerOdds).contains($0) }, "\(odds)")
    }
}
