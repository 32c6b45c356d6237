internal import Bytes
internal import RoomEstimation

/// The ends of the last intervals that were weighed.
struct IntervalHistory: Sendable {
    /// The last interval.
    private(set) var last: Timestamp?
    /// The interval before the last, if items were placed in it.
    private(set) var placedBefore: Timestamp?
    /// The last interval in which items were placed.
    private var placed: Timestamp?
    /// The last interval in which a node listened, or received a packet; nil once places have been given up since.
    private var listened: Timestamp?

    /// The earliest time at which there will have been no listening node for so long that nothing is known; nil if it
    /// has passed already.
    var earliestDeafness: Timestamp? { listened?.advanced(by: Parameters.Household.deafAfter) }

    /// Records an interval that is being weighed.
    mutating func append(_ end: Timestamp, isPlacing: Bool, isListened: Bool) {
        placedBefore = isPlacing ? placed : nil
        placed = isPlacing ? end : nil
        last = end
        if isListened { listened = end }
    }

    /// Records that all places were given up.
    mutating func endListening() { listened = nil }

    /// True if the last interval lies so far behind `time` that the clock was set back.
    func isAhead(of time: Timestamp) -> Bool {
        last.map { $0.duration(since: time) > Parameters.Household.clockTolerance } ?? false
    }
}
