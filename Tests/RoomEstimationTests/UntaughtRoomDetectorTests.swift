@testable import RoomEstimation
import Support
import Testing

@Suite("Rooms that were never taught")
struct ElsewhereTests {
    /// Five rooms in a row with a node each, and lessons of all but some of them.
    private func toy(without untaught: Set<Int>, seed: UInt64) throws -> (toy: ToyHouse, lessons: TrainedModel) {
        var toy = ToyHouse(rooms: 5, nodesIn: [0, 1, 2, 3, 4], seed: seed)
        let rooms = [0, 1, 2, 3, 4, 3, 2, 1].filter { !untaught.contains($0) }
        let lessons = try #require(TrainedModel([toy.stays(rooms + rooms, seconds: 60)], in: toy.house))
        return (toy, lessons)
    }

    /// The share of the seconds in a room in which it is answered, except for the first ten of each stay.
    private func settled(_ room: Int, _ recording: Recording, _ locator: Locator) -> Double {
        var locator = locator
        var (right, all, since) = (0, 0, 0)
        for (index, hop) in recording.hops.enumerated() {
            if index == 0 || recording.rooms[index] != recording.rooms[index - 1] { since = index }
            let answer = locator.weigh(hop)
            guard recording.rooms[index] == room, index - since >= 10 else { continue }
            (right, all) = (right + (answer.room == room ? 1 : 0), all + 1)
        }
        return Double(right) / Double(max(1, all))
    }

    @Test("Answer an untaught room whose own node receives the item, and the others as before", arguments: [0, 2, 4])
    func isAnswered(untaught: Int) throws {
        var (toy, lessons) = try toy(without: [untaught], seed: UInt64(untaught) + 1)
        let recording = toy.stays([1, untaught, 3, untaught, 1, 3], seconds: 40)
        let locator = Locator(house: toy.house, lessons: lessons)
        #expect(settled(untaught, recording, locator) > 0.8)
        for room in [1, 3] { #expect(settled(room, recording, locator) > 0.9, "room \(room)") }
    }

    @Test("Answer untaught rooms after an hour as in their first minutes", arguments: [0, 2])
    func long(untaught: Int) throws {
        var (toy, lessons) = try toy(without: [untaught], seed: UInt64(untaught) + 1)
        var locator = Locator(house: toy.house, lessons: lessons)
        let recording = toy.stays([1] + [Int](repeating: untaught, count: 60), seconds: 60)
        let right = recording.hops.map { locator.weigh($0).room == untaught }
        #expect(right[60...].prefix(600).count { $0 } > 480)
        #expect(right.suffix(600).count { $0 } > 480)
    }

    @Test("Answer untaught rooms that are most of the house")
    func most() throws {
        var (toy, lessons) = try toy(without: [0, 3, 4], seed: 4)
        let recording = toy.stays([1, 4, 2, 0, 1, 3], seconds: 40)
        let locator = Locator(house: toy.house, lessons: lessons)
        for room in 0...4 { #expect(settled(room, recording, locator) > 0.75, "room \(room)") }
    }

    @Test("Answer an untaught room by the only node there, newer than the lessons")
    func newNode() throws {
        var (toy, lessons) = try toy(without: [4], seed: 5)
        toy.house.addRoom("garage")
        toy.house.addNode("garage", room: 5)
        // So far away that no other node receives there.
        toy.nodes.append(200)
        var recording = toy.stays([1, 2], seconds: 40)
        for second in 0..<60 { recording.append(toy.hop(at: 200, second: 81 + second), room: 5) }
        for second in 0..<40 { recording.append(toy.hop(at: 6, second: 141 + second), room: 1) }
        let locator = Locator(house: toy.house, lessons: lessons)
        #expect(settled(5, recording, locator) == 1)
        #expect(settled(1, recording, locator) > 0.95)
    }

    @Test("Decide by the lessons alone if all rooms are taught, or no node of an untaught one receives")
    func none() throws {
        var (toy, lessons) = try toy(without: [], seed: 6)
        toy.house.addRoom("cellar")
        toy.house.addRoom("garage")
        toy.house.addNode("garage", room: 6)
        toy.nodes.append(200)
        var locator = Locator(house: toy.house, lessons: lessons)
        for hop in toy.stays([0, 2, 4], seconds: 30).hops {
            locator.weigh(hop)
            #expect(locator.chanceElsewhere == 0)
        }
        #expect(try #require(locator.shareOfLessons) > 0.9)
    }

    @Test("Preserve the trust in the lessons of the other rooms")
    func trust() throws {
        var (toy, lessons) = try toy(without: [2], seed: 7)
        var locator = Locator(house: toy.house, lessons: lessons)
        for hop in toy.stays([1, 2], seconds: 600).hops { locator.weigh(hop) }
        #expect(try #require(locator.shareOfLessons) < 0.3, "there the nearest node decides")
        for hop in toy.stays([1], seconds: 20, from: 1201).hops { locator.weigh(hop) }
        #expect(try #require(locator.shareOfLessons) > 0.9)
    }

    @Test("Trust lessons of which one part lacks a room")
    func trial() throws {
        var toy = ToyHouse(rooms: 5, nodesIn: [0, 1, 2, 3, 4], seed: 8)
        // In one recording, so that the part that is kept back is of a room that no other part has.
        let lessons = try #require(TrainedModel([toy.stays([0, 1, 3, 4], seconds: 90)], in: toy.house))
        #expect(lessons.choice.doubt == Parameters().trust.doubt)
    }

    @Test("Retain the belief in untaught rooms over a restart, and the answer when they are taught")
    func goesOn() throws {
        var (toy, lessons) = try toy(without: [2], seed: 9)
        var locator = Locator(house: toy.house, lessons: lessons)
        for hop in toy.stays([1, 2], seconds: 60).hops { locator.weigh(hop) }
        #expect(locator.answer.room == 2)
        var later = Locator(house: toy.house, lessons: lessons)
        later.resume(try #require(locator.record))
        #expect(later.answer.room == 2)
        #expect(abs(later.chanceElsewhere - locator.chanceElsewhere) < 0.01)
        #expect(zip(later.probabilities, locator.probabilities).allSatisfy { abs($0 - $1) < 0.01 })

        let all = try #require(
            TrainedModel([toy.stays([0, 1, 2, 3, 4, 3, 2, 1, 0], seconds: 60)], in: toy.house))
        locator.learn(like: Locator(house: toy.house, lessons: all), keepsTrust: true)
        #expect(locator.chanceElsewhere == 0)
        for hop in toy.stays([2], seconds: 20, from: 121).hops { #expect(locator.weigh(hop).room == 2) }
    }
}
