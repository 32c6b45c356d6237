import WireProtocol
import Testing

@testable import Fuser

@Suite("Nodes whose radio doesn't listen")
struct DeafNodesTests {
    private func fused(_ nodes: [String]) -> Fused {
        var fused = Fused()
        for node in nodes { fused.info(node) }
        return fused
    }

    private func words(_ fused: Fused) -> [String] { fused.texts(fused.topics.room("keys")) }

    @Test("A node that says that it didn't scan sends nobody away: nothing is known any more, and no event told")
    func alone() throws {
        var fused = fused(["hall"])
        for second in 1...20 { fused.interval("hall", Double(second), ["keys"]) }
        #expect(words(fused).last == "hall")
        for second in 21...200 { fused.interval("hall", Double(second), [], gap: 1000) }
        #expect(!words(fused).contains("away") && words(fused).last == "unknown")
        #expect(fused.pipeline.takeEffects(at: Fused.time(200)).events.isEmpty)
        let why = try fused.pipeline.explain("keys", at: Fused.time(200))
        #expect(why.nodes.map(\.state) == [.deaf])
        // It is mended: the keys are found anew where they were, and that is no arrival.
        for second in 201...220 { fused.interval("hall", Double(second), ["keys"]) }
        #expect(words(fused).last == "hall")
        #expect(fused.pipeline.takeEffects(at: Fused.time(220)).events.isEmpty)
    }

    @Test("What was never heard isn't away for a node that can't hear it")
    func neverHeard() {
        var fused = fused(["hall"])
        fused.receive(
            Message(
                topic: fused.topics.itemConfig("keys"),
                text: #"{"v":1,"id":"keys","address":"0a0a0a0a0a0a","at":1}"#, retained: true), at: 0)
        for second in 1...200 { fused.interval("hall", Double(second), [], gap: 900) }
        #expect(!words(fused).contains("away"))
    }

    @Test("Where another node listens, the silence of that one counts alone")
    func besides() {
        var fused = fused(["hall", "kitchen"])
        for second in 1...20 {
            for node in ["hall", "kitchen"] { fused.interval(node, Double(second), node == "hall" ? ["keys"] : []) }
        }
        for second in 21...40 {
            fused.interval("hall", Double(second), [], gap: 1000)
            fused.interval("kitchen", Double(second), [])
        }
        #expect(words(fused).last == "hall", "the kitchen's node doesn't hear it, the hall's can't")
        for second in 41...300 {
            fused.interval("hall", Double(second), [], gap: 1000)
            fused.interval("kitchen", Double(second), [])
        }
        #expect(words(fused).last == "away", "a house is judged by the nodes that listen")
    }

    @Test("What a broker has not subscribed this fuser to is no silence")
    func unsubscribed() {
        var fused = fused(["hall"])
        for second in 1...20 { fused.interval("hall", Double(second), ["keys"]) }
        fused.pipeline.tracking.isComplete = false
        for second in 21...200 { fused.interval("hall", Double(second), []) }
        #expect(!words(fused).contains("away"))
        #expect(fused.pipeline.takeEffects(at: Fused.time(200)).events.isEmpty)
        fused.pipeline.tracking.isComplete = true
        for second in 201...400 { fused.interval("hall", Double(second), []) }
        #expect(words(fused).last == "away")
    }

    @Test("A scan that was begun anew for a moment is no deafness")
    func rescan() {
        var fused = fused(["hall"])
        for second in 1...20 { fused.interval("hall", Double(second), ["keys"]) }
        for second in 21...200 { fused.interval("hall", Double(second), [], gap: second % 10 == 0 ? 700 : 0) }
        #expect(words(fused).last == "away")
    }
}
