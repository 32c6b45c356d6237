internal import Bytes

/// Durations in the form of configurations: a number and `ms`, `s`, `m`, `h` or `d`.
public enum DurationText {
    private static let units: [(name: String, milliseconds: Double)] = [
        ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000),
        ("d", 86_400_000),
    ]

    /// The duration of a text such as `500ms` or `1.5s`; nil unless it is whole milliseconds, at most 10 years.
    public static func duration(_ text: String) -> Duration? {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard digits.utf8.count <= 15, let number = Double(digits),
            let unit = units.first(where: { $0.name == text.dropFirst(digits.count) })
        else { return nil }
        let milliseconds = number * unit.milliseconds
        guard milliseconds <= 3.2e11, (milliseconds - milliseconds.rounded()).magnitude < 1e-6 else { return nil }
        return .milliseconds(Int64(milliseconds.rounded()))
    }

    /// A duration in its largest unit that leaves a whole number, such as `2m` or `1500ms`.
    public static func text(_ duration: Duration) -> String {
        let milliseconds = duration.milliseconds
        for unit in units.reversed() {
            let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: Int64(unit.milliseconds))
            if remainder == 0, milliseconds != 0 { return "\(quotient)\(unit.name)" }
        }
        return "\(milliseconds)ms"
    }
}
