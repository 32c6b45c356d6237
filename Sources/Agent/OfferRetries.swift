internal import Alerts
internal import Bytes

/// Offers that could not be made, for example because a file can't be read, until they are or their visit is over.
///
/// At most `capacity`; further ones are dropped.
struct OfferRetries: Sendable {
    /// The most offers that wait.
    static let capacity = 1000
    /// The most offers that are listed as problems.
    static let listed = 3

    private struct Retry: Sendable {
        var attempt: OfferAttempt
        var reason: String
        var due: Timestamp
    }

    private var waiting: [Retry] = []
    /// Offers dropped since the start because there was no room.
    private(set) var dropped = 0

    /// The time for the next call of `takeDue`; nil while nothing waits.
    var nextDeadline: Timestamp? { waiting.map(\.due).min() }

    /// Adds an offer with its pause; one that already waits is not added again.
    mutating func add(_ attempt: OfferAttempt, because reason: String, at time: Timestamp) {
        guard !waiting.contains(where: { $0.attempt.name == attempt.name && $0.attempt.subject == attempt.subject })
        else { return }
        guard waiting.count < Self.capacity else {
            dropped += 1
            return
        }
        var next = attempt
        next.pause = min(attempt.pause * 2, OfferAttempt.longestPause)
        waiting.append(Retry(attempt: next, reason: reason, due: time.advanced(by: attempt.pause)))
    }

    /// Removes and returns those at the end of their pause; one that is held back waits for as long again.
    mutating func takeDue(at time: Timestamp, unless isHeldBack: (Crossing.Subject) -> Bool) -> [OfferAttempt] {
        var due: [OfferAttempt] = []
        for index in waiting.indices where waiting[index].due <= time {
            if isHeldBack(waiting[index].attempt.subject) {
                waiting[index].due = time.advanced(by: waiting[index].attempt.pause)
            } else {
                due.append(waiting[index].attempt)
            }
        }
        waiting.removeAll { $0.due <= time }
        return due
    }

    /// Drops those that are over.
    mutating func removeAll(where isOver: (OfferAttempt) -> Bool) { waiting.removeAll { isOver($0.attempt) } }

    /// Records that the wall clock was set forward by `step`, or back if negative.
    mutating func clockStepped(by step: Duration) {
        for index in waiting.indices { waiting[index].due = waiting[index].due.advanced(by: step) }
    }

    /// The offers that could not be made, with the reasons: a sentence for each of the first ones, and the number of
    /// the others.
    var problems: [String] {
        let first = waiting.prefix(Self.listed).map { "\($0.attempt.label) could not be made: \($0.reason)" }
        let others = waiting.count - Self.listed
        return others > 0 ? first + ["\(others) more offers could not be made"] : first
    }
}
