internal import Bytes
internal import HouseTracking
internal import Metrics
internal import WireProtocol

extension FuserPipeline {
    /// The extent of what is counted for metrics.
    public enum Counting: Sendable {
        /// Nothing, where no page shows metrics.
        case nothing
        /// The house, without a name of an item.
        case house
        /// The house, with items as labels.
        case items
    }
}

/// The counts of the house for those who watch the fuser. It publishes nothing.
final class HouseMetrics: FuserComponent {
    /// The parts of an answer that metrics show: of a whole one the reasons and probabilities would stay in memory.
    private struct Answer {
        var state: Location.State
        var isPerson: Bool
        var confidence: Double
        var room: String?
        var heard: Timestamp?
    }

    /// The counts of a node.
    private struct Node {
        var isOnline: Bool?
        var reports: UInt64 = 0
        var gap = Duration.zero
        var lastScan: Timestamp?
    }

    /// Nodes that are counted; further ones are left out.
    private static let nodeCapacity = 4096

    /// True if items are labels: their names are then seen by all who read the metrics.
    private let showsItems: Bool
    private var answers: [String: Answer] = [:]
    private var nodes: [String: Node] = [:]
    private var windows: UInt64 = 0
    private var events: [ItemEvent.Kind: UInt64] = [:]
    private var confidence = MetricHistogram(bounds: [0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99])
    private var lag = MetricHistogram(bounds: [0.25, 0.5, 1, 1.5, 2, 3, 5, 10, 30])

    /// - Returns: nil where nothing is to be counted.
    init?(_ counting: FuserPipeline.Counting) {
        switch counting {
        case .nothing: return nil
        case .house: showsItems = false
        case .items: showsItems = true
        }
    }

    // MARK: Messages

    func receive(_ message: HouseMessage, _ turn: Turn) {
        switch message {
        case .window: windows += 1
        case .scan(let scan, let node):
            change(node) {
                $0.reports += UInt64(clamping: scan.reports)
                $0.gap += .milliseconds(scan.gapMilliseconds)
                $0.lastScan = scan.to
            }
        case .nodeStatus(let node, let isOnline, let isRemoved):
            if isRemoved { nodes[node] = nil } else { change(node) { $0.isOnline = isOnline } }
        case .nodeRemoved(let node): nodes[node] = nil
        case .nodeInfo, .nodeEvent, .commandResult, .entry, .location, .itemEvent, .alerts, .room, .telemetry, .battery,
            .occupancy, .lesson, .plan, .external:
            break
        }
    }

    private func change(_ node: String, _ body: (inout Node) -> Void) {
        guard nodes[node] != nil || nodes.count < Self.nodeCapacity else { return }
        body(&nodes[node, default: Node()])
    }

    func outcomePublished(_ outcome: Household.Outcome, _ turn: Turn) {
        switch outcome {
        case .location(let item, let location):
            answers[item] = Answer(
                state: location.state, isPerson: location.isPerson, confidence: location.confidence,
                room: location.room, heard: location.heard)
            guard location.state == .present else { return }
            confidence.add(location.confidence)
            lag.add(max(0, turn.time.seconds(since: location.at)))
        case .event(_, let event): events[event.kind, default: 0] += 1
        case .occupancy, .stay, .lessonAdded, .lessonUndone: break
        }
    }

    func eraseData(_ erasure: Erasure, _ turn: Turn) -> PurgeReport {
        if erasure.isWhole || !erasure.isPurge { answers[erasure.item] = nil }
        return PurgeReport()
    }

    // MARK: Metrics

    /// The metrics of the house.
    var metrics: [MetricFamily] { itemMetrics + nodeMetrics + (showsItems ? namedMetrics : []) }

    private var itemMetrics: [MetricFamily] {
        let states: [Location.State] = [.present, .quiet, .away, .unknown]
        let counts = Dictionary(grouping: answers.values.lazy.filter { !$0.isPerson }, by: \.state)
        let people = answers.values.lazy.filter(\.isPerson)
        return [
            .gauges(
                "whereabouts_items", "Items by the state of their answer.", by: "state",
                states.map { ($0.rawValue, Double(counts[$0]?.count ?? 0)) }),
            .gauge(
                "whereabouts_persons_present", "Persons that are in a room.",
                Double(people.count { $0.state == .present || $0.state == .quiet })),
            .counters(
                "whereabouts_item_events_total", "Events of items that were published.", by: "kind",
                ItemEvent.Kind.all.map { ($0.rawValue, Double(events[$0] ?? 0)) }),
            .histogram("whereabouts_answer_confidence", "Confidence of published answers.", confidence),
            .histogram(
                "whereabouts_answer_lag_seconds", "From the last evidence of an answer to its publication.", lag),
            .counter("whereabouts_windows_received_total", "Windows received.", windows),
        ]
    }

    private var nodeMetrics: [MetricFamily] {
        let nodes = nodes.sorted { $0.key < $1.key }
        return [
            .gauges(
                "whereabouts_node_online", "1 while a node is online.", by: "node",
                nodes.compactMap { node in node.value.isOnline.map { (node.key, $0 ? 1 : 0) } }),
            .gauges(
                "whereabouts_node_last_scan_timestamp_seconds", "The end of a node's last scan, in Unix time.",
                by: "node",
                nodes.compactMap { node in node.value.lastScan.map { (node.key, $0.seconds) } }),
            .counters(
                "whereabouts_node_reports_total", "Advertising reports that a node received, since this fuser's start.",
                by: "node", nodes.map { ($0.key, Double($0.value.reports)) }),
            .counters(
                "whereabouts_node_gap_seconds_total",
                "The time in which a node did not listen, since this fuser's start.",
                by: "node", nodes.map { ($0.key, $0.value.gap.seconds) }),
        ]
    }

    private var namedMetrics: [MetricFamily] {
        let items = answers.sorted { $0.key < $1.key }
        return [
            MetricFamily(
                "whereabouts_item_confidence", .gauge, "Confidence of an item's or a person's answer, by its room.",
                items.map { item, answer in
                    MetricFamily.Sample(
                        .number(answer.confidence),
                        labels: [
                            .init("item", item), .init("room", answer.room ?? ""),
                            .init("state", answer.state.rawValue),
                        ])
                }),
            .gauges(
                "whereabouts_item_heard_timestamp_seconds", "An item's last packet, in Unix time.", by: "item",
                items.compactMap { item, answer in answer.heard.map { (item, $0.seconds) } }),
        ]
    }
}

extension ItemEvent.Kind {
    fileprivate static let all: [ItemEvent.Kind] = [.moved, .arrived, .left, .alert, .cleared]
}
