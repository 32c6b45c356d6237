/// A moment, in microseconds since the Unix epoch (1970-01-01T00:00:00Z), or on a clock that the caller names.
///
/// Pure stages take a `Timestamp` as a parameter and never read a clock. On the wire a moment is Unix seconds with
/// milliseconds.
public struct Timestamp: InstantProtocol {
    /// Microseconds since the Unix epoch; negative before it.
    public var microseconds: Int64

    /// A moment at so many microseconds since the Unix epoch.
    @inlinable
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// A moment at so many seconds since the Unix epoch, rounded to a microsecond.
    ///
    /// Returns nil for a number that isn't finite or lies more than 100,000 years from the epoch.
    public init?(seconds: Double) {
        guard seconds.magnitude < 3.2e12 else { return nil }
        self.init(microseconds: Int64((seconds * 1e6).rounded()))
    }

    /// Seconds since the Unix epoch.
    @inlinable
    public var seconds: Double { Double(microseconds) / 1e6 }

    /// Milliseconds since 1970, rounded to the nearest, as ``JSONWriter`` publishes them.
    public var milliseconds: Int64 {
        let (milliseconds, remainder) = microseconds.quotientAndRemainder(dividingBy: 1000)
        return milliseconds + (remainder >= 500 ? 1 : remainder < -500 ? -1 : 0)
    }

    /// This moment moved by a duration, truncated to a microsecond; it stops at the ends of what can be represented.
    public func advanced(by duration: Duration) -> Timestamp { advanced(byMicroseconds: duration.microseconds) }

    /// This moment moved by so many microseconds; it stops at the ends of what can be represented.
    @inlinable
    public func advanced(byMicroseconds delta: Int64) -> Timestamp {
        let (sum, overflow) = microseconds.addingReportingOverflow(delta)
        return Timestamp(microseconds: overflow ? (delta < 0 ? .min : .max) : sum)
    }

    /// This moment moved by so many seconds, rounded to a microsecond; it stops at the ends of what can be represented.
    ///
    /// NaN doesn't move it.
    @inlinable
    public func advanced(bySeconds delta: Double) -> Timestamp {
        let microseconds = (delta * 1e6).rounded()
        guard microseconds.magnitude < 0x1p63 else {
            return microseconds.isNaN ? self : Timestamp(microseconds: microseconds < 0 ? .min : .max)
        }
        return advanced(byMicroseconds: Int64(microseconds))
    }

    /// Microseconds from `earlier` to this moment; negative when this moment is the earlier one.
    @inlinable
    public func microseconds(since earlier: Timestamp) -> Int64 {
        let (difference, overflow) = microseconds.subtractingReportingOverflow(earlier.microseconds)
        return overflow ? (microseconds < earlier.microseconds ? .min : .max) : difference
    }

    /// The time from `earlier` to this moment; negative when this moment is the earlier one.
    @inlinable
    public func duration(since earlier: Timestamp) -> Duration {
        .microseconds(microseconds) - .microseconds(earlier.microseconds)
    }

    /// The time from this moment to `other`; negative when `other` is the earlier one.
    @inlinable
    public func duration(to other: Timestamp) -> Duration { other.duration(since: self) }

    /// Seconds from `earlier` to this moment; negative when this moment is the earlier one.
    @inlinable
    public func seconds(since earlier: Timestamp) -> Double {
        Double(microseconds(since: earlier)) / 1e6
    }

    /// The last multiple of `interval` microseconds at or before this moment. `interval` must be positive.
    @inlinable
    public func floor(toMultipleOf interval: Int64) -> Timestamp {
        let remainder = microseconds % interval
        return advanced(byMicroseconds: -(remainder < 0 ? remainder + interval : remainder))
    }

    /// The last multiple of `interval` at or before this moment. `interval` must be at least a microsecond.
    public func floor(toMultipleOf interval: Duration) -> Timestamp { floor(toMultipleOf: interval.microseconds) }

    /// Returns true if `left` is the earlier moment.
    @inlinable
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microseconds < right.microseconds
    }
}
