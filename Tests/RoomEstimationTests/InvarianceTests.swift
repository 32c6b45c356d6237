@testable import RoomEstimation
import Support
import Testing

@Suite("Invariances of the answer")
struct InvarianceTests {
    private func use(seed: UInt64) throws -> (toy: ToyHouse, lessons: TrainedModel, use: Recording) {
        var toy = ToyHouse(rooms: 4, nodesIn: [0, 1, 3], seed: seed)
        let lessons = try #require(TrainedModel([toy.stays([0, 1, 2, 3], seconds: 60)], in: toy.house))
        return (toy, lessons, toy.stays([0, 1, 2, 3, 1], seconds: 30))
    }

    @Test("Give the same answers for the same hops, byte for byte")
    func repeatable() throws {
        let (toy, lessons, use) = try use(seed: 1)
        let (_, lessonsAgain, useAgain) = try self.use(seed: 1)
        #expect(
            transcript(use.hops, Locator(house: toy.house)) == transcript(useAgain.hops, Locator(house: toy.house)))
        #expect(
            transcript(use.hops, Locator(house: toy.house, lessons: lessons))
                == transcript(useAgain.hops, Locator(house: toy.house, lessons: lessonsAgain)))
    }

    @Test("Base an answer on no later hop")
    func causal() throws {
        let (toy, lessons, use) = try use(seed: 2)
        let whole = transcript(use.hops, Locator(house: toy.house, lessons: lessons))
        let early = transcript(Array(use.hops.prefix(60)), Locator(house: toy.house, lessons: lessons))
        #expect(Array(whole.prefix(60)) == early)
    }

    @Test("Ignore the order of readings in a hop")
    func orderOfReadings() throws {
        let (toy, lessons, use) = try use(seed: 3)
        let turned = use.hops.map { Hop(end: $0.end, readings: $0.readings.reversed()) }
        #expect(turned == use.hops)
        #expect(
            transcript(use.hops, Locator(house: toy.house, lessons: lessons))
                == transcript(turned, Locator(house: toy.house, lessons: lessons)))
    }

    @Test("Ignore the order of nodes in the house, except for rounding")
    func orderOfNodes() throws {
        let (toy, _, use) = try use(seed: 4)
        var turned = House()
        for room in toy.house.rooms { turned.addRoom(room.id) }
        let last = toy.house.nodes.count - 1
        for node in toy.house.nodes.reversed() { turned.addNode(node.id, room: node.room) }
        var one = Locator(house: toy.house)
        var other = Locator(house: turned)
        for hop in use.hops {
            let readings = hop.readings.map { Hop.Reading(node: last - $0.node, level: $0.level, count: $0.count) }
            let answer = one.weigh(hop)
            let same = other.weigh(Hop(end: hop.end, readings: readings))
            #expect(answer.room == same.room)
            #expect(abs(answer.confidence - same.confidence) < 1e-9)
        }
    }

    @Test("Sum probabilities to 1 after each hop, with a probability as the confidence")
    func sums() throws {
        let (toy, lessons, use) = try use(seed: 5)
        for var locator in [Locator(house: toy.house), Locator(house: toy.house, lessons: lessons)] {
            for (index, hop) in use.hops.enumerated() {
                let answer = locator.weigh(index % 7 == 6 ? Hop(end: hop.end) : hop)
                #expect(abs(locator.probabilities.reduce(0, +) - 1) < 1e-9)
                #expect(locator.probabilities.allSatisfy { $0 >= 0 })
                #expect(answer.confidence > 0 && answer.confidence <= 1)
            }
        }
    }
}
