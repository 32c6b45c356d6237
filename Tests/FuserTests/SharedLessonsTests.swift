import Bytes
import Fuser
import Fusion
import Sightings
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
        #expect(words.count == 3 && words.count { $0 == .undone } == 1)
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
}
