internal import Bytes
internal import WireProtocol

/// Another fuser's publications of an item, beside the decisions of this one that it did not publish.
struct PeerPublication: Sendable {
    /// The other's answer.
    struct Word: Sendable {
        var fuser: String
        var state: Location.State
        var room: Int?
        var since: Timestamp
        var previous: Int?
        var confidence: Double

        var isAway: Bool { state == .away }
    }

    /// The result of a takeover.
    enum Takeover {
        /// The own answer holds.
        case stand
        /// The other's answer holds.
        case adopt(Word)
    }

    /// Unpublished moves that are retained; the oldest are dropped first.
    static let capacity = 4

    /// The other's last answer; nil if none was published.
    var word: Word?
    /// The other's last event.
    private var event: ItemEvent?
    private(set) var untold: [Tracker.Change] = []

    /// Retains a move that another fuser is to publish.
    mutating func hold(_ change: Tracker.Change) {
        guard change.kind != nil, event.map({ !Self.isSame($0, change) }) ?? true else { return }
        if untold.count == Self.capacity { untold.removeFirst() }
        untold.append(change)
    }

    /// Clears the window that decided a move, if it was of a node that no longer exists.
    mutating func forget(node: Int) {
        for index in untold.indices where untold[index].deciding?.node == node { untold[index].deciding = nil }
    }

    /// Consumes the other's event: the same move needs no second one.
    mutating func hear(_ event: ItemEvent) {
        self.event = event
        untold.removeAll { Self.isSame(event, $0) }
    }

    /// Takes over from a fuser whose last sign of life was at `end`, or which lives.
    ///
    /// Of the unpublished moves those remain, corrected, that the other cannot have published or decided against.
    /// `before` is the time since which the answer held that the other published before its last.
    mutating func takeOver(
        isAway: Bool, room: Int?, end: Timestamp?, before: Timestamp?, rooms: [String]
    ) -> Takeover {
        defer { (word, event) = (nil, nil) }
        guard let word else { return .stand }
        guard let end, word.state != .unknown else {
            untold = []
            return word.state == .unknown ? .stand : .adopt(word)
        }
        if isAway == (word.state == .away), room == word.room {
            // It may have died after its answer and before its event.
            untold.removeAll { $0.at <= end.advanced(by: -Household.handover) }
            if let last = untold.indices.last { untold[last].ending = before }
        } else {
            untold.removeAll { $0.at <= end }
            mend(from: word.room.map { rooms[$0] })
        }
        return untold.isEmpty ? .adopt(word) : .stand
    }

    /// Removes and returns the unpublished moves.
    mutating func takeUntold() -> [Tracker.Change] {
        defer { untold = [] }
        return untold
    }

    /// Makes the moves consecutive, from a room or from away.
    private mutating func mend(from room: String?) {
        var place = room
        var moves: [Tracker.Change] = []
        for var move in untold where move.room != place {
            move.kind = move.room == nil ? .left : place == nil ? .arrived : .moved
            move.previous = place
            place = move.room
            moves.append(move)
        }
        untold = moves
    }

    private static func isSame(_ event: ItemEvent, _ change: Tracker.Change) -> Bool {
        event.kind == change.kind && event.room == change.room
            && event.at.duration(since: change.at).magnitude <= ItemEvent.coincidence
    }
}
