/// A rate limit: a burst at once, then one token an interval. Unused tokens gather up to the burst.
///
///     if bucket.take(at: now) { send() } else { wait(until: bucket.nextChance(from: now)) }
///
/// All its times are of one clock, which the owner chooses.
public struct TokenBucket<Instant: InstantProtocol>: Hashable, Sendable where Instant.Duration == Duration {
    /// The most tokens that are available at once.
    public let burst: Int
    /// The time after which one more token is available.
    public let interval: Duration
    /// The time at which the whole burst is available again; nil before the first token is taken.
    private var full: Instant?

    /// A full bucket. `burst` and `interval` must be positive.
    public init(burst: Int, interval: Duration) {
        self.burst = burst
        self.interval = interval
    }

    /// The first time from `now` on at which a token is available.
    public func nextChance(from now: Instant) -> Instant {
        guard let full else { return now }
        return max(now, full.advanced(by: interval * (1 - burst)))
    }

    /// Takes a token; returns false if there is none.
    public mutating func take(at now: Instant) -> Bool {
        guard nextChance(from: now) == now else { return false }
        full = max(full ?? now, now).advanced(by: interval)
        return true
    }

    /// Records that the clock was set forward by `step`, or back if negative: no time has passed.
    public mutating func clockStepped(by step: Duration) {
        full = full?.advanced(by: step)
    }
}
