import Bytes

/// Converts a file's times to moments. A file can contain any number: one more than 100,000 years from 1970 gives nil.
enum CaptureTime {
    /// The limit in microseconds that prevents an overflow of later sums of times.
    static let limit: Int64 = 3_200_000_000_000_000_000

    /// A number of microseconds since a moment that lies `origin` microseconds before 1970.
    static func timestamp(microseconds: Int64, since origin: Int64) -> Timestamp? {
        let (difference, overflow) = microseconds.subtractingReportingOverflow(origin)
        guard !overflow, difference.magnitude <= limit else { return nil }
        return Timestamp(microseconds: difference)
    }

    /// Whole seconds since 1970 and microseconds on top.
    static func timestamp(seconds: Int64, microseconds: Int64) -> Timestamp? {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        let (sum, overflows) = product.addingReportingOverflow(microseconds)
        guard !overflow, !overflows, sum.magnitude <= limit else { return nil }
        return Timestamp(microseconds: sum)
    }
}
