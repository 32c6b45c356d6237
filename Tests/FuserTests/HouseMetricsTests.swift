import Metrics
import Testing

@testable import Fuser

@Suite("Counts of the house")
struct HouseMetricsTests {
    /// The names of the metrics of a fuser that has heard an item.
    private static func names(_ counting: FuserPipeline.Counting) -> Set<String> {
        var fused = Fused(counting: counting)
        fused.info("hall")
        for second in 1...3 { fused.interval("hall", Double(second), ["keys"]) }
        return Set(fused.pipeline.metrics.map(\.name))
    }

    @Test("Count the house only where a page shows it, and name items only on request")
    func counting() {
        let nothing = Self.names(.nothing)
        #expect(!nothing.contains("whereabouts_items") && !nothing.contains("whereabouts_node_online"))
        #expect(Self.names(.house).isSuperset(of: nothing.union(["whereabouts_items", "whereabouts_node_online"])))
        #expect(!Self.names(.house).contains("whereabouts_item_confidence"))
        #expect(Self.names(.items).contains("whereabouts_item_confidence"))
    }
}
