internal import Bytes
internal import Configuration
internal import LongHistory
internal import Metrics
internal import System

/// The long history in PostgreSQL.
extension FuserService {
    /// Copies what PostgreSQL has not got yet.
    func turnHistory() { history?.advance(to: monotonic, at: pipeline.time(atWall: wall)) }

    /// The metrics of the long history; none without one.
    var historyMetrics: [MetricFamily] {
        guard let history else { return [] }
        let figures = history.figures
        func byTable(_ counts: [HistoryStream: UInt64]) -> [(String, Double)] {
            HistoryStream.allCases.map { ($0.rawValue, Double(counts[$0] ?? 0)) }
        }
        return [
            .gauge(
                "whereabouts_history_connected", "1 while PostgreSQL takes the long history.",
                history.isConnected ? 1 : 0),
            .counters(
                "whereabouts_history_rows_total", "Rows that PostgreSQL has taken since this fuser's start.",
                by: "table", byTable(figures.rows)),
            .gauges(
                "whereabouts_history_waiting_rows", "Rows that wait for PostgreSQL, when it was last connected.",
                by: "table", byTable(figures.waiting)),
            .gauge("whereabouts_history_lag_seconds", "Since no row waited.", figures.lag.seconds),
            .counter(
                "whereabouts_history_errors_total", "Failures of the connection or of a statement.",
                figures.errors),
            .counter(
                "whereabouts_history_lost_rows_total", "Rows deleted before PostgreSQL had them.", figures.lost),
            .gauge(
                "whereabouts_history_waiting_purges", "Purges that PostgreSQL has yet to make.",
                Double(history.purges.count)),
        ]
    }
}

extension HistorySettings {
    /// The settings of a fuser's configuration; nil without a long history.
    init?(_ configuration: FuserConfiguration) {
        guard let settings = configuration.postgres else { return nil }
        self.init(
            connection: settings.connection, site: configuration.topicPrefix, publisher: configuration.name,
            keep: settings.keep
        ) { () throws(HistoryError) -> String? in
            guard let file = settings.password else { return nil }
            do throws(SecretFile.Problem) {
                return try file.line().text
            } catch {
                throw HistoryError(.settings, purpose: "read 'password_file'", words: "it \(error.sentence)")
            }
        }
    }
}
