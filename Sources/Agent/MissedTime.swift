internal import Bytes

/// How much of the current interval, and of intervals that were left out before it, wasn't listened to.
struct MissedTime: Sendable {
    private var microseconds: Int64 = 0
    /// Since when nothing is listened to, or up to where that has been counted; nil while it is listened to.
    private var deafSince: Timestamp?

    var isDeaf: Bool { deafSince != nil }

    mutating func stop(at time: Timestamp) {
        if deafSince == nil { deafSince = time }
    }

    mutating func resume(at time: Timestamp) {
        count(until: time)
        deafSince = nil
    }

    /// Counts time in which nothing was listened to though nobody had said that it stopped.
    mutating func add(_ microseconds: Int64) { self.microseconds += max(0, microseconds) }

    /// Begins to count anew behind intervals that were left out.
    mutating func leaveOut(from start: Timestamp, to end: Timestamp) {
        microseconds = max(0, end.microseconds(since: start))
        if isDeaf { deafSince = end }
    }

    /// The clock was set: from `before` on its old setting to `after` on the new one no time has passed.
    mutating func clockStepped(from before: Timestamp, to after: Timestamp) {
        count(until: before)
        if isDeaf { deafSince = after }
    }

    /// The interval ends before its time; what follows is told anew.
    mutating func endEarly() { deafSince = nil }

    /// What was missed of the interval that ends at `end`, in microseconds; counts anew from there.
    mutating func take(until end: Timestamp) -> Int64 {
        count(until: end)
        defer { microseconds = 0 }
        return microseconds
    }

    private mutating func count(until time: Timestamp) {
        guard let since = deafSince, since < time else { return }
        microseconds += time.microseconds(since: since)
        deafSince = time
    }
}
