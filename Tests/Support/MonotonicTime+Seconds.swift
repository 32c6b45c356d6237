public import Bytes

extension MonotonicTime {
    /// The moment so many seconds after the start of a test's clock.
    public static func second(_ count: Int) -> MonotonicTime { .start + .seconds(count) }

    /// The moment so many seconds after the start of a test's clock.
    public static func second(_ count: Double) -> MonotonicTime { .start + .seconds(count) }
}
