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
    static func day(_ moment: Timestamp) -> String { CalendarTime(moment).date }

    /// A text such as `2026-11-21 08:25 UTC`.
    static func text(_ moment: Timestamp) -> String {
        let parts = CalendarTime(moment)
        return "\(parts.date) \(parts.clock.prefix(5)) UTC"
    }
}
