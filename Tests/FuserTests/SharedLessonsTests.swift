import Bytes
import Fuser
import HouseTracking
import RoomEstimation
import WireProtocol
import Support
import Testing

@Suite("What was taught to one of several fusers")
struct SharedLessonsTests {
    private static let all = ["1 kitchen", "2 hall", "3 attic"]

    /// A house whose fuser `a` was taught beside `b`.
    private func taught() throws -> FuserFleet {
        var fleet = FuserFleet()
        fleet.start("a")
        fleet.start("b")
        fleet.pass(5)
        for room in ["kitchen", "hall", "attic"] { try fleet.teach("a", room) }
        return fleet
    }

    @Test("When the fuser that was taught dies, the other knows the room without a node, and the lesson by its number")
    func dies() throws {
        var fleet = try taught()
        fleet.stop("a")
        #expect(try fleet.taught("b") == Self.all)
        #expect(fleet.kept["b"]?.lessons.map(\.room) == ["kitchen", "hall", "attic"])
        fleet.stay(in: "attic", 20)
        let why = try #require(try fleet.why("b"))
        #expect(why.room == "attic" && why.trust != nil)
    }

    @Test(
        "One that is new, or lost its state, gets all lessons, be another fuser there or not", arguments: [true, false])
    func new(beside: Bool) throws {
        var fleet = try taught()
        fleet.stop("a")
        if !beside { fleet.stop("b") }
        fleet.start("a", asNew: true)
        #expect(try fleet.taught("a") == Self.all)
        try fleet.teach("a", "hall")
        #expect(try fleet.taught("a").last == "4 hall")
    }

    @Test("One that is new answers by the lessons from the first, however long it learns")
    func newAndSlow() throws {
        var fleet = try taught()
        for name in ["a", "b"] { fleet.stop(name) }
        let (told, events) = (fleet.told.count, fleet.events.count)
        fleet.isSlow = true
        fleet.start("a", asNew: true)
        fleet.stay(in: "attic", 5)
        #expect(fleet.told.count == told, "nothing is known yet")
        fleet.isSlow = false
        fleet.stay(in: "attic", 20)
        #expect(fleet.told[told...] == ["attic"] && fleet.events.count == events, "\(fleet.told[told...])")
    }

    @Test("A lesson that was undone stays undone with one that was off meanwhile, and with one that is new")
    func undone() throws {
        var fleet = try taught()
        fleet.stop("b")
        try fleet.ask("a", .undo("2"))
        fleet.start("b")
        let left = ["1 kitchen", "3 attic"]
        #expect(try fleet.taught("b") == left && fleet.kept["b"]?.lessons.map(\.id) == ["1", "3"])
        fleet.stop("a")
        fleet.start("a", asNew: true)
        fleet.pass(10)
        #expect(try fleet.taught("a") == left && fleet.kept["a"]?.undone.count == 1)
    }

    @Test("An undoing without a time, as of an earlier version, is known for 30 days from its arrival, over restarts")
    func withoutTime() throws {
        var fleet = try taught()
        let key = try #require(fleet.kept["a"]?.lessons.first?.key)
        fleet.broker.publish(
            Message(topic: fleet.topics.lesson(key), payload: SharedLesson.undone(at: nil).payload, retained: true))
        func words() -> Int { fleet.broker.retainedMessages.count { $0.topic == fleet.topics.lesson(key) } }
        fleet.pass(1)
        fleet.pass(29 * 86_400)
        fleet.stop("a")
        fleet.start("a")
        fleet.pass(5)
        #expect(words() == 1 && fleet.kept["a"]?.undone.map(\.key) == [key])
        fleet.pass(86_400)
        #expect(words() == 0 && fleet.kept["a"]?.undone == [] && fleet.kept["b"]?.undone == [])
        #expect(try fleet.taught("a") == ["2 hall", "3 attic"])
    }

    @Test("A broker that forgot everything gets the lessons back, and nothing that was undone, whoever comes first")
    func emptyBroker() throws {
        var fleet = try taught()
        fleet.stop("b")
        try fleet.ask("a", .undo("2"))
        fleet.stop("a")
        fleet.broker.restart(keepingRetained: false)
        fleet.start("b")
        fleet.pass(5)
        #expect(try fleet.taught("b") == Self.all, "nobody told it")
        fleet.start("a")
        fleet.pass(5)
        for name in ["a", "b"] { #expect(try fleet.taught(name) == ["1 kitchen", "3 attic"]) }
        let words = fleet.broker.retainedMessages.filter { $0.topic.hasPrefix("whereabouts/lessons/keys-") }
            .compactMap { SharedLesson(payload: $0.payload.span) }
        #expect(words.count == 3 && words.count { $0.isUndone } == 1)
    }

    @Test("Lessons that two fusers were taught apart count for both, each under a number of its own")
    func apart() throws {
        var fleet = FuserFleet()
        fleet.start("a")
        try fleet.teach("a", "kitchen")
        fleet.stop("a")
        let message = try #require(fleet.broker.retainedMessages.first { $0.topic.contains("/lessons/") })
        fleet.broker.publish(Message(topic: message.topic, payload: [], retained: true))
        fleet.start("b")
        try fleet.teach("b", "hall")
        #expect(try fleet.taught("b") == ["1 hall"])
        fleet.start("a")
        fleet.pass(5)
        #expect(try fleet.taught("a") == ["1 kitchen", "2 hall"])
        #expect(try fleet.taught("b") == ["2 kitchen", "1 hall"])
        try fleet.ask("b", .undo("2"))
        #expect(try fleet.taught("a") == ["2 hall"])
    }

    @Test("What is no lesson, or another one than its topic says, is left out and told")
    func hostile() throws {
        var fleet = try taught()
        let good = try #require(fleet.kept["a"]?.lessons.first)
        func publish(_ key: String, _ lesson: Lesson) {
            fleet.broker.publish(
                Message(topic: fleet.topics.lesson(key), payload: SharedLesson.taught(lesson).payload, retained: true))
        }
        publish("keys-1", good)
        var bad = good
        (bad.item, bad.id) = ("no item", "9")
        publish("keys-2", bad)
        var loud = good
        loud.nodes[0].offset = .min
        loud.taughtAt = Timestamp(microseconds: 4000)
        publish("keys-4", loud)
        var odd = good
        (odd.id, odd.taughtAt) = ("9223372036854775807", Timestamp(microseconds: 5000))
        publish(odd.key, odd)
        fleet.broker.publish(Message(topic: fleet.topics.lesson("keys-3"), text: "{\"v\":1,\"undone\":7}"))
        fleet.pass(1)
        #expect(fleet.complaints.contains { $0.contains("keys-1 is another one") })
        #expect(fleet.complaints.contains { $0.contains("keys-2 can't be read") })
        #expect(fleet.complaints.contains { $0.contains("keys-3 can't be read") })
        #expect(fleet.complaints.contains { $0.contains("keys-4 can't be read") })
        #expect(try fleet.taught("a") == ["4 kitchen"] + Self.all, "a number that is none of ours is another")
        try fleet.teach("a", "hall")
        #expect(try fleet.taught("b").last == "5 hall")
    }

    @Test("What no fuser can have been taught is refused, counted and told: levels, order, nodes, words and names")
    func impossible() throws {
        var fleet = try taught()
        let good = try #require(fleet.kept["a"]?.lessons.first)
        let refused = fleet.fusers["b"]?.refused ?? 0
        func publish(_ milliseconds: Int64, _ change: (inout Lesson) -> Void) {
            var lesson = good
            lesson.taughtAt = Timestamp(microseconds: milliseconds * 1000)
            change(&lesson)
            fleet.broker.publish(
                Message(
                    topic: fleet.topics.lesson(lesson.key), payload: SharedLesson.taught(lesson).payload, retained: true
                ))
        }
        publish(1) { $0.hops[0].readings[0].level = 32_767 }
        publish(2) { $0.hops.swapAt(3, 4) }
        publish(3) { $0.hops[5].end = $0.hops[4].end }
        publish(4) { $0.to = Timestamp(microseconds: .max) }
        publish(5) { $0.nodes[1].id = $0.nodes[0].id }
        let both = SharedLesson.taught(good).payload.dropLast() + Array(",\"undone\":true}".utf8)
        fleet.broker.publish(Message(topic: fleet.topics.lesson("keys-6"), payload: Array(both), retained: true))
        for key in ["keys", "keys-", "keys-07", "no item-7", "keys-99999999999999999999"] {
            fleet.broker.publish(
                Message(topic: fleet.topics.lesson(key), payload: SharedLesson.undone(at: nil).payload, retained: true))
        }
        publish(7) { lesson in for node in lesson.nodes.indices { lesson.nodes[node].id = "stranger\(node)" } }
        fleet.pass(1)
        #expect(try fleet.taught("b") == Self.all)
        #expect((fleet.fusers["b"]?.refused ?? 0) - refused == 11)
        for number in 1...6 {
            #expect(fleet.complaints.contains { $0.contains("keys-\(number) can't be read") }, "\(number)")
        }
        #expect(fleet.complaints.contains { $0.contains("keys-7: its nodes are none of this house") })
        #expect(fleet.kept["b"]?.undone.isEmpty ?? true)
    }

    @Test("No number of bogus words pushes out that a real lesson was undone, not over a restart either")
    func tombstones() throws {
        var fleet = try taught()
        let lesson = try #require(fleet.kept["b"]?.lessons.first)
        try fleet.ask("b", .undo("1"))
        for number in 1...1100 {
            fleet.broker.publish(
                Message(
                    topic: fleet.topics.lesson("cat-\(number)"), payload: SharedLesson.undone(at: nil).payload,
                    retained: true))
        }
        fleet.pass(1)
        #expect(fleet.complaints.contains { $0.contains("100 or more lessons are said to be undone") })
        for name in ["a", "b"] {
            fleet.stop(name)
            fleet.start(name)
        }
        for number in 2000...3100 {
            fleet.broker.publish(
                Message(
                    topic: fleet.topics.lesson("cat-\(number)"), payload: SharedLesson.undone(at: nil).payload,
                    retained: true))
        }
        fleet.pass(5)
        fleet.broker.publish(
            Message(
                topic: fleet.topics.lesson(lesson.key), payload: SharedLesson.taught(lesson).payload, retained: true))
        fleet.pass(1)
        #expect(try fleet.taught("b") == ["2 hall", "3 attic"])
        #expect((fleet.kept["b"]?.undone.count ?? 0) <= 2000)
    }

    @Test("What the four hours leave no room for is named, in the log and in the list; a purge takes it, too")
    func leftOut() throws {
        var fleet = try taught()
        let good = try #require(fleet.kept["a"]?.lessons.first)
        fleet.isSlow = true
        // Seven and a half hours, of which four are kept; the keys' own are among those that are not.
        for number in 1...15 {
            var lesson = good
            (lesson.item, lesson.id, lesson.taughtAt) = (
                "cat", "\(100 + number)", Timestamp(microseconds: Int64(number) * 1000)
            )
            lesson.hops = (1...1800).map { second in
                var hop = good.hops[0]
                hop.end = UInt32(second) * 1000
                return hop
            }
            lesson.to = lesson.from.advanced(bySeconds: 1800)
            fleet.broker.publish(
                Message(
                    topic: fleet.topics.lesson(lesson.key), payload: SharedLesson.taught(lesson).payload, retained: true
                ))
        }
        fleet.pass(1)
        try #expect(fleet.taught("a").count == 3 + 7)
        for name in ["a", "b"] { fleet.stop(name) }
        fleet.start("a", asNew: true)
        fleet.pass(5)
        let left = try fleet.notUsed("a")
        let keys = left.filter { $0.hasPrefix("keys") }
        #expect(left.count == 10 && keys.count == 3, "the oldest came first: \(left)")
        let word = fleet.complaints.last { $0.hasPrefix("lessons are left out: 10, cat in kitchen (cat-") }
        #expect(word?.contains("there is no room") ?? false, "\(fleet.complaints)")
        let report = fleet.purge("a")
        fleet.pass(1)
        #expect(report.lessons == 3)
        let words = fleet.broker.retainedMessages.filter { $0.topic.hasPrefix("whereabouts/lessons/keys-") }
        #expect(words.count == 3 && words.allSatisfy { SharedLesson(payload: $0.payload.span)?.isUndone == true })
        fleet.stop("a")
        fleet.start("a")
        fleet.pass(5)
        #expect(try !(fleet.taught("a") + fleet.notUsed("a")).contains { $0.hasPrefix("keys") })
    }
}
