/// Metrics as a text for a scraper.
///
/// Sources: the text format 0.0.4 of Prometheus (prometheus.io/docs/instrumenting/exposition_formats), and OpenMetrics 1.0
/// (prometheus.io/docs/specs/om/open_metrics_spec).
public enum MetricsText: Hashable, Sendable {
    /// The text format of Prometheus.
    case prometheus
    /// OpenMetrics.
    case openMetrics

    /// The format that a scraper asks for by its `Accept`; Prometheus where it names none of the two.
    public init(accepting accept: String?) {
        let types = (accept ?? "").split(separator: ",").map { $0.drop { $0 == " " }.lowercased() }
        self = types.contains { $0.hasPrefix("application/openmetrics-text") } ? .openMetrics : .prometheus
    }

    /// The value of `Content-Type`.
    public var contentType: String {
        switch self {
        case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        }
    }

    /// The text. Families without a series are left out.
    public func write(_ families: [MetricFamily]) -> [UInt8] {
        var text: [UInt8] = []
        for family in families where !family.samples.isEmpty { write(family, to: &text) }
        if self == .openMetrics { text += Array("# EOF\n".utf8) }
        return text
    }

    private func write(_ family: MetricFamily, to text: inout [UInt8]) {
        let name = self == .openMetrics ? family.name.dropSuffix(family.kind.suffix) : family.name
        // Prometheus has no kind for texts.
        let kind = self == .prometheus && family.kind == .info ? .gauge : family.kind
        text += Array("# HELP \(name) \(Self.escaped(family.help, quotes: self == .openMetrics))\n".utf8)
        text += Array("# TYPE \(name) \(kind.rawValue)\n".utf8)
        for sample in family.samples {
            switch sample.value {
            case .number(let value): Self.write(family.name, sample.labels, value, to: &text)
            case .distribution(let histogram): Self.write(family.name, sample.labels, histogram, to: &text)
            }
        }
    }

    private static func write(
        _ name: String, _ labels: [MetricFamily.Label], _ histogram: MetricHistogram, to text: inout [UInt8]
    ) {
        var below: UInt64 = 0
        for (bound, count) in zip(histogram.bounds + [.infinity], histogram.counts) {
            below += count
            write(name + "_bucket", labels + [MetricFamily.Label("le", number(bound))], Double(below), to: &text)
        }
        write(name + "_sum", labels, histogram.sum, to: &text)
        write(name + "_count", labels, Double(below), to: &text)
    }

    private static func write(
        _ name: String, _ labels: [MetricFamily.Label], _ value: Double, to text: inout [UInt8]
    ) {
        text += Array(name.utf8)
        if !labels.isEmpty {
            let list = labels.map { "\($0.name)=\"\(escaped($0.value, quotes: true))\"" }.joined(separator: ",")
            text += Array("{\(list)}".utf8)
        }
        text += Array(" \(number(value))\n".utf8)
    }

    private static func number(_ value: Double) -> String {
        switch value {
        case .infinity: "+Inf"
        case -.infinity: "-Inf"
        case _ where value.isNaN: "NaN"
        // Doubles hold whole numbers up to 2^53.
        case _ where value == value.rounded() && value.magnitude < 0x1p53: "\(Int64(value))"
        default: "\(value)"
        }
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\"" where quotes: result += "\\\""
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension MetricFamily.Kind {
    /// The end of names of this kind, which OpenMetrics leaves out of the family's.
    fileprivate var suffix: String {
        switch self {
        case .counter: "_total"
        case .info: "_info"
        case .gauge, .histogram: ""
        }
    }
}

extension String {
    fileprivate func dropSuffix(_ suffix: String) -> String {
        !suffix.isEmpty && hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
