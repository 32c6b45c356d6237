extension Duration {
    /// A duration of so many minutes.
    public static func minutes(_ count: Int) -> Duration { .seconds(60 * count) }

    /// A duration of so many hours.
    public static func hours(_ count: Int) -> Duration { .seconds(3600 * count) }

    /// A duration of so many days of 24 hours.
    public static func days(_ count: Int) -> Duration { .seconds(86_400 * count) }

    /// Whole milliseconds, truncated; it stops at the ends of what can be represented.
    public var milliseconds: Int64 { whole(unitsPerSecond: 1000) }

    /// Whole microseconds, truncated, in the unit of `Timestamp`; it stops at the ends of what can be represented.
    public var microseconds: Int64 { whole(unitsPerSecond: 1_000_000) }

    /// Whole nanoseconds, truncated, in the unit of `MonotonicTime`; it stops at the ends of what can be represented.
    public var nanoseconds: Int64 { whole(unitsPerSecond: 1_000_000_000) }

    /// Seconds, to a nanosecond, or of durations over a hundred days to the precision of a `Double`.
    public var seconds: Double {
        let (seconds, attoseconds) = components
        guard seconds.magnitude < 9_000_000 else { return Double(seconds) + Double(attoseconds) / 1e18 }
        // One division of whole numbers is rounded correctly; a sum of a rounded fraction may not be.
        return Double(seconds * 1_000_000_000 + attoseconds / 1_000_000_000) / 1e9
    }

    /// The duration without its sign.
    public var magnitude: Duration { self < .zero ? .zero - self : self }

    /// The duration with the other sign.
    public static prefix func - (duration: Duration) -> Duration { .zero - duration }

    /// Whole units of which `count`, a power of ten, make a second.
    private func whole(unitsPerSecond count: Int64) -> Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: count)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, isBeyond) = product.addingReportingOverflow(attoseconds / (1_000_000_000_000_000_000 / count))
        return isBeyond ? (seconds < 0 ? .min : .max) : sum
    }
}
