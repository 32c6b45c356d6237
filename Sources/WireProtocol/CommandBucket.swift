/// A rate limit of commands: a burst, then so many a second, from all senders together.
///
///     if bucket.take(at: now) { obey(message) }
///     if let refused = bucket.takeRefused(at: now) { answer("\(refused) commands were too many") }
///
/// Time is monotonic, in nanoseconds.
public struct CommandBucket: Sendable {
    /// The number of commands executed in a burst after a pause.
    public static let burst = 20
    /// The sustained number of commands executed in a second.
    public static let perSecond = 10
    private static let second: Int64 = 1_000_000_000
    private static let share = second / Int64(perSecond)

    /// Commands rejected since the last report.
    public private(set) var refused = 0
    /// The time at which the whole burst is available again.
    private var full = Int64.min
    private var told = Int64.min

    /// A bucket that has rested.
    public init() {}

    /// Counts a command. Returns true if it is to be executed.
    public mutating func take(at now: Int64) -> Bool {
        let start = max(full, now)
        guard start - now <= Self.share * Int64(Self.burst - 1) else {
            refused += 1
            return false
        }
        full = start + Self.share
        return true
    }

    /// The number of commands rejected since the last call; nil if there are none, or the last report was less than a
    /// second ago.
    public mutating func takeRefused(at now: Int64) -> Int? {
        guard refused > 0, told == .min || now - told >= Self.second else { return nil }
        defer { refused = 0 }
        told = now
        return refused
    }
}
