internal import Bytes
internal import RoomEstimation

/// The confirmation of an item's place by packets: the earliest time at which it can have left that place.
struct Confirmation: Sendable {
    /// The time at which the answer was last the likeliest by packets; for an item that is away, the time at which it
    /// was found to be.
    private(set) var last: Timestamp
    /// The time from which nobody listened before this run; nil once packets have confirmed its place for long enough.
    private var pausedFrom: Timestamp?
    private var hopsSincePause = 0

    /// - Parameter isPaused: true if nobody listened between then and now.
    init(at time: Timestamp, isPaused: Bool = false) {
        last = time
        if isPaused { pausedFrom = time }
    }

    /// The earliest time at which a move that is found now can have happened.
    var earliestMove: Timestamp { pausedFrom ?? last }

    /// Records that its place is the likeliest by packets. After a pause it is so by belief alone at first.
    mutating func confirm(at time: Timestamp) {
        guard pausedFrom != nil else { return last = time }
        hopsSincePause += 1
        if hopsSincePause >= Parameters.Household.hopsAfterPause { pausedFrom = nil }
    }

    /// Records that it was found to be away.
    mutating func confirmAway(at time: Timestamp) { last = time }
}
