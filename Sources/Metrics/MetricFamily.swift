/// A metric with all its series: a name, what it means, and a value for each set of labels.
///
/// Names follow the rules of Prometheus (prometheus.io/docs/practices/naming): base units, `_total` for counts since the start,
/// `_info` for texts.
public struct MetricFamily: Hashable, Sendable {
    /// The kind of a metric.
    public enum Kind: String, Hashable, Sendable {
        /// A count since the program's start; its name ends in `_total`.
        case counter
        /// A value that rises and falls.
        case gauge
        /// The distribution of values since the program's start.
        case histogram
        /// Texts as labels of the value 1; its name ends in `_info`.
        case info
    }

    /// One value.
    public struct Sample: Hashable, Sendable {
        /// The labels, in their order.
        public var labels: [Label]
        /// The value.
        public var value: Value

        /// A value with its labels.
        public init(_ value: Value, labels: [Label] = []) {
            self.labels = labels
            self.value = value
        }
    }

    /// A label of a series.
    public struct Label: Hashable, Sendable {
        /// The name: letters, digits and `_`.
        public var name: String
        /// The value: any text.
        public var value: String

        /// A label by name and value.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The value of a series.
    public enum Value: Hashable, Sendable {
        /// A number.
        case number(Double)
        /// A distribution.
        case distribution(MetricHistogram)
    }

    /// The name as it is queried, such as `whereabouts_radio_reports_total`.
    public var name: String
    /// The kind.
    public var kind: Kind
    /// One sentence on what is counted.
    public var help: String
    /// The series.
    public var samples: [Sample]

    /// A metric with any series.
    public init(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
        self.name = name
        self.kind = kind
        self.help = help
        self.samples = samples
    }

    /// A count since the start.
    public static func counter(_ name: String, _ help: String, _ value: some BinaryInteger) -> MetricFamily {
        MetricFamily(name, .counter, help, [Sample(.number(Double(value)))])
    }

    /// A count since the start that is not whole, such as of seconds.
    public static func counter(_ name: String, _ help: String, seconds: Double) -> MetricFamily {
        MetricFamily(name, .counter, help, [Sample(.number(seconds))])
    }

    /// A value that rises and falls.
    public static func gauge(_ name: String, _ help: String, _ value: Double) -> MetricFamily {
        MetricFamily(name, .gauge, help, [Sample(.number(value))])
    }

    /// Values of one label each.
    public static func gauges(
        _ name: String, _ help: String, by label: String, _ values: some Sequence<(String, Double)>
    ) -> MetricFamily {
        MetricFamily(name, .gauge, help, values.map { Sample(.number($0.1), labels: [Label(label, $0.0)]) })
    }

    /// Counts since the start, of one label each.
    public static func counters(
        _ name: String, _ help: String, by label: String, _ values: some Sequence<(String, Double)>
    ) -> MetricFamily {
        MetricFamily(name, .counter, help, values.map { Sample(.number($0.1), labels: [Label(label, $0.0)]) })
    }

    /// A distribution since the start.
    public static func histogram(_ name: String, _ help: String, _ histogram: MetricHistogram) -> MetricFamily {
        MetricFamily(name, .histogram, help, [Sample(.distribution(histogram))])
    }
}
