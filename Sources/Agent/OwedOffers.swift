internal import Alerts
internal import Bytes

/// Offers that could not be made, such as of a file that can't be read, until they are or their visit is over.
///
/// At most `capacity`; of more the visits are not offered anything any more.
struct OwedOffers: Sendable {
    /// Offers that wait at once.
    static let capacity = 1000
    /// Those that are listed as problems at once.
    static let listed = 3

    private struct Owed: Sendable {
        var attempt: OfferAttempt
        var reason: String
        var due: Timestamp
    }

    private var waiting: [Owed] = []
    /// Offers that found no room here since the start.
    private(set) var dropped = 0

    /// When `takeDue` is to be called next; nil while nothing waits.
    var nextDeadline: Timestamp? { waiting.map(\.due).min() }

    /// Has an offer wait for its pause; one that waits already is not added again.
    mutating func add(_ attempt: OfferAttempt, because reason: String, at time: Timestamp) {
        guard !waiting.contains(where: { $0.attempt.name == attempt.name && $0.attempt.subject == attempt.subject })
        else { return }
        guard waiting.count < Self.capacity else {
            dropped += 1
            return
        }
        var next = attempt
        next.pause = min(2 * attempt.pause, OfferAttempt.longestPause)
        waiting.append(Owed(attempt: next, reason: reason, due: time.advanced(byMicroseconds: attempt.pause)))
    }

    /// Gives up those whose pause is over; what is held back waits for as long again.
    mutating func takeDue(at time: Timestamp, unless isHeldBack: (Crossing.Subject) -> Bool) -> [OfferAttempt] {
        var due: [OfferAttempt] = []
        for index in waiting.indices where waiting[index].due <= time {
            if isHeldBack(waiting[index].attempt.subject) {
                waiting[index].due = time.advanced(byMicroseconds: waiting[index].attempt.pause)
            } else {
                due.append(waiting[index].attempt)
            }
        }
        waiting.removeAll { $0.due <= time }
        return due
    }

    /// Lets go of those that nobody waits for any more.
    mutating func removeAll(where isOver: (OfferAttempt) -> Bool) { waiting.removeAll { isOver($0.attempt) } }

    /// The wall clock was set forward by so many microseconds, or back.
    mutating func clockStepped(by step: Int64) {
        for index in waiting.indices { waiting[index].due = waiting[index].due.advanced(byMicroseconds: step) }
    }

    /// What could not be made, and why: a sentence each, the first ones and how many more there are.
    var problems: [String] {
        let first = waiting.prefix(Self.listed).map { "\($0.attempt.label) could not be made: \($0.reason)" }
        let others = waiting.count - Self.listed
        return others > 0 ? first + ["\(others) more offers could not be made"] : first
    }
}
