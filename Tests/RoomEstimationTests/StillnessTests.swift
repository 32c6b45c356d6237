import Bytes
@testable import RoomEstimation
import Testing

@Suite("Items at rest")
struct StillnessTests {
    /// Number of changes of the answer after the first two minutes, for a thing at a place with a packet each
    /// `interval` s.
    private func moves(at place: Double, interval: Int, hours: Int, seed: UInt64, parameters: Parameters) -> Int {
        var toy = ToyHouse(rooms: 3, nodesIn: [0, 1, 2], seed: seed)
        var locator = Locator(house: toy.house, parameters: parameters)
        var moves = 0
        for second in 1...hours * 3600 {
            let hop = toy.hop(at: place, second: second)
            let isSpoken = second % interval == 0
            let answer = locator.weigh(isSpoken ? hop : Hop(end: hop.end))
            if answer.moved, second > 120 { moves += 1 }
        }
        return moves
    }

    @Test("Hardly ever move an item at rest near a border", arguments: [1, 5], [1, 2, 3] as [UInt64])
    func still(interval: Int, seed: UInt64) {
        var without = Parameters()
        without.rest.memory = .infinity
        #expect(moves(at: 3.7, interval: interval, hours: 2, seed: seed, parameters: Parameters()) <= 2)
        // The number without the mean over its rest.
        #expect(moves(at: 3.7, interval: interval, hours: 1, seed: seed, parameters: without) > 5)
    }

    @Test("Hardly ever move an item at rest while a node is drowned for seconds", arguments: [1, 2, 3] as [UInt64])
    func drowned(seed: UInt64) {
        func moves(_ parameters: Parameters) -> Int {
            var toy = ToyHouse(rooms: 3, nodesIn: [0, 1, 2], seed: seed)
            var locator = Locator(house: toy.house, parameters: parameters)
            var moves = 0
            for second in 1...3600 {
                // Each minute another radio transmits for four seconds beside the item's own node.
                toy.dead = second % 60 < 4 ? [0] : []
                if locator.weigh(toy.hop(at: 2.5, second: second)).moved, second > 120 { moves += 1 }
            }
            return moves
        }
        var without = Parameters()
        without.rest.memory = .infinity
        #expect(moves(Parameters()) <= 2)
        #expect(moves(without) > 10)
    }

    @Test("Move an item that is carried off after an hour within seconds", arguments: [1, 2, 3] as [UInt64])
    func carriedOff(seed: UInt64) throws {
        var toy = ToyHouse(rooms: 3, nodesIn: [0, 1, 2], seed: seed)
        var locator = Locator(house: toy.house)
        for second in 1...3600 { locator.weigh(toy.hop(at: 2, second: second)) }
        #expect(locator.answer.room == 0)
        let told = (3601...3620).first { locator.weigh(toy.hop(at: 9, second: $0)).room == 2 }
        #expect(try #require(told) <= 3605)
    }

    @Test("Preserve the confidence of an item at rest through a silent second between two packets")
    func silentSeconds() {
        var toy = ToyHouse(rooms: 3, nodesIn: [0, 1, 2], seed: 4)
        var locator = Locator(house: toy.house)
        for second in 1...600 {
            let hop = toy.hop(at: 2, second: second)
            locator.weigh(second % 5 == 0 ? hop : Hop(end: hop.end))
        }
        let confidence = locator.answer.confidence
        for second in 601...604 { locator.weigh(Hop(end: Timestamp(microseconds: Int64(second) * 1_000_000))) }
        #expect(abs(locator.answer.confidence - confidence) < 0.02)
    }

    @Test("Continue a rest when a node receives for the first time, and when one falls silent")
    func newcomers() {
        var toy = ToyHouse(rooms: 3, nodesIn: [0, 1, 2], seed: 5)
        var locator = Locator(house: toy.house)
        for second in 1...300 {
            toy.dead = second < 100 ? [0] : second < 200 ? [2] : [0, 1]
            locator.weigh(toy.hop(at: 6, second: second))
            #expect(locator.probabilities.allSatisfy { $0.isFinite })
        }
    }
}
