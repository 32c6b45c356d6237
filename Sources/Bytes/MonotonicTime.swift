/// A moment on a clock that is never set, such as the time since the machine started.
///
/// Moments of two clocks, or of two runs of the machine, have no relation.
public struct MonotonicTime: InstantProtocol {
    /// Nanoseconds since the start of the clock.
    public let nanoseconds: Int64

    /// The moment so many nanoseconds after the start of the clock.
    @inlinable
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The start of the clock.
    public static let start = MonotonicTime(nanoseconds: 0)
    /// A moment before all others, which has always passed.
    public static let distantPast = MonotonicTime(nanoseconds: .min)
    /// A moment after all others, which never comes.
    public static let distantFuture = MonotonicTime(nanoseconds: .max)

    /// This moment moved by a duration; it stops at the ends of what can be represented.
    public func advanced(by duration: Duration) -> MonotonicTime {
        let delta = duration.nanoseconds
        let (sum, overflow) = nanoseconds.addingReportingOverflow(delta)
        return MonotonicTime(nanoseconds: overflow ? (delta < 0 ? .min : .max) : sum)
    }

    /// The time from this moment to `other`; negative when `other` is the earlier one.
    public func duration(to other: MonotonicTime) -> Duration { other - self }

    /// The moment a duration after `time`.
    public static func + (time: MonotonicTime, duration: Duration) -> MonotonicTime { time.advanced(by: duration) }

    /// The moment a duration before `time`.
    public static func - (time: MonotonicTime, duration: Duration) -> MonotonicTime {
        time.advanced(by: -duration)
    }

    /// The time from `earlier` to `later`.
    public static func - (later: MonotonicTime, earlier: MonotonicTime) -> Duration {
        .nanoseconds(later.nanoseconds) - .nanoseconds(earlier.nanoseconds)
    }

    /// Returns true if `left` is the earlier moment.
    @inlinable
    public static func < (left: MonotonicTime, right: MonotonicTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}
