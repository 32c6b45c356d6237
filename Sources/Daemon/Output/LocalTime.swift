public import Bytes
internal import Glibc

/// Moments as a person at this machine reads them (localtime_r(3)).
public enum LocalTime {
    /// Date and time to a millisecond, such as `2026-11-21 08:25:43.120`.
    public static func text(_ time: Timestamp) -> String {
        let parts = parts(of: time)
        return "\(parts.date) \(parts.clock).\(digits(parts.milliseconds, 3))"
    }

    /// The time of day to a second, such as `08:25:43`.
    public static func clock(_ time: Timestamp) -> String { parts(of: time).clock }

    private static func parts(of time: Timestamp) -> (date: String, clock: String, milliseconds: Int) {
        let whole = time.floor(toMultipleOf: 1_000_000)
        var seconds = time_t(whole.microseconds / 1_000_000)
        var broken = unsafe tm()
        _ = unsafe localtime_r(&seconds, &broken)
        let date = unsafe [broken.tm_year + 1900, broken.tm_mon + 1, broken.tm_mday].map { digits(Int($0), 2) }
        let clock = unsafe [broken.tm_hour, broken.tm_min, broken.tm_sec].map { digits(Int($0), 2) }
        return (
            date.joined(separator: "-"), clock.joined(separator: ":"),
            Int(time.microseconds(since: whole) / 1000)
        )
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
