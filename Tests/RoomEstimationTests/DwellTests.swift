import Bytes
@testable import RoomEstimation
import Support
import Testing

@Suite("Lengths of visits")
struct DwellTests {
    private let parameters = Parameters()

    private func hops(_ count: Int) -> [Hop] {
        (0..<count).map { Hop(end: Timestamp(microseconds: Int64($0) * 1_000_000)) }
    }

    /// Labels of stays, without hops.
    private func labels(_ stays: [(room: Int?, seconds: Int)]) -> Recording {
        let labels = stays.flatMap { [Int?](repeating: $0.room, count: $0.seconds) }
        return Recording(hops: hops(labels.count), rooms: labels)
    }

    private func learn(_ recordings: [Recording], rooms: Int = 2) -> Dwell? {
        Dwell(recordings, rooms: Array(0..<rooms), parameters: parameters.dwell)
    }

    /// A hall that is passed in about eight seconds, between rooms with stays of a minute.
    private let passages = (0..<6).map { (room: $0 % 2, seconds: $0 % 2 == 0 ? 60 : 7 + $0 / 2) }

    @Test("Leave a room at the usual end of visits, hardly before, and at the usual pace if none was seen")
    func urges() throws {
        let dwell = try #require(learn([labels(passages + [(0, 60)])]))
        #expect(dwell.urge(in: 1, after: 1, resting: 0) < 0.5)
        #expect(dwell.urge(in: 1, after: 8, resting: 0) > 1.5)
        #expect(dwell.urge(in: 0, after: 10, resting: 0) < 0.5)
        #expect(dwell.urge(in: 0, after: 60, resting: 0) > 2)
        #expect(abs(dwell.urge(in: 1, after: 250, resting: 0) - 1) < 0.01)
        #expect(dwell.urge(in: 1, after: 1e9, resting: 0) == dwell.urge(in: 1, after: 299, resting: 0))
    }

    @Test("Keep a resting item in a hall that is only passed, and no passing one")
    func resting() throws {
        let dwell = try #require(learn([labels(passages + [(0, 60)])]))
        #expect(dwell.urge(in: 1, after: 100, resting: 1) == 0)
        #expect(dwell.urge(in: 1, after: 8, resting: 1) == dwell.urge(in: 1, after: 8, resting: 0))
        #expect(dwell.urge(in: 1, after: 100, resting: 0) > 0)
    }

    @Test("Learn no length of visits from a guide's stays, a single room or unlabelled time")
    func nothing() {
        var guided = labels(passages)
        guided.isGuided = true
        #expect(learn([guided]) == nil)
        #expect(learn([labels([(0, 100)]), labels([(1, 100)])]) == nil)
        #expect(learn([labels([(0, 30), (nil, 5), (1, 30), (nil, 1), (0, 30)])]) == nil)
        #expect(learn([]) == nil)
        // A room that the lessons name without a packet is none of theirs.
        #expect(learn([labels([(0, 30), (7, 5), (0, 30)])]) == nil)
    }

    @Test("Sum the probabilities of a second to 1 at any age, by rooms and by states", arguments: 1...5)
    func sums(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let stays = (0..<60).map { _ in
            (room: Int.random(in: 0..<3, using: &generator), seconds: Int.random(in: 1...9, using: &generator))
        }
        let recording = labels(stays)
        let dwell = try #require(learn([recording], rooms: 3))
        // The middle room has two states, and nobody leaves in a hurry.
        let roomOfState = [0, 1, 1, 2]
        let motion = Motion(
            places: 4, weights: [97, 1, 1, 1, 1, 90, 8, 1, 1, 8, 90, 1, 1, 1, 1, 97].map { $0 / 100 })
        let routes = try #require(
            Routes(
                [recording], rooms: [0, 1, 2], motion: motion, roomOfState: roomOfState, parameters: parameters.lessons)
        )
        var trail = Trail(routes)
        let fresh = Stay(states: [0..<1, 1..<3, 3..<4])
        var (stay, walked): (Stay?, Stay?) = (fresh, fresh)
        var (belief, other) = ([0.2, 0.3, 0.2, 0.3], [0.2, 0.3, 0.2, 0.3])
        var next = belief
        for second in 0..<400 {
            // From the second hundred on it rests, and is held in its room of long standing.
            let resting = second < 100 ? 0 : 0.9
            stay?.begin(dwell, resting: resting)
            motion.step(belief, &stay, into: &next)
            swap(&belief, &next)
            stay?.end(belief)
            walked?.begin(dwell, resting: resting)
            trail.step(other, by: motion, routes, &walked, into: &next)
            swap(&other, &next)
            walked?.end(other)
            #expect(abs(belief.reduce(0, +) - 1) < 1e-12 && belief.allSatisfy { $0 >= 0 })
            #expect(abs(other.reduce(0, +) - 1) < 1e-12 && other.allSatisfy { $0 >= 0 })
        }
    }

    @Test("Believe an item to have left a hall by the time that visits there end")
    func leaves() throws {
        let recording = labels(passages + [(0, 60)])
        let dwell = try #require(learn([recording]))
        let motion = Motion([recording], rooms: [0, 1], parameters: parameters.lessons)
        func stillThere(after seconds: Int, by known: Bool) -> Double {
            var stay: Stay? = known ? Stay(states: [0..<1, 1..<2]) : nil
            var (belief, next) = ([0.0, 1.0], [0.0, 0.0])
            for _ in 0..<seconds {
                stay?.begin(dwell, resting: 0)
                motion.step(belief, &stay, into: &next)
                swap(&belief, &next)
                stay?.end(belief)
            }
            return belief[1]
        }
        #expect(stillThere(after: 4, by: true) > stillThere(after: 4, by: false))
        #expect(stillThere(after: 4, by: true) > 0.7)
        #expect(stillThere(after: 14, by: true) < 0.25)
    }

    /// A person who goes to and fro between two rooms with stays of some twenty seconds, with a beacon of a packet
    /// every fifteen.
    private func rounds(_ seed: UInt64) -> (house: House, recordings: [Recording]) {
        var generator = SeededGenerator(seed: seed)
        var toy = ToyHouse(rooms: 2, nodesIn: [0, 1], seed: seed)
        let recordings = (0..<8).map { _ in
            let rooms = (0..<10).flatMap { [Int](repeating: $0 % 2, count: Int.random(in: 18...23, using: &generator)) }
            let whole = toy.stays(rooms, seconds: 1)
            let spoken = whole.hops.enumerated().map { $0 % 15 == 0 ? $1 : Hop(end: $1.end) }
            return Recording(hops: spoken, rooms: whole.rooms)
        }
        return (toy.house, recordings)
    }

    @Test(
        "Answer right between the packets of a slow beacon if visits have a length", arguments: [1, 2, 3])
    func chosen(seed: UInt64) throws {
        let (house, recordings) = rounds(seed)
        let lessons = try #require(TrainedModel(Array(recordings.prefix(5)), in: house))
        #expect(lessons.choice.followsDwell)
        var plain = lessons
        (plain.dwell, plain.choice.oddsUnheard) = (nil, nil)
        func right(_ lessons: TrainedModel) -> Double {
            recordings.suffix(5).map { accuracy($0, Locator(house: house, lessons: lessons)) }.reduce(0, +) / 5
        }
        let (with, without) = (right(lessons), right(plain))
        #expect(with > without + 0.03, "\(with) with lengths, \(without) without")
    }

    @Test("Wait for packets if visits have no typical length", arguments: [1, 2, 3])
    func notChosen(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var toy = ToyHouse(rooms: 3, nodesIn: [0, 1, 2], seed: seed)
        let recordings = (0..<6).map { _ in
            // In each second as good as in any other: geometric lengths of twenty seconds.
            var (rooms, room) = ([Int](), 0)
            for _ in 0..<400 {
                if Int.random(in: 0..<20, using: &generator) == 0 {
                    room = (room + Int.random(in: 1...2, using: &generator)) % 3
                }
                rooms.append(room)
            }
            let whole = toy.stays(rooms, seconds: 1)
            let spoken = whole.hops.enumerated().map { $0 % 12 == 0 ? $1 : Hop(end: $1.end) }
            return Recording(hops: spoken, rooms: whole.rooms)
        }
        let lessons = try #require(TrainedModel(recordings, in: toy.house))
        #expect(!lessons.choice.followsDwell && lessons.dwell == nil)
        #expect(lessons.choice.oddsUnheard == nil)
    }

    @Test("Keep keys of a slow beacon in a room of such a house, hour after hour")
    func keys() throws {
        let (house, recordings) = rounds(7)
        let lessons = try #require(TrainedModel(recordings, in: house))
        try #require(lessons.choice.oddsUnheard != nil)
        var toy = ToyHouse(rooms: 2, nodesIn: [0, 1], seed: 8)
        var locator = Locator(house: house, lessons: lessons)
        var rooms: [Int?] = []
        for second in 1...7200 {
            let hop = toy.hop(at: 6, second: second)
            rooms.append(locator.weigh(second % 15 == 1 ? hop : Hop(end: hop.end)).room)
        }
        // A few guesses that they have gone on are taken back; then it waits for packets.
        let moves = zip(rooms, rooms.dropFirst()).count { $0 != $1 }
        let late = zip(rooms.dropFirst(120), rooms.dropFirst(121)).count { $0 != $1 }
        #expect((2...8).contains(moves) && late == 0, "\(moves) moves, \(late) after two minutes")
        #expect(rooms.last == 1)
    }

    @Test("Publish an unobserved move once between two packets, and let the next packet take it back")
    func foreseen() {
        var decision = Decision(pace: parameters.trial.pace, parameters: parameters.decision)
        let time = Timestamp(microseconds: 1_000_000_000)
        func after(_ seconds: Int64) -> Timestamp { time.advanced(byMicroseconds: seconds * 1_000_000) }
        var answers = [decision.foresee([0, 1, 0], odds: 1)]
        #expect(answers == [false], "nothing was ever heard")
        answers = [decision.weigh([0.1, 0.1, 0.8], at: time), decision.weigh([0.9, 0.1, 0], at: after(1))]
        answers += [decision.foresee([0.4, 0.6, 0], odds: 2), decision.foresee([0.3, 0.7, 0], odds: 2)]
        #expect(answers == [true, true, false, true] && decision.room == 1 && !decision.isLikeliest)
        // A packet moved it a moment ago, which would require higher odds.
        answers = [decision.foresee([0.9, 0.1, 0], odds: 2), decision.weigh([0.6, 0.4, 0], at: after(2))]
        #expect(answers == [false, true] && decision.room == 0 && decision.isLikeliest)
        answers = [decision.foresee([], odds: 2)]
        #expect(answers == [false])
    }

    @Test("Require higher odds after two moves taken back, until a packet confirms one")
    func mistaken() {
        var decision = Decision(pace: parameters.trial.pace, parameters: parameters.decision)
        var time = Timestamp(microseconds: 1_000_000_000)
        func hear(_ probabilities: [Double]) -> Bool {
            time = time.advanced(byMicroseconds: 30_000_000)
            return decision.weigh(probabilities, at: time)
        }
        var answers = [hear([0.9, 0.1])]
        for _ in 0..<2 { answers += [decision.foresee([0.4, 0.6], odds: 1), hear([0.9, 0.1])] }
        #expect(answers == [true, true, true, true, true] && decision.room == 0)
        answers = [decision.foresee([0.25, 0.75], odds: 1), decision.foresee([0.1, 0.9], odds: 1)]
        #expect(answers == [false, true] && decision.room == 1)
        answers = [hear([0.1, 0.9]), decision.foresee([0.6, 0.4], odds: 1)]
        #expect(answers == [false, true] && decision.room == 0, "borne out, the next is as easy as the first")
    }

    @Test("Guess no move from a held answer before a packet")
    func held() {
        var (held, kept) = (
            Decision(pace: parameters.trial.pace, parameters: parameters.decision),
            Decision(pace: parameters.trial.pace, parameters: parameters.decision)
        )
        held.hold(0)
        kept.resume(0, rest: nil)
        let answers = [held.foresee([0.1, 0.9], odds: 1), kept.foresee([0.1, 0.9], odds: 1)]
        #expect(answers == [false, false] && held.room == 0 && kept.room == 0)
        // A packet that confirms it is no move.
        let time = Timestamp(microseconds: 1_000_000_000)
        let moves = [held.weigh([0.9, 0.1], at: time), kept.weigh([0.9, 0.1], at: time)]
        #expect(moves == [false, false] && held.room == 0 && kept.room == 0)
    }
}
