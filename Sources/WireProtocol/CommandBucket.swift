/// How many commands are obeyed: so many at once, so many a second, whoever sends them.
///
///     if bucket.take(at: now) { obey(message) }
///     if let refused = bucket.takeRefused(at: now) { answer("\(refused) commands were too many") }
///
/// Time is monotonic, in nanoseconds.
public struct CommandBucket: Sendable {
    /// Commands obeyed at once, after a rest.
    public static let burst = 20
    /// Commands obeyed in a second, for as long as they come.
    public static let perSecond = 10
    private static let second: Int64 = 1_000_000_000
    private static let share = second / Int64(perSecond)

    /// Commands refused since they were told last.
    public private(set) var refused = 0
    /// When as many as may be obeyed at once may be again.
    private var full = Int64.min
    private var told = Int64.min

    /// A bucket that has rested.
    public init() {}

    /// Takes a command into account; whether it is to be obeyed.
    public mutating func take(at now: Int64) -> Bool {
        let start = max(full, now)
        guard start - now <= Self.share * Int64(Self.burst - 1) else {
            refused += 1
            return false
        }
        full = start + Self.share
        return true
    }

    /// How many were refused since the last time; nil where there are none, or that was less than a second ago.
    public mutating func takeRefused(at now: Int64) -> Int? {
        guard refused > 0, told == .min || now - told >= Self.second else { return nil }
        defer { refused = 0 }
        told = now
        return refused
    }
}
