@testable import RoomEstimation
import Support
import Testing

@Suite("Lessons")
struct LessonsTests {
    /// Five rooms, of which three have a node, and a lesson of each.
    private func taught(seed: UInt64) throws -> (toy: ToyHouse, lessons: TrainedModel) {
        var toy = ToyHouse(rooms: 5, nodesIn: [0, 2, 4], seed: seed)
        let recording = toy.stays([0, 1, 2, 3, 4, 3, 2, 1, 0], seconds: 60)
        return (toy, try #require(TrainedModel([recording], in: toy.house)))
    }

    @Test("Answer better with lessons, and reach rooms without a node", arguments: [1, 2, 3] as [UInt64])
    func better(seed: UInt64) throws {
        var (toy, lessons) = try taught(seed: seed)
        let use = toy.stays([0, 1, 2, 3, 4, 2, 1, 3], seconds: 40)
        let plain = accuracy(use, Locator(house: toy.house))
        let taught = accuracy(use, Locator(house: toy.house, lessons: lessons))
        #expect(taught > 0.8, "seed \(seed)")
        #expect(taught > plain + 0.2, "seed \(seed): \(plain) without lessons")
    }

    @Test("Detect a node that goes deaf after the lessons, at little cost")
    func deafNode() throws {
        var (toy, lessons) = try taught(seed: 4)
        toy.dead = [1]
        let use = toy.stays([0, 1, 2, 3, 4, 2, 1, 3], seconds: 40)
        #expect(accuracy(use, Locator(house: toy.house, lessons: lessons)) > 0.6)
        var filter = StateFilter(lessons: lessons, parameters: Parameters())
        for hop in use.hops.prefix(160) {
            filter.step()
            _ = filter.weigh(hop)
        }
        #expect(filter.hearing.deaf[1] > 0.9)
        #expect(filter.hearing.deaf[0] < 0.1)
    }

    @Test("Lose nothing by a node that is newer than the lessons")
    func newNode() throws {
        var (toy, lessons) = try taught(seed: 5)
        var use = toy.stays([0, 1, 2, 3, 4], seconds: 40)
        let before = accuracy(use, Locator(house: toy.house, lessons: lessons))
        toy.house.addNode("new", room: 0)
        for index in use.hops.indices { use.hops[index].insert(.init(node: 3, level: -70, count: 1)) }
        let after = accuracy(use, Locator(house: toy.house, lessons: lessons))
        #expect(after > before - 0.1, "\(before) before")
    }

    @Test("Trust lessons of a very different tag less, and still count the nearest node")
    func otherTag() throws {
        var (toy, lessons) = try taught(seed: 6)
        toy.slope = 1.5
        let use = toy.stays([0, 2, 0, 2], seconds: 60)
        var locator = Locator(house: toy.house, lessons: lessons)
        for hop in use.hops { locator.weigh(hop) }
        #expect(locator.reason().trust < 0.5)
        #expect(accuracy(use, Locator(house: toy.house, lessons: lessons)) > 0.7)
    }

    @Test("Decide by the nearest node with lessons of a few packets a room, but not with those of a minute")
    func fewPackets() throws {
        var toy = ToyHouse(rooms: 4, nodesIn: [0, 1, 2, 3], seed: 9)
        let all = toy.stays([0, 1, 2, 3, 0, 1, 2, 3], seconds: 120)
        let use = toy.stays([0, 1, 2, 3, 2, 1], seconds: 60)
        func lessons(every seconds: Int) throws -> TrainedModel {
            var sparse = all
            for index in sparse.hops.indices where index % seconds != 0 {
                sparse.hops[index] = Hop(end: sparse.hops[index].end)
            }
            return try #require(TrainedModel([sparse], in: toy.house))
        }
        // One packet each two minutes, and one each second.
        let (few, many) = (try lessons(every: 120), try lessons(every: 1))
        #expect(abs(few.share - 0.08) < 0.01)
        #expect(many.share > 0.99)
        let near = accuracy(use, Locator(house: toy.house))
        #expect(accuracy(use, Locator(house: toy.house, lessons: few)) > near - 0.02, "\(near) by the nearest node")
        #expect(shareOfLessons(use, Locator(house: toy.house, lessons: few)).map { $0 < 0.1 } == true)
    }

    /// The final weight of the lessons.
    private func shareOfLessons(_ use: Recording, _ locator: Locator) -> Double? {
        var locator = locator
        for hop in use.hops { locator.weigh(hop) }
        return locator.shareOfLessons
    }

    @Test("Name every known node that received in a reason with lessons")
    func reason() throws {
        var (toy, lessons) = try taught(seed: 7)
        toy.loss = 0
        toy.noise = 1
        var locator = Locator(house: toy.house, lessons: lessons)
        for second in 1...20 { locator.weigh(toy.hop(at: 2, second: second)) }
        let reason = locator.reason()
        #expect(locator.answer.room == 0)
        #expect(reason.trust > 0.5)
        #expect(reason.votes.count >= 2)
        #expect(reason.votes.allSatisfy { $0.nats.isFinite })
        #expect(reason.votes.map(\.nats).reduce(0, +) > 0)
    }

    @Test("Make no lessons from recordings that teach nothing")
    func nothing() {
        var toy = ToyHouse(rooms: 2, nodesIn: [0, 1], seed: 8)
        let recording = toy.stays([0, 1], seconds: 5)
        #expect(TrainedModel([], in: toy.house) == nil)
        #expect(TrainedModel([Recording(hops: recording.hops, rooms: [])], in: toy.house) == nil)
        #expect(
            TrainedModel([Recording(hops: recording.hops, rooms: recording.hops.map { _ in 99 })], in: toy.house) == nil
        )
        let empty = recording.hops.map { Hop(end: $0.end) }
        #expect(TrainedModel([Recording(hops: empty, rooms: recording.rooms)], in: toy.house) == nil)
    }

    @Test("Learn from one second of one room without failing")
    func shortest() throws {
        var toy = ToyHouse(rooms: 2, nodesIn: [0, 1], seed: 9)
        let recording = Recording(hops: [toy.hop(at: 2, second: 1)], rooms: [0])
        let lessons = try #require(TrainedModel([recording], in: toy.house))
        var locator = Locator(house: toy.house, lessons: lessons)
        for second in 1...50 { locator.weigh(toy.hop(at: 6, second: second)) }
        #expect(abs(locator.probabilities.reduce(0, +) - 1) < 1e-9)
    }
}
