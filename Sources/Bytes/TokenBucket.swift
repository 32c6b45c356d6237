/// A rate limit: a burst at once, then one token an interval. Unused tokens gather up to the burst.
///
///     if bucket.take(at: now) { send() } else { wait(until: bucket.nextChance(from: now)) }
///
/// Times and the interval are in one unit of one clock, which the owner chooses.
public struct TokenBucket: Hashable, Sendable {
    /// The most tokens that are available at once.
    public let burst: Int
    /// The time after which one more token is available.
    public let interval: Int64
    /// The time at which the whole burst is available again; `.min` before the first token is taken.
    private var full = Int64.min

    /// A full bucket. `burst` and `interval` must be positive.
    public init(burst: Int, interval: Int64) {
        self.burst = burst
        self.interval = interval
    }

    /// The first time from `now` on at which a token is available.
    public func nextChance(from now: Int64) -> Int64 {
        let (time, overflow) = full.subtractingReportingOverflow(interval * Int64(burst - 1))
        return overflow ? now : max(now, time)
    }

    /// Takes a token; returns false if there is none.
    public mutating func take(at now: Int64) -> Bool {
        guard nextChance(from: now) == now else { return false }
        let (time, overflow) = max(full, now).addingReportingOverflow(interval)
        full = overflow ? .max : time
        return true
    }

    /// Records that the clock was set forward by `step`, or back if negative: no time has passed.
    public mutating func clockStepped(by step: Int64) {
        guard full != .min else { return }
        let (time, overflow) = full.addingReportingOverflow(step)
        full = overflow ? (step < 0 ? .min : .max) : time
    }
}
