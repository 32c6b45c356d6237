internal import Bytes

/// The part of the current interval, and of intervals left out before it, in which the node didn't listen.
struct MissedTime: Sendable {
    private var total = Duration.zero
    /// The time since which the node doesn't listen, or up to which that was counted; nil while it listens.
    private var deafSince: Timestamp?

    var isDeaf: Bool { deafSince != nil }

    mutating func stopListening(at time: Timestamp) {
        if deafSince == nil { deafSince = time }
    }

    mutating func resumeListening(at time: Timestamp) {
        addMissed(until: time)
        deafSince = nil
    }

    /// Counts time without listening that was found afterwards.
    mutating func addGap(_ time: Duration) { total += max(.zero, time) }

    /// Begins a new count after intervals that were left out.
    mutating func leaveOut(from start: Timestamp, to end: Timestamp) {
        total = max(.zero, end.duration(since: start))
        if isDeaf { deafSince = end }
    }

    /// The clock was set: no time has passed from `before` on its old setting to `after` on the new one.
    mutating func clockStepped(from before: Timestamp, to after: Timestamp) {
        addMissed(until: before)
        if isDeaf { deafSince = after }
    }

    /// The interval ends before its time; a later gap is reported anew.
    mutating func endEarly() { deafSince = nil }

    /// The missed part of the interval that ends at `end`; begins a new count there.
    mutating func takeTotal(until end: Timestamp) -> Duration {
        addMissed(until: end)
        defer { total = .zero }
        return total
    }

    private mutating func addMissed(until time: Timestamp) {
        guard let since = deafSince, since < time else { return }
        total += time.duration(since: since)
        deafSince = time
    }
}
