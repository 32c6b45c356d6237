@testable import HouseTracking
@testable import RoomEstimation
import Bytes
import WireProtocol
import Support
import Testing

@Suite("Lessons in a household")
struct HouseLessonsTests {
    /// A kitchen and a hall with a node each, and an attic with none, at equal levels at both.
    private static func home(_ nodes: [String] = ["kitchen", "hall"]) -> Home {
        Home(nodes, rooms: ["kitchen", "hall", "attic"])
    }

    static let levels: [String: [(String, Double)]] = [
        "kitchen": [("kitchen", -55), ("hall", -75)], "hall": [("kitchen", -75), ("hall", -55)],
        "attic": [("kitchen", -84), ("hall", -86)],
    ]

    /// Seconds in a room, with levels that vary, and nodes that receive so many dB more than in the lessons.
    func stay(
        _ home: inout Home, in room: String, _ seconds: Int, random: inout SeededGenerator,
        changed: [String: Double] = [:], levels: [String: [(String, Double)]] = Self.levels
    ) {
        for _ in 0..<seconds {
            let levels = levels[room, default: []].map { node, level in
                (node, level + changed[node, default: 0] + Double.random(in: -3...3, using: &random))
            }
            home.run(1, levels, listening: levels.map(\.0))
        }
    }

    private func start(
        _ home: inout Home, _ room: String, for seconds: Int64? = nil, item: String = "keys"
    ) throws(TeachingFault) {
        _ = try home.household.startLesson(
            of: item, in: room, for: seconds.map { .seconds($0) }, walk: nil, at: Home.time(home.now))
    }

    private func stop(_ home: inout Home, keeps: Bool = true) throws(TeachingFault) -> LessonReport {
        var told: [Household.Outcome] = []
        let report = try home.household.stopLesson(of: "keys", keeps: keeps, at: Home.time(home.now)) {
            told.append($0)
        }
        for outcome in told { home.take(outcome, at: home.now) }
        return report
    }

    private func undo(_ home: inout Home, _ id: String) throws(TeachingFault) {
        var told: [Household.Outcome] = []
        try home.household.undoLesson(id) { told.append($0) }
        for outcome in told { home.take(outcome, at: home.now) }
    }

    /// Runs the training that is due, as an edge does; true if there was any.
    @discardableResult
    func learn(_ home: inout Home) -> Bool {
        guard let task = home.household.takeLearning() else { return false }
        home.household.applyLearned(task.run())
        return true
    }

    /// Half a minute in each room, taught.
    func taught(
        _ random: inout SeededGenerator, levels: [String: [(String, Double)]] = Self.levels
    ) throws -> Home {
        var home = Self.home(levels["hall", default: []].map(\.0))
        for room in ["kitchen", "hall", "attic"] {
            stay(&home, in: room, 3, random: &random, levels: levels)
            try start(&home, room, for: 30)
            stay(&home, in: room, 33, random: &random, levels: levels)
        }
        return home
    }

    @Test("Answer a room without a node once it is taught, and no longer after the lesson is undone")
    func roomWithoutNode() throws {
        var random = SeededGenerator(seed: 1)
        var home = try taught(&random)
        #expect(home.lessons.map(\.id) == ["1", "2", "3"] && home.lessons.map(\.room) == ["kitchen", "hall", "attic"])
        #expect(home.locations.allSatisfy { $0.room != "attic" })
        let learned = learn(&home)
        #expect(learned)
        stay(&home, in: "attic", 20, random: &random)
        #expect(home.locations.last?.room == "attic")
        let why = try #require(home.household.explain("keys", at: Home.time(home.now)))
        #expect(why.room == "attic" && (why.trust ?? 0) > 0.5 && why.rooms.first?.room == "attic")
        #expect(Set(why.nodes.map(\.node)) == ["kitchen", "hall"])
        #expect(why.nodes.allSatisfy { $0.state == .heard && $0.weight != nil })
        stay(&home, in: "hall", 20, random: &random)
        #expect(home.locations.last?.room == "hall")
        for id in ["1", "2", "3"] { try undo(&home, id) }
        learn(&home)
        #expect(home.lessons.isEmpty && home.household.taught.lessons.isEmpty)
        let before = home.locations.count
        stay(&home, in: "attic", 20, random: &random)
        #expect(home.locations[before...].allSatisfy { $0.room != "attic" })
        #expect(home.household.explain("keys", at: Home.time(home.now))?.trust == nil)
    }

    @Test("Give the place of a room to no other while a model answers it, though its lesson is undone")
    func undoneRoom() throws {
        var random = SeededGenerator(seed: 1)
        var home = try taught(&random)
        learn(&home)
        stay(&home, in: "hall", 20, random: &random)
        var drawn = House()
        for room in ["kitchen", "hall"] { drawn.addRoom(room) }
        home.household.use(house: drawn, roomOfNode: [:])
        let attic = try #require(home.household.house.room("attic"))
        for id in ["1", "2", "3"] { try undo(&home, id) }
        stay(&home, in: "hall", 5, random: &random)
        #expect(home.household.house.room("attic") == attic)
        let due = home.household.takeLearning()
        let task = try #require(due)
        stay(&home, in: "hall", 5, random: &random)
        #expect(home.household.house.room("attic") == attic)
        home.household.applyLearned(task.run())
        stay(&home, in: "hall", 5, random: &random)
        #expect(home.household.house.room("attic") == nil)
    }

    @Test("Number lessons that end together in the order of their items' appearance")
    func endTogether() throws {
        var home = Self.home()
        let items = (0..<7).map { "tag-\($0)" }
        for item in items { home.run(1, [("kitchen", -55), ("hall", -75)], item: item) }
        for item in items.reversed() { try start(&home, "kitchen", for: 20, item: item) }
        for _ in 0..<22 {
            home.skip(to: home.now + 1)
            for item in items {
                home.window(home.now, "kitchen", -55, item: item)
                home.window(home.now, "hall", -75, item: item)
            }
            for node in ["kitchen", "hall"] { home.scan(home.now, node) }
            home.advance(to: home.now)
        }
        #expect(home.lessons.map(\.item) == items && home.lessons.map(\.id) == (1...7).map(String.init))
        #expect(home.household.taught.lessons.map(\.item) == items)
    }

    @Test("Put a trained model in force without changing an answer or publishing a move")
    func calmSwap() throws {
        var random = SeededGenerator(seed: 2)
        var home = try taught(&random)
        stay(&home, in: "kitchen", 20, random: &random)
        let (lines, events) = (home.lines.count, home.events.count)
        learn(&home)
        home.advance(to: home.now + 0.1)
        #expect(home.lines.count == lines)
        stay(&home, in: "kitchen", 20, random: &random)
        #expect(home.events.count == events && home.locations.last?.room == "kitchen")
    }

    @Test("Count a lesson from its second second, report its progress, and end it by itself")
    func course() throws {
        var random = SeededGenerator(seed: 3)
        var home = Self.home()
        stay(&home, in: "hall", 5, random: &random)
        try start(&home, "kitchen", for: 10)
        stay(&home, in: "kitchen", 1, random: &random)
        #expect(try home.household.lessonReport(of: "keys").packets == 0)
        stay(&home, in: "kitchen", 4, random: &random)
        let under = try home.household.lessonReport(of: "keys")
        #expect(under.isRunning && under.seconds == 4 && under.packets == 8 && under.limit == 10 && under.id == nil)
        #expect(under.nodes.map(\.node) == ["kitchen", "hall"], "the loudest first")
        stay(&home, in: "kitchen", 6, random: &random)
        let over = try home.household.lessonReport(of: "keys")
        #expect(!over.isRunning && over.id == "1" && over.seconds == 10)
        let lesson = try #require(home.lessons.first)
        #expect(lesson.hops.count == 10 && lesson.item == "keys" && lesson.nodes.map(\.id) == ["kitchen", "hall"])
    }

    @Test("End a lesson whose item falls silent, or whose nodes all go")
    func endsInSilence() throws {
        var random = SeededGenerator(seed: 4)
        var home = Self.home()
        stay(&home, in: "kitchen", 5, random: &random)
        try start(&home, "kitchen", for: 30)
        stay(&home, in: "kitchen", 10, random: &random)
        let isCalm = home.sleep(until: 1200)
        #expect(isCalm)
        #expect(home.lessons.map(\.hops.count) == [9])
    }

    @Test("Store a stopped lesson, but none that is discarded or without packets")
    func endings() throws {
        var random = SeededGenerator(seed: 5)
        var home = Self.home()
        stay(&home, in: "kitchen", 5, random: &random)
        try start(&home, "kitchen")
        stay(&home, in: "kitchen", 8, random: &random)
        let report6 = try stop(&home, keeps: false)
        #expect(report6.id == nil)
        try start(&home, "kitchen")
        stay(&home, in: "kitchen", 3, random: &random)
        let report7 = try stop(&home)
        #expect(report7.id == nil, "two seconds teach nothing")
        #expect(home.lessons.isEmpty)
        try start(&home, "kitchen")
        stay(&home, in: "kitchen", 8, random: &random)
        let report8 = try stop(&home)
        #expect(report8.id == "1")
        #expect(home.lessons.count == 1)
    }

    @Test("Reject a lesson that cannot be given, with its reason")
    func refusals() throws {
        var random = SeededGenerator(seed: 6)
        var home = Self.home()
        stay(&home, in: "kitchen", 5, random: &random)
        #expect(throws: TeachingFault.unknownItem("kyes")) { try start(&home, "kitchen", item: "kyes") }
        #expect(throws: TeachingFault.unknownRoom("cellar")) { try start(&home, "cellar") }
        #expect(throws: TeachingFault.noLesson(item: "keys")) { try home.household.lessonReport(of: "keys") }
        #expect(throws: TeachingFault.noLesson(item: "keys")) { try stop(&home) }
        #expect(throws: TeachingFault.unknownLesson("7")) { try undo(&home, "7") }
        try start(&home, "kitchen")
        #expect(throws: TeachingFault.isRunning(item: "keys", room: "kitchen")) { try start(&home, "hall") }
        _ = try stop(&home, keeps: false)
        home.run(15, [])
        #expect(throws: TeachingFault.notHeard(item: "keys")) { try start(&home, "kitchen") }
    }

    @Test("Bound a lesson to half an hour, and all lessons to four hours")
    func bounds() throws {
        var home = Self.home()
        home.run(3, Self.levels["kitchen", default: []])
        for _ in 0..<8 {
            try start(&home, "kitchen")
            home.run(1805, Self.levels["kitchen", default: []])
        }
        #expect(home.lessons.count == 8)
        #expect(home.lessons.allSatisfy { $0.hops.count == 1800 })
        #expect(throws: TeachingFault.full) { try start(&home, "kitchen") }
        try undo(&home, "3")
        try start(&home, "kitchen")
    }

    @Test(
        "Ignore old lessons of a node with another adapter or place, and ask to teach its rooms again")
    func replacedNode() throws {
        var random = SeededGenerator(seed: 7)
        var home = Self.home()
        var info = Home.info("hall")
        info.address = "00:00:00:00:00:01"
        home.household.receive(info, of: "hall")
        for room in ["kitchen", "hall"] {
            stay(&home, in: room, 3, random: &random)
            try start(&home, room, for: 20)
            stay(&home, in: room, 23, random: &random)
        }
        learn(&home)
        home.household.receive(info, of: "hall")
        let isNew1 = learn(&home)
        #expect(!isNew1, "an info that says nothing new teaches nothing")
        info.address = nil
        home.household.receive(info, of: "hall")
        let isNew2 = learn(&home)
        #expect(!isNew2, "an adapter that isn't found yet is the last one still")
        info.address = "00:00:00:00:00:02"
        home.household.receive(info, of: "hall")
        let taught = home.household.taught
        #expect(taught.lessons.allSatisfy { $0.leftOut == ["hall: another adapter"] })
        #expect(taught.rooms.filter(\.isStale).map(\.id) == ["kitchen", "hall"])
        let isNew3 = learn(&home)
        #expect(isNew3)
        stay(&home, in: "kitchen", 10, random: &random)
        try start(&home, "kitchen", for: 20)
        stay(&home, in: "kitchen", 23, random: &random)
        #expect(home.household.taught.rooms.filter(\.isStale).map(\.id) == ["hall"])
        info.address = "00:00:00:00:00:01"
        home.household.receive(info, of: "hall")
        #expect(home.household.taught.lessons.prefix(2).allSatisfy { $0.leftOut.isEmpty }, "the old one is back")
    }

    @Test("Shift the levels of old lessons by a node's new offset")
    func offset() throws {
        var random = SeededGenerator(seed: 8)
        var home = try taught(&random)
        var info = Home.info("hall")
        info.offset = 10
        home.household.receive(info, of: "hall")
        let next = home.household.takeLearning()
        let task = try #require(next)
        let levels = task.recordings[1].hops.compactMap { hop in hop.readings.first { $0.node == 1 }?.level }
        #expect(levels.allSatisfy { (-48.1 ... -41.9).contains($0) })
    }

    @Test("Retain lessons over a restart, in a house that its nodes are yet to describe")
    func restart() throws {
        var random = SeededGenerator(seed: 9)
        let old = try taught(&random)
        var home = Home([])
        let kept = old.lessons.compactMap { Lesson(bytes: $0.bytes.span) }
        #expect(kept == old.lessons)
        let count = home.household.restoreLessons(kept + kept)
        #expect(count == 3)
        let isNew4 = learn(&home)
        #expect(isNew4)
        for node in ["hall", "kitchen"] { home.household.receive(Home.info(node), of: node) }
        let isNew5 = learn(&home)
        #expect(!isNew5)
        stay(&home, in: "attic", 20, random: &random)
        #expect(home.locations.last?.room == "attic")
        try start(&home, "attic", for: 10)
        stay(&home, in: "attic", 13, random: &random)
        #expect(home.lessons.map(\.id) == ["4"])
    }

    @Test("Move no item out of a room without a node when a taught house restarts")
    func restartInSilentRoom() throws {
        var random = SeededGenerator(seed: 12)
        var home = try taught(&random)
        let lessons = home.lessons
        learn(&home)
        stay(&home, in: "attic", 60, random: &random)
        #expect(home.locations.last?.room == "attic")
        for pause in [0.0, 1, 5, 20, 60, 600, 3, 2] {
            home.restart(after: pause, with: home.record(), lessons: lessons)
            learn(&home)
            stay(&home, in: "attic", 25, random: &random)
            #expect(home.events.isEmpty && home.locations.allSatisfy { $0.room == "attic" }, "\(pause)")
        }
        home.restart(after: 30, with: home.record(), lessons: lessons)
        learn(&home)
        stay(&home, in: "kitchen", 25, random: &random)
        #expect(home.events.map(\.room) == ["kitchen"])
    }

    @Test("Read no lesson from bytes that are none, or only a part of one")
    func damagedBytes() throws {
        var random = SeededGenerator(seed: 10)
        let bytes = try #require(try taught(&random).lessons.first).bytes
        for length in stride(from: 0, to: bytes.count, by: 7) {
            #expect(Lesson(bytes: Array(bytes[..<length]).span) == nil)
        }
        for _ in 0..<2000 {
            var damaged = bytes
            let place = Int.random(in: 0..<bytes.count, using: &random)
            damaged[place] = UInt8.random(in: 0...255, using: &random)
            guard let lesson = Lesson(bytes: damaged.span) else { continue }
            // Any bytes that can be read can be learned from.
            var home = Home([])
            home.household.restoreLessons([lesson])
            learn(&home)
        }
    }

    @Test("Reject a stored lesson of unnamed nodes or impossible offsets")
    func impossibleLesson() throws {
        var random = SeededGenerator(seed: 12)
        let text = String(decoding: try #require(try taught(&random).lessons.first).bytes, as: UTF8.self)
        for (part, other) in [
            ("\"sets\":[[0", "\"sets\":[[77"), ("\"offset_db\":0", "\"offset_db\":-9223372036854775807"),
        ] {
            let changed = text.split(separator: part, maxSplits: 1, omittingEmptySubsequences: false).joined(
                separator: other)
            #expect(changed != text && Lesson(bytes: Array(changed.utf8).span) == nil)
        }
    }

    @Test("Report the quality with which lessons separate rooms")
    func marks() throws {
        var random = SeededGenerator(seed: 11)
        var home = try taught(&random)
        #expect(home.household.taught.isLearning)
        learn(&home)
        let taught = home.household.taught
        #expect(!taught.isLearning)
        #expect((taught.right ?? 0) > 0.8)
        #expect(taught.rooms.map(\.seconds) == [30, 30, 30])
        #expect(taught.rooms.allSatisfy { ($0.right ?? 0) > 0.6 })
    }

    @Test("Learn moves between rooms from their order in a walk")
    func walk() throws {
        var random = SeededGenerator(seed: 12)
        var home = Self.home()
        for room in ["kitchen", "attic", "hall", "attic", "kitchen"] {
            stay(&home, in: room, 3, random: &random)
            _ = try home.household.startLesson(
                of: "keys", in: room, for: .seconds(10), walk: "w1", at: Home.time(home.now))
            stay(&home, in: room, 12, random: &random)
        }
        let next = home.household.takeLearning()
        let task = try #require(next)
        #expect(task.recordings.count == 1)
        let lessons = try #require(
            TrainedModel(
                plain: task.recordings, in: task.house,
                .init(
                    calibration: Calibration(slip: 0.04), doubt: 0.24, isGuided: true),
                parameters: Parameters()))
        let motion = lessons.motion
        // One state a room: kitchen, hall, attic.
        #expect(lessons.roomOfState == [0, 1, 2])
        #expect(motion.chances[0 * 3 + 2] > motion.chances[0 * 3 + 1])
        #expect(abs(motion.chances[0] - Parameters().lessons.stayGuided) < 0.001)
    }
}
