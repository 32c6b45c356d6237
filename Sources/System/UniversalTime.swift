public import Bytes
internal import Glibc

/// Moments in the form for programs: ISO 8601 in UTC.
public enum UniversalTime {
    /// A text such as `2026-11-21T08:25:43.120Z` (gmtime_r(3)).
    public static func text(_ time: Timestamp) -> String {
        let whole = time.floor(toMultipleOf: 1_000_000)
        var seconds = time_t(whole.microseconds / 1_000_000)
        var broken = unsafe tm()
        _ = unsafe gmtime_r(&seconds, &broken)
        let milliseconds = Int(time.microseconds(since: whole) / 1000)
        let parts = unsafe [LocalTime.date(broken), LocalTime.clock(broken)]
        return "\(parts[0])T\(parts[1]).\(LocalTime.digits(milliseconds, 3))Z"
    }
}
