internal import BrokerSession
internal import Bytes
internal import Metrics
internal import WireProtocol

/// The metrics of a node, and its answers to those who scrape them.
extension AgentService {
    /// Answers the requests of the page.
    func answerPage() {
        for request in page?.takeRequests() ?? [] {
            switch request.subject {
            case .health: request.answer(isConnected: session.isConnected)
            case .metrics: request.answer(metrics)
            }
        }
    }

    private var metrics: [MetricFamily] {
        ProgramMetrics.process(of: "agent") + radioMetrics + windowMetrics + session.metrics + memory.state.metrics
    }

    private var radioMetrics: [MetricFamily] {
        let totals = pipeline.scans.totals
        var families: [MetricFamily] = [
            .counter("whereabouts_radio_reports_total", "Advertising reports received.", totals.reports),
            .counter(
                "whereabouts_radio_malformed_total", "Reports and events of the controller that were malformed.",
                totals.malformed),
            .counter(
                "whereabouts_radio_gap_seconds_total", "The time in which the node did not listen.",
                seconds: totals.gap.seconds),
        ]
        guard let radio = pipeline.description.radio else { return families }
        families += [
            .gauge(
                "whereabouts_radio_scanning", "1 while the adapter scans without a problem.",
                radio.state == "scanning" && radio.problem == nil ? 1 : 0),
            .counter(
                "whereabouts_radio_scans_restored_total", "Scans taken back from other programs.", radio.takenBack),
            .counter(
                "whereabouts_radio_lost_events_total",
                "Events that the kernel dropped because nobody read them in time.",
                radio.lost),
            .counters(
                "whereabouts_radio_recoveries_total", "Attempts to restore reception, by their kind.", by: "step",
                radio.rungs.map { ($0.name, Double($0.tried)) }),
            .counters(
                "whereabouts_radio_recoveries_successful_total", "Those that restored it.", by: "step",
                radio.rungs.map { ($0.name, Double($0.helped)) }),
        ]
        return families
    }

    private var windowMetrics: [MetricFamily] {
        let totals = pipeline.scans.totals
        return [
            .counter("whereabouts_intervals_total", "Intervals that were published.", totals.intervals),
            .counter("whereabouts_windows_total", "Windows of beacons that were published.", totals.windows),
            .gauge("whereabouts_beacons", "Beacons of the last interval.", Double(totals.beacons)),
            .gauge(
                "whereabouts_problems", "Problems that this node's info lists.",
                Double(pipeline.description.problems.count)),
        ]
    }
}
