import Bytes
@testable import RoomEstimation
import Support
import Testing

@Suite("Routes")
struct RoutesTests {
    private let parameters = Parameters()

    /// Labels of stays in rooms, without hops.
    private func labels(_ rooms: [Int?], seconds: Int = 20) -> Recording {
        let labels = rooms.flatMap { [Int?](repeating: $0, count: seconds) }
        return Recording(
            hops: labels.indices.map { Hop(end: Timestamp(microseconds: Int64($0) * 1_000_000)) }, rooms: labels)
    }

    /// The motion and the routes of recordings of three rooms that are one state each.
    private func learn(_ recordings: [Recording], rooms: [Int] = [0, 1, 2]) -> (motion: Motion, routes: Routes?) {
        var house = House()
        for room in rooms { house.addRoom("\(room)") }
        let motion = Motion(recordings, in: house, rooms: rooms, parameters: parameters)
        return (
            motion,
            Routes(
                recordings, in: house, rooms: rooms, motion: motion, roomOfState: Array(rooms.indices),
                parameters: parameters)
        )
    }

    /// The probability of each room in the second after an item was surely in these, one after the other.
    private func after(_ rooms: [Int], _ motion: Motion, _ routes: Routes) -> [Double] {
        var trail = Trail(routes)
        var result = [Double](repeating: 0, count: motion.places)
        for room in rooms {
            let belief = result.indices.map { $0 == room ? 1.0 : 0 }
            trail.step(belief, by: motion, routes, into: &result)
        }
        return result
    }

    @Test("Leave a room for the other side if nobody turned back in the lessons")
    func goesOn() throws {
        let (motion, found) = learn([labels([0, 1, 2, 1, 0, 1, 2, 1, 0, 1, 2])])
        let routes = try #require(found)
        let fromLeft = after([0, 1, 1], motion, routes)
        let fromRight = after([2, 1, 1], motion, routes)
        #expect(fromLeft[2] > 4 * fromLeft[0])
        #expect(fromRight[0] > 4 * fromRight[2])
        // They stay for as long either way.
        #expect(abs(fromLeft[1] - fromRight[1]) < 0.05)
    }

    @Test("Sum the probabilities of a second to 1, and use the motion alone from an unknown origin", arguments: 1...5)
    func sums(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let recording = labels((0..<60).map { _ in Int.random(in: 0..<3, using: &generator) }, seconds: 3)
        let (motion, found) = learn([recording])
        let routes = try #require(found)
        var trail = Trail(routes)
        var belief = [0.2, 0.5, 0.3]
        var result = belief
        var plain = belief
        motion.step(belief, into: &plain)
        trail.step(belief, by: motion, routes, into: &result)
        #expect(zip(plain, result).allSatisfy { abs($0 - $1) < 1e-12 })
        for _ in 0..<100 {
            (belief, result) = (result, belief)
            trail.step(belief, by: motion, routes, into: &result)
            #expect(abs(result.reduce(0, +) - 1) < 1e-12)
        }
    }

    @Test("Drop the trail of a state that evidence rules out, and return to it from an unknown origin")
    func ruledOut() throws {
        let (motion, found) = learn([labels([0, 1, 2, 1, 0, 1, 2])])
        let routes = try #require(found)
        var trail = Trail(routes)
        var result = [0.0, 0, 0]
        trail.step(result, by: motion, routes, into: &result)
        #expect(result == [0, 0, 0])
        var plain = result
        motion.step([0, 1, 0], into: &plain)
        trail.step([0, 1, 0], by: motion, routes, into: &result)
        #expect(zip(plain, result).allSatisfy { abs($0 - $1) < 1e-12 })
    }

    @Test("Leave moves without a lesson to the motion, and count moves over unlabelled time")
    func unseen() throws {
        // From 0 to 2 there was no move; from 2 to 1 there was an unobserved one.
        let (motion, found) = learn([labels([0, 1, 2, nil, 1, 0, 1, 2, nil, 1, 0])])
        let routes = try #require(found)
        var plain = [0.0, 0, 0]
        motion.step([0, 0, 1], into: &plain)
        let stranger = after([0, 2, 2], motion, routes)
        #expect(zip(plain, stranger).allSatisfy { abs($0 - $1) < 1e-12 })
        let fromRight = after([2, 1, 1], motion, routes)
        #expect(fromRight[0] > 2 * fromRight[2])
    }

    @Test("Learn nothing if each room is entered from one other alone, or nobody moved")
    func nothing() {
        #expect(learn([labels([0, 1, 0, 1])], rooms: [0, 1]).routes == nil)
        #expect(learn([labels([0]), labels([1]), labels([2])]).routes == nil)
        #expect(learn([]).routes == nil)
        // A room that the lessons name without a packet is none of theirs.
        #expect(learn([labels([0, 5, 1, 5, 0])], rooms: [0, 1]).routes == nil)
    }

    /// A landing between rooms of similar levels: up the stairs, into the bedroom, into the bath and down again.
    private func walks(seed: UInt64, rounds: Int) -> (house: House, recordings: [Recording]) {
        var toy = ToyHouse(rooms: 4, nodesIn: [0], seed: seed)
        toy.slope = 2.5
        let recordings = (0..<rounds).map { _ in
            var recording = toy.stays([0, 1, 2, 1, 3, 1, 0, 1, 2, 1, 3, 1, 0], seconds: 20)
            // A beacon of a packet every five seconds.
            for (second, hop) in recording.hops.enumerated() where second % 5 != 0 {
                recording.hops[second] = Hop(end: hop.end)
            }
            return recording
        }
        return (toy.house, recordings)
    }

    @Test("Follow routes if they add to the evidence of levels, with better answers", arguments: [1, 2, 3])
    func chosen(seed: UInt64) throws {
        let (house, recordings) = walks(seed: seed, rounds: 12)
        let lessons = try #require(TrainedModel(Array(recordings.prefix(4)), in: house))
        #expect(lessons.choice.followsRoutes)
        #expect(lessons.routes != nil)
        var plain = lessons
        plain.routes = nil
        let uses = recordings.suffix(8)
        let with = uses.map { accuracy($0, Locator(house: house, lessons: lessons)) }.reduce(0, +) / Double(uses.count)
        let without = uses.map { accuracy($0, Locator(house: house, lessons: plain)) }.reduce(0, +) / Double(uses.count)
        #expect(with > without + 0.01, "\(with) with routes, \(without) without")
    }

    @Test("Follow no routes without preferred ways, or in a guide's lessons", arguments: [1, 2, 3])
    func notChosen(seed: UInt64) throws {
        var toy = ToyHouse(rooms: 4, nodesIn: [0, 1, 2, 3], seed: seed)
        var generator = SeededGenerator(seed: seed)
        let recordings = (0..<4).map { _ in
            toy.stays((0..<12).map { _ in Int.random(in: 0..<4, using: &generator) }, seconds: 20)
        }
        #expect(try #require(TrainedModel(recordings, in: toy.house)).routes == nil)
        var (house, guided) = walks(seed: seed, rounds: 4)
        for index in guided.indices { guided[index].isGuided = true }
        house.addRoom("another")
        #expect(try #require(TrainedModel(guided, in: house)).routes == nil)
    }
}
