internal import Bytes

/// The limit on resuming a scan that other programs change: up to five times at once, one more every four seconds, and
/// never more than 20 times a minute.
struct Insistence: Hashable, Sendable {
    static let burst = 5
    /// The time in microseconds after which one more is granted.
    static let refill: Int64 = 4_000_000

    private var granted = Insistence.burst
    private var since = Timestamp(microseconds: 0)

    /// The first moment from `now` on at which the scan may be resumed.
    func nextChance(from now: Timestamp) -> Timestamp {
        granted > 0 ? now : max(now, since.advanced(byMicroseconds: Self.refill))
    }

    /// Uses one of the chances; returns false if there is none yet.
    mutating func take(at now: Timestamp) -> Bool {
        if granted == Self.burst { since = now }
        let more = now.microseconds(since: since) / Self.refill
        if more > 0 {
            granted = Int(min(Int64(granted) + more, Int64(Self.burst)))
            since = granted == Self.burst ? now : since.advanced(byMicroseconds: more * Self.refill)
        }
        guard granted > 0 else { return false }
        granted -= 1
        return true
    }
}
