internal import Bytes

/// The limit on resuming what other programs change: up to five times at once, one more every four seconds, and never
/// more than 20 times a minute.
struct Resumptions: Sendable {
    private var limit = TokenBucket<Timestamp>(burst: 5, interval: .seconds(4))
    /// The number of scans that were taken back from other programs.
    private(set) var takenBack = 0

    /// The first moment from `now` on at which a resumption is permitted.
    func nextChance(from now: Timestamp) -> Timestamp { limit.nextChance(from: now) }

    /// Uses one of the chances; returns false if there is none yet.
    mutating func takeChance(at now: Timestamp) -> Bool { limit.take(at: now) }

    /// Uses one of the chances to take a scan back; returns false if there is none yet.
    mutating func takeBack(at now: Timestamp) -> Bool {
        guard takeChance(at: now) else { return false }
        takenBack += 1
        return true
    }
}
