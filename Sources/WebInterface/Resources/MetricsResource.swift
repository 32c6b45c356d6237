internal import Configuration
internal import Metrics
internal import Web

/// `/metrics`: what the fuser counts, for Prometheus.
enum MetricsResource {
    static let routes = [
        Route(
            method: .get, path: ["metrics"], role: .viewer,
            summary:
                "Gives what the fuser counts, in the text format of Prometheus, or in OpenMetrics where that is asked for.",
            success: (200, "text/plain"), refusals: [503]
        ) { call throws(Problem) in
            try call.ask(.metrics(MetricsText(accepting: call.request.headers["accept"])))
        }
    ]
}
