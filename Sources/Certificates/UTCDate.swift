internal import Bytes
internal import CSSL
internal import Glibc

/// Moments in the form of certificates and of the sentences about them.
enum UTCDate {
    /// The moment of an ASN.1 time; nil if there is none. Beyond the years of a `Timestamp` it is the last one.
    static func moment(_ time: UnsafePointer<ASN1_TIME>?) -> Timestamp? {
        guard let time = unsafe time else { return nil }
        let seconds = unsafe wb_unix_time(time)
        guard seconds != .min else { return nil }
        let (microseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        return Timestamp(microseconds: overflow ? .max : microseconds)
    }

    /// The current time to a second.
    static var now: Timestamp { Timestamp(microseconds: Int64(time(nil)) * 1_000_000) }

    /// The day alone, such as `2026-11-21`, for sentences that are repeated when they change.
    static func day(_ moment: Timestamp) -> String { String(text(moment).prefix { $0 != " " }) }

    /// A text such as `2026-11-21 08:25 UTC` (gmtime_r(3)).
    static func text(_ moment: Timestamp) -> String {
        var seconds = time_t(moment.floor(toMultipleOf: 60_000_000).microseconds / 1_000_000)
        var parts = unsafe tm()
        unsafe gmtime_r(&seconds, &parts)
        func digits(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let day = unsafe "\(parts.tm_year + 1900)-\(digits(parts.tm_mon + 1))-\(digits(parts.tm_mday))"
        return unsafe "\(day) \(digits(parts.tm_hour)):\(digits(parts.tm_min)) UTC"
    }
}
