internal import BrokerSession
internal import Bytes
internal import Metrics
internal import WireProtocol

/// The metrics of a fuser.
extension FuserService {
    /// All metrics, as of now.
    var metrics: [MetricFamily] {
        ProgramMetrics.process(of: "fuser") + serviceMetrics + pipeline.metrics + session.metrics + memory.state.metrics
            + historyMetrics
    }

    private var serviceMetrics: [MetricFamily] {
        [
            .gauge(
                "whereabouts_fuser_shards_served", "Shards of 256 whose answers this fuser publishes; 0 for a standby.",
                Double(failover.served.count)),
            .gauge(
                "whereabouts_fuser_others", "Other fusers of the house that are alive.", Double(failover.living)),
            .gauge(
                "whereabouts_fuser_backlog_messages", "Messages that wait for the connection.", Double(backlog.count)),
            .gauge("whereabouts_problems", "Problems that this fuser's claim lists.", Double(problems.count)),
        ]
    }
}
