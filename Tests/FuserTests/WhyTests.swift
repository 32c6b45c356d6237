import Identity
import WireProtocol
import Testing

@testable import Fuser
import HouseTracking

/// Why an item is where it is, when the item, or a node, is there no more.
@Suite struct WhyTests {
    private static func run(_ fused: inout Fused, _ seconds: ClosedRange<Int>, attic: Bool = true) {
        for second in seconds {
            fused.interval("hall", Double(second), [])
            fused.interval("kitchen", Double(second), ["keys"])
            if attic { fused.interval("attic", Double(second), []) }
        }
    }

    private static func started(remembering record: HouseholdRecord = HouseholdRecord()) -> Fused {
        var fused = Fused(remembering: record)
        for node in ["hall", "kitchen", "attic"] { fused.info(node) }
        run(&fused, 1...12)
        return fused
    }

    private static func nodes(_ fused: Fused, at seconds: Double) throws -> [String] {
        try fused.pipeline.explain("keys", at: Fused.time(seconds)).nodes.map(\.node).sorted()
    }

    private static func refusal(_ fused: Fused, of item: String = "keys") -> String {
        do throws(CommandFault) {
            _ = try fused.pipeline.explain(item, at: Fused.time(20))
            return ""
        } catch {
            return "\(error)"
        }
    }

    @Test("Of a removed item why says that it was removed, not that nobody hears it; over a restart, too")
    func removed() {
        var fused = Self.started()
        let change = ItemChange(ItemEntry(removed: "keys", at: Fused.time(12)))
        let removal = Message(
            topic: fused.topics.itemConfig("keys"), payload: change.payload, qos: .atLeastOnce, retained: true)
        fused.receive(removal, at: 12.5)
        let words =
            "'keys' was removed from the registry: nothing is told of it until it is registered again (whereabouts items add keys)"
        #expect(Self.refusal(fused) == words)
        var next = Fused()
        next.receive(removal, at: 0)
        #expect(Self.refusal(next) == words)
        let lesson = FuserCommand.Learning.start(item: "keys", room: "hall", for: nil, walk: nil)
        #expect(throws: CommandFault.failed(words)) {
            try fused.pipeline.performLearning(lesson, at: Fused.time(13), &fused.outbox)
        }
        // It comes back.
        let back = ItemChange(ItemEntry(Item(id: "keys", identities: [.address(0x0A0A)]), at: Fused.time(13)))
        fused.receive(
            Message(topic: fused.topics.itemConfig("keys"), payload: back.payload, qos: .atLeastOnce, retained: true),
            at: 13)
        Self.run(&fused, 14...20)
        #expect(Self.refusal(fused) == "")
    }

    @Test("A node that was forgotten is named no more, until it comes back", arguments: [true, false])
    func forgottenNode(_ isByInfo: Bool) throws {
        var fused = Self.started()
        #expect(try Self.nodes(fused, at: 12) == ["attic", "hall", "kitchen"])
        let topics = [fused.topics.nodeInfo("attic"), fused.topics.nodeStatus("attic")]
        for topic in isByInfo ? topics : topics.reversed() {
            fused.receive(.clearing(topic), at: 12.5)
            #expect(try Self.nodes(fused, at: 12.6) == ["hall", "kitchen"])
        }
        #expect(try Self.nodes(fused, at: 13) == ["hall", "kitchen"])
        Self.run(&fused, 13...30, attic: false)
        #expect(try Self.nodes(fused, at: 30) == ["hall", "kitchen"])
        fused.info("attic")
        #expect(try Self.nodes(fused, at: 30) == ["attic", "hall", "kitchen"])
    }

    @Test("A node that is merely off is named, as somebody who should listen")
    func nodeThatIsOff() throws {
        var fused = Self.started()
        fused.receive(Message(topic: fused.topics.nodeStatus("attic"), text: "offline", retained: true), at: 12.5)
        let why = try fused.pipeline.explain("keys", at: Fused.time(13))
        #expect(why.nodes.first { $0.node == "attic" }?.state == .offline)
    }

    @Test("A node that was forgotten while the fuser was off, or before, is not named after the next start")
    func rememberedNode() throws {
        let record = HouseholdRecord(nodes: [.init(id: "cellar", room: "cellar")])
        var fused = Self.started(remembering: record)
        #expect(try Self.nodes(fused, at: 12) == ["attic", "hall", "kitchen"])
        #expect(fused.pipeline.takeEffects(at: Fused.time(12)).record.nodes.map(\.id) == ["attic", "hall", "kitchen"])
        fused.receive(.clearing(fused.topics.nodeInfo("attic")), at: 12.5)
        #expect(fused.pipeline.takeEffects(at: Fused.time(13)).record.goneNodes == ["attic"])
        fused.info("attic")
        let back = fused.pipeline.takeEffects(at: Fused.time(14)).record
        #expect(back.nodes.map(\.id) == ["attic"] && back.goneNodes.isEmpty)
    }
}
