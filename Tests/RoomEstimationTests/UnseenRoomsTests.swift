@testable import RoomEstimation
import Testing

@Suite("Rooms that nothing can show")
struct UnseenRoomsTests {
    /// The locator of a tag that lies beside the first node for five minutes.
    private func located(rooms: Int, nodesIn nodes: [Int]) -> Locator {
        var toy = ToyHouse(rooms: rooms, nodesIn: nodes, seed: 1)
        var locator = Locator(house: toy.house)
        for second in 1...300 { locator.weigh(toy.hop(at: 0, second: second)) }
        return locator
    }

    private func unseen(in house: House, taught: [Int]? = nil) -> [Int] {
        UnseenRooms(of: house, nodesByRoom: house.nodesByRoom, taught: taught, plan: nil, weight: 0.25).rooms
    }

    @Test(
        "Leave each unseen room a quarter of a room's share of the answer",
        arguments: [(rooms: 1, 0.98), (2, 0.78), (4, 0.55), (9, 0.33)])
    func shares(rooms: Int, confidence: Double) {
        let locator = located(rooms: rooms, nodesIn: [0])
        #expect(locator.answer.room == 0)
        #expect(abs(locator.answer.confidence - confidence) < 0.03)
        let probabilities = locator.roomProbabilities
        #expect(abs(probabilities.reduce(0, +) - 1) < 1e-9)
        for room in 1..<max(1, rooms) where rooms > 1 {
            #expect(probabilities[room] > 0)
            #expect(probabilities[room] < probabilities[0])
        }
    }

    @Test("Give reasons against an unseen room where that is the next likeliest")
    func runnerUp() throws {
        let locator = located(rooms: 3, nodesIn: [0, 1])
        let (room, probabilities) = (try #require(locator.answer.room), locator.roomProbabilities)
        #expect(room == 0 && probabilities[2] > probabilities[1])
        let reason = locator.reason()
        #expect(reason.runnerUp == 2)
        let own = try #require(reason.votes.first { $0.node == 0 })
        #expect(own.nats > 0)
    }

    @Test("Leave nothing where each room has a node, or a lesson")
    func none() {
        #expect(located(rooms: 3, nodesIn: [0, 1, 2]).answer.confidence > 0.9)
        var toy = ToyHouse(rooms: 3, nodesIn: [0, 1], seed: 1)
        let house = toy.house
        #expect(unseen(in: house) == [2])
        #expect(unseen(in: house, taught: [0, 1, 2]) == [])
        #expect(unseen(in: house, taught: [0, 1]) == [2])
        let lessons = TrainedModel([toy.stays([0, 1, 2, 1, 0, 2], seconds: 60)], in: house)
        var locator = Locator(house: house, lessons: lessons)
        for second in 1...60 { locator.weigh(toy.hop(at: 0, second: second)) }
        #expect(locator.roomProbabilities == locator.probabilities)
    }

    @Test("Take no share before anything was heard, nor for the place of a room that is gone")
    func empty() {
        var house = ToyHouse(rooms: 3, nodesIn: [0], seed: 1).house
        #expect(Locator(house: house).roomProbabilities == [0, 0, 0])
        house.vacate(room: 2)
        #expect(unseen(in: house) == [1])
    }
}
