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

    @Test("Sum the reports and the gaps of each node's scans, and name the end of the last one")
    func scans() {
        var fused = Fused(counting: .house)
        for node in ["den", "hall"] { fused.info(node) }
        for second in 1...3 {
            fused.interval("den", Double(second), [], reports: 7)
            fused.interval("hall", Double(second), ["keys"], gap: 250, reports: 40 + second)
        }
        let metrics = fused.pipeline.metrics
        func found(_ name: String) -> [MetricFamily.Sample] { metrics.first { $0.name == name }?.samples ?? [] }
        func samples(den: Double, hall: Double) -> [MetricFamily.Sample] {
            [("den", den), ("hall", hall)].map { .init(.number($1), labels: [.init("node", $0)]) }
        }
        #expect(found("whereabouts_node_reports_total") == samples(den: 21, hall: 126))
        #expect(found("whereabouts_node_gap_seconds_total") == samples(den: 0, hall: 0.75))
        #expect(
            found("whereabouts_node_last_scan_timestamp_seconds") == samples(den: 1_000_003, hall: 1_000_003))
        #expect(found("whereabouts_windows_received_total") == [MetricFamily.Sample(.number(3))])
    }
}
