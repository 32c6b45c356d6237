import Bytes
import Identity
import WireProtocol
import Testing

@testable import Fuser
import HouseTracking

@Suite struct LateGrantTests {
    @Test("An items file is put on the broker only after the broker has granted the registry, and did not give it")
    func seeds() {
        let topics = Topics()
        let item = Item(id: "keys", identities: [.address(0x0A0A)])
        let pipeline = FuserPipeline(settings: Household.Settings(fuser: "main", epoch: "00000001"), items: [item])
        var outbox: [Message] = []
        func configs() -> [Message] { outbox.filter { $0.topic == topics.itemConfig("keys") } }
        pipeline.connected(at: Fused.time(0), &outbox)
        pipeline.awaitRetained()
        pipeline.advance(to: Fused.time(60), &outbox)
        #expect(configs().isEmpty)
        #expect(pipeline.nextDeadline.map { $0 > Fused.time(60) } ?? true, "nothing is overdue meanwhile")
        pipeline.expectRetained(at: Fused.time(60))
        pipeline.advance(to: Fused.time(61), &outbox)
        #expect(configs().isEmpty, "what is retained takes its time")
        pipeline.advance(to: Fused.time(64), &outbox)
        #expect(configs().count == 1)
    }

    @Test("An earlier answer is taken back only after what would confirm it is granted")
    func inherits() {
        var fused = Fused()
        let location = Location(
            fuser: "main", state: .present, room: "hall", confidence: 1, since: Fused.time(-60), previous: nil,
            at: Fused.time(-60))
        fused.connect(at: 0)
        fused.pipeline.awaitRetained()
        var json = JSONWriter()
        location.write(to: &json)
        var message = Message(topic: fused.topics.location("keys"), payload: json.bytes)
        message.retained = true
        fused.receive(message, at: 1)
        func takenBack() -> Bool { fused.outbox.contains { $0.topic == fused.topics.location("keys") } }
        fused.advance(to: 60)
        #expect(!takenBack())
        fused.pipeline.expectRetained(at: Fused.time(60))
        fused.advance(to: 69)
        #expect(!takenBack())
        fused.advance(to: 71)
        #expect(takenBack())
    }

    @Test("Its answers rest on items, nodes, windows and other fusers, and not on commands or the journal")
    func optional() {
        let pipeline = FuserPipeline(settings: Household.Settings(fuser: "main", epoch: "00000001"))
        let needed = Set(pipeline.subscriptions.map(\.filter)).subtracting(pipeline.optionalFilters)
        let topics = pipeline.topics
        for filter in [
            topics.allItems("config"), topics.allNodes("info"), topics.allWindows(), topics.allFusers("claim"),
        ] {
            #expect(needed.contains(filter))
        }
        for filter in [topics.fuserCommand("main"), topics.allNodes("events")] { #expect(!needed.contains(filter)) }
    }
}
