/// What a controller does.
public enum Effect: Sendable {
    /// Gives its host a packet, with the H4 indicator, in which there are so many reports.
    case packet([UInt8], reports: UInt64 = 0)
    /// Something to be remembered as the truth: words of the form `key=value` behind a name.
    case truth(String)
}

/// Nanoseconds of the monotonic clock.
public typealias Nanoseconds = UInt64

extension UInt64 {
    /// So many milliseconds.
    static func milliseconds(_ count: Double) -> Nanoseconds { UInt64(Swift.max(0, count) * 1e6) }
}
