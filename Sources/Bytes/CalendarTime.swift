internal import Glibc

/// The date and the time of day of a moment in the Gregorian calendar, as texts (gmtime_r(3)). Pure, as is this whole
/// target.
public struct CalendarTime: Hashable, Sendable {
    /// The date, such as `2026-11-21`.
    public let date: String
    /// The time of day to a second, such as `08:25:43`.
    public let clock: String
    /// The milliseconds of the second, such as `120`.
    public let milliseconds: String

    /// The calendar time of a moment where clocks are so many seconds ahead of UTC.
    public init(_ time: Timestamp, secondsEast: Int = 0) {
        let whole = time.floor(toMultipleOf: 1_000_000)
        var seconds = time_t(whole.microseconds / 1_000_000 + Int64(secondsEast))
        var parts = unsafe tm()
        unsafe gmtime_r(&seconds, &parts)
        let (year, month, day) = unsafe (parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday)
        date = "\(year)-\(Self.digits(Int(month), 2))-\(Self.digits(Int(day), 2))"
        clock = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec].map { Self.digits(Int($0), 2) }
            .joined(separator: ":")
        milliseconds = Self.digits(Int(time.microseconds(since: whole) / 1000), 3)
    }

    /// A moment in the form for programs, ISO 8601 in UTC, such as `2026-11-21T08:25:43.120Z`.
    public static func iso8601(_ time: Timestamp) -> String {
        let parts = CalendarTime(time)
        return "\(parts.date)T\(parts.clock).\(parts.milliseconds)Z"
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
