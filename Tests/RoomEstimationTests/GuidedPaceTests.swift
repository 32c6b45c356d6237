@testable import RoomEstimation
import Testing

@Suite("Items at rest in a taught house")
struct GuidedPaceTests {
    private let parameters = Parameters()

    /// Four rooms in which a guide stayed for a minute each, and an item that lies between two of them for half an
    /// hour.
    private func house(seed: UInt64, isGuided: Bool = true) throws -> (
        lessons: TrainedModel, rest: Recording, house: House
    ) {
        var toy = ToyHouse(rooms: 4, nodesIn: [0, 1, 2, 3], seed: seed)
        toy.noise = 6
        var taught = toy.stays([0, 1, 2, 3], seconds: 60)
        taught.isGuided = isGuided
        let lessons = try #require(TrainedModel([taught], in: toy.house))
        let hops = (0..<1800).map { toy.hop(at: 7.7, second: 300 + $0) }
        return (lessons, Recording(hops: hops, rooms: []), toy.house)
    }

    @Test("Bound the time in which an item between two rooms changes its room, for any variation of levels")
    func rests() throws {
        var (held, hasty) = (0, 0)
        for seed in 1...6 as ClosedRange<UInt64> {
            let (lessons, rest, house) = try house(seed: seed)
            var quick = parameters
            quick.decision.guided = .init(odds: 1, hops: .infinity)
            held += moves(rest, Locator(house: house, lessons: lessons))
            hasty += moves(rest, Locator(house: house, lessons: lessons, parameters: quick))
        }
        #expect(held <= 6 * 5, "\(held) moves in three hours")
        #expect(hasty > 2 * held, "\(hasty) moves without a hold")
    }

    @Test("Move an item that is carried elsewhere after a long rest within seconds")
    func leaves() throws {
        for seed in 1...6 as ClosedRange<UInt64> {
            var toy = ToyHouse(rooms: 4, nodesIn: [0, 1, 2, 3], seed: seed)
            var taught = toy.stays([0, 1, 2, 3], seconds: 60)
            taught.isGuided = true
            var locator = Locator(house: toy.house, lessons: TrainedModel([taught], in: toy.house))
            for second in 0..<1800 { locator.weigh(toy.hop(at: 2, second: 300 + second)) }
            #expect(locator.answer.room == 0)
            let found = (0..<30).first { locator.weigh(toy.hop(at: 10, second: 2100 + $0)).room == 2 }
            #expect(try #require(found, "seed \(seed)") < 15, "seed \(seed)")
        }
    }

    @Test("Find an item of an hour's rest in a room without a node within minutes of its lesson")
    func taughtLate() throws {
        for seed in 1...4 as ClosedRange<UInt64> {
            var toy = ToyHouse(rooms: 3, nodesIn: [0, 1], seed: seed)
            toy.noise = 3
            var locator = Locator(house: toy.house)
            for second in 0..<3600 { locator.weigh(toy.hop(at: 10, second: 300 + second)) }
            #expect(locator.answer.room == 1)
            var taught = toy.stays([0, 1, 2], seconds: 60)
            taught.isGuided = true
            let lessons = try #require(TrainedModel([taught], in: toy.house))
            locator.learn(like: Locator(house: toy.house, lessons: lessons), keepsTrust: false)
            #expect(locator.answer.room == 1, "lessons alone move nothing")
            let found = (0..<900).first { locator.weigh(toy.hop(at: 10, second: 3900 + $0)).room == 2 }
            #expect(try #require(found, "seed \(seed)") < 600, "seed \(seed)")
        }
    }

    @Test("Take lessons in which no room is entered twice for a guide's, and others for a person's who lives there")
    func recognised() throws {
        #expect(try house(seed: 7, isGuided: false).lessons.choice.isGuided)
        var toy = ToyHouse(rooms: 4, nodesIn: [0, 1, 2, 3], seed: 7)
        let lived = try #require(TrainedModel([toy.stays([0, 1, 2, 3, 0], seconds: 60)], in: toy.house))
        #expect(!lived.choice.isGuided)
    }
}
