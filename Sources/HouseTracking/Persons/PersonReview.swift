internal import Bytes

/// The time at which the answers of a person's items are weighed again.
struct PersonReview: Sendable {
    /// True if something has changed since the last time; `newest` is the latest time of that.
    private(set) var isRequested = false
    private var newest = Timestamp(microseconds: .min)
    /// The time at which the answer changes without a further message; nil if it does not.
    private(set) var next: Timestamp?

    /// Requests a review: without a new answer, or of an answer of a moment.
    mutating func request(at time: Timestamp? = nil) {
        isRequested = true
        if let time { newest = max(newest, time) }
    }

    /// Drops the times of another clock.
    mutating func startAnew(at time: Timestamp) { newest = time }

    /// Begins the review that is due; returns the time that caused it, which is the same for all fusers, and nil if none
    /// is due.
    ///
    /// - Parameter since: the time since which the answer holds.
    mutating func begin(at time: Timestamp, since: Timestamp) -> Timestamp? {
        guard isRequested || next.map({ time >= $0 }) ?? false else { return nil }
        defer { isRequested = false }
        return isRequested ? max(newest, since) : next ?? time
    }

    /// Ends the review; the answer changes again at `next`.
    mutating func finish(next: Timestamp?) { self.next = next }
}
