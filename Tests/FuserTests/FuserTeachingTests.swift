import Bytes
import Fuser
import HouseTracking
import Identity
import RoomEstimation
import WireProtocol
import Testing

@Suite("What a fuser answers to learn and why")
struct FuserTeachingTests {
    /// A kitchen in which the keys are heard, and an attic.
    private static func pipeline() -> FuserPipeline {
        var settings = Household.Settings(fuser: "main", epoch: "00000001")
        settings.house.addRoom("kitchen")
        settings.house.addRoom("attic")
        var pipeline = FuserPipeline(
            settings: settings,
            items: [Item(id: "keys", identities: [.address(10)]), Item(id: "cat", identities: [.address(11)])])
        var outbox: [Message] = []
        var json = JSONWriter()
        NodeInfo(
            version: "1", room: "kitchen", adapter: "hci0", started: time(0), epoch: "e", window: 1,
            publishesAll: false, registry: ""
        ).write(to: &json)
        pipeline.receive(
            Message(topic: pipeline.topics.nodeInfo("kitchen"), payload: json.bytes), at: time(0), &outbox)
        for second in 1...3 {
            let (from, to) = (time(Double(second) - 1), time(Double(second)))
            var window = Window(
                seq: UInt64(second), from: from, to: to, node: "kitchen", epoch: "e", id: "00000000000a", item: "keys",
                count: 1)
            window.rssi = Window.Levels(mean: -60, median: -60, minimum: -60, maximum: -60, deviation: nil)
            json.removeAll()
            window.write(to: &json)
            pipeline.receive(
                Message(topic: pipeline.topics.window(beacon: "keys", node: "kitchen"), payload: json.bytes), at: to,
                &outbox)
            json.removeAll()
            Scan(from: from, to: to, seq: UInt64(second), registry: "", epoch: "e").write(to: &json)
            pipeline.receive(
                Message(topic: pipeline.topics.scan("kitchen"), payload: json.bytes), at: to, &outbox)
            pipeline.advance(to: to.advanced(bySeconds: 0.4), &outbox)
        }
        return pipeline
    }

    private static func time(_ seconds: Double) -> Timestamp {
        Timestamp(microseconds: 1_000_000_000_000).advanced(bySeconds: seconds)
    }

    private static func refusal(
        _ pipeline: FuserPipeline, _ learning: FuserCommand.Learning
    ) -> String {
        var (pipeline, outbox) = (pipeline, [Message]())
        do throws(CommandFault) {
            return "\(try pipeline.performLearning(learning, at: time(4), &outbox))"
        } catch {
            return "\(error)"
        }
    }

    @Test(
        "What can't be taught is refused with what is wrong and what was meant",
        arguments: [
            (.start(item: "kyes", room: "kitchen", for: nil, walk: nil), "no item 'kyes'; did you mean 'keys'?"),
            (.start(item: "cat", room: "kitchen", for: nil, walk: nil), "no node has heard 'cat' yet"),
            (.start(item: "elephant", room: "kitchen", for: nil, walk: nil), "no item 'elephant'; there are cat, keys"),
            (.start(item: "keys", room: "kichen", for: nil, walk: nil), "no room 'kichen'; did you mean 'kitchen'?"),
            (.start(item: "keys", room: "cellar", for: nil, walk: nil), "no room 'cellar'; there are attic, kitchen"),
            (.status(item: "keys"), "no lesson of 'keys' goes on"),
            (.stop(item: "keys", keeps: true), "no lesson of 'keys' goes on"),
            (.undo("7"), "no lesson '7': none was taught"),
        ] as [(FuserCommand.Learning, String)])
    func refusals(_ learning: FuserCommand.Learning, _ words: String) {
        let answer = Self.refusal(Self.pipeline(), learning)
        #expect(answer.contains(words), "\(answer)")
    }

    @Test("In a replay that goes as fast as it can nobody can teach")
    func replay() {
        var (pipeline, outbox) = (FuserPipeline(settings: .init(fuser: "main", epoch: "1")), [Message]())
        var info = NodeInfo(
            version: "1", room: "hall", adapter: "replay", started: Self.time(0), epoch: "e", window: 1,
            publishesAll: false, registry: "")
        info.clock = NodeClock(start: Self.time(0), origin: Self.time(0), speed: nil)
        var json = JSONWriter()
        info.write(to: &json)
        pipeline.receive(
            Message(topic: pipeline.topics.nodeInfo("hall"), payload: json.bytes), at: Self.time(0), &outbox)
        let answer = Self.refusal(pipeline, .start(item: "keys", room: "hall", for: nil, walk: nil))
        #expect(answer.contains("as fast as they can"))
    }

    @Test("A reason is given for what was heard, and refused for what nobody knows")
    func why() throws {
        let pipeline = Self.pipeline()
        let why = try pipeline.explain("keys", at: Self.time(4))
        #expect(why.room == "kitchen" && why.trust == nil && why.lastHeard == Self.time(3))
        #expect(why.nodes.map(\.node) == ["kitchen"] && why.nodes.first?.level == -60)
        #expect(throws: CommandFault.failed("there is no item 'kys'; did you mean 'keys'?")) {
            try pipeline.explain("kys", at: Self.time(4))
        }
    }

    @Test(
        "A lesson lasts as long as it should while the clock is set, back or forward",
        arguments: [-7200.0, -5, 5, 7200])
    func clockStep(_ step: Double) throws {
        var fleet = FuserFleet()
        fleet.setClock(by: 100_000)
        fleet.start("a")
        fleet.stay(in: "hall", 5)
        try fleet.ask("a", .start(item: "keys", room: "hall", for: .seconds(40), walk: nil))
        fleet.stay(in: "hall", 15)
        fleet.setClock(by: step)
        fleet.stay(in: "hall", 20)
        #expect(try fleet.taught("a").isEmpty, "it goes on")
        fleet.stay(in: "hall", 10)
        #expect(try fleet.taught("a") == ["1 hall"])
        let lesson = try #require(fleet.kept["a"]?.lessons.first)
        #expect((39...42).contains(lesson.seconds) && (33...41).contains(lesson.hops.count), "\(lesson.seconds)")
        #expect(SharedLesson(payload: SharedLesson.taught(lesson).payload.span) == .taught(lesson))
    }

    @Test("While it learns anew, no figure of what was taught before is told")
    func stale() throws {
        var fleet = FuserFleet()
        fleet.start("a")
        for room in ["kitchen", "hall", "attic"] { try fleet.teach("a", room) }
        let before = try fleet.list("a")
        #expect(before.right != nil && before.rooms.count { $0.right != nil } == 3)
        fleet.isSlow = true
        try fleet.ask("a", .undo("1"))
        let meanwhile = try fleet.list("a")
        #expect(meanwhile.isLearning && meanwhile.right == nil)
        #expect(meanwhile.rooms.allSatisfy { $0.right == nil && $0.takenFor == nil })
        fleet.isSlow = false
        fleet.pass(1)
        let after = try fleet.list("a")
        #expect(after.right != nil && after.rooms.first { $0.id == "kitchen" }?.right == nil)
    }
}
