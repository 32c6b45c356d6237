import Metrics
import Testing

@Suite("Metrics as text")
struct MetricsTextTests {
    static let families: [MetricFamily] = [
        .counter("a_reports_total", "Reports.", 12),
        .gauges("a_items", "Items by\nstate.", by: "state", [("present", 2), ("a \"b\"\\", 0.5)]),
        MetricFamily(
            "a_build_info", .info, "The build.", [MetricFamily.Sample(.number(1), labels: [.init("version", "0.1.0")])]),
        .gauges("a_empty", "Nothing.", by: "node", []),
    ]

    private static func text(_ format: MetricsText, _ families: [MetricFamily] = families) -> String {
        String(decoding: format.write(families), as: UTF8.self)
    }

    @Test("Write the format of Prometheus, with escaped labels, and leave out what has no series")
    func prometheus() {
        #expect(
            Self.text(.prometheus) == #"""
                # HELP a_reports_total Reports.
                # TYPE a_reports_total counter
                a_reports_total 12
                # HELP a_items Items by\nstate.
                # TYPE a_items gauge
                a_items{state="present"} 2
                a_items{state="a \"b\"\\"} 0.5
                # HELP a_build_info The build.
                # TYPE a_build_info gauge
                a_build_info{version="0.1.0"} 1

                """#)
    }

    @Test("Name families without their suffix in OpenMetrics, and end with EOF")
    func openMetrics() {
        let text = Self.text(.openMetrics)
        #expect(text.contains("# TYPE a_reports counter\na_reports_total 12\n"))
        #expect(text.contains("# TYPE a_build info\na_build_info{"))
        #expect(text.hasSuffix("# EOF\n"))
    }

    @Test("Count a distribution up to each bound")
    func histogram() {
        var histogram = MetricHistogram(bounds: [0.5, 1])
        for value in [0.2, 0.5, 0.7, 3, .nan] { histogram.add(value) }
        #expect(
            Self.text(.prometheus, [.histogram("a_lag_seconds", "Lag.", histogram)]) == """
                # HELP a_lag_seconds Lag.
                # TYPE a_lag_seconds histogram
                a_lag_seconds_bucket{le="0.5"} 2
                a_lag_seconds_bucket{le="1"} 3
                a_lag_seconds_bucket{le="+Inf"} 4
                a_lag_seconds_sum 4.4
                a_lag_seconds_count 4

                """)
    }

    @Test("Choose the format by what a scraper accepts")
    func choice() {
        #expect(MetricsText(accepting: nil) == .prometheus)
        #expect(MetricsText(accepting: "text/plain;version=0.0.4;q=0.3,*/*;q=0.2") == .prometheus)
        #expect(
            MetricsText(accepting: "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;q=0.2") == .openMetrics)
    }
}
