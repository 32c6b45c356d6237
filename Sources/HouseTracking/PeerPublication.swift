internal import Bytes
internal import WireProtocol

/// Another fuser's publications of an item, beside the decisions of this one that it did not publish.
struct PeerPublication: Sendable {
    /// The other's answer.
    struct Answer: Sendable {
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
        case adopt(Answer)
    }

    /// Unpublished moves that are retained; the oldest are dropped first.
    static let capacity = 4

    /// The other's last answer; nil if none was published.
    var answer: Answer?
    /// The other's last event.
    private var event: ItemEvent?
    private(set) var unpublished: [Tracker.Change] = []

    /// Retains a move that another fuser is to publish.
    mutating func retain(_ change: Tracker.Change) {
        guard change.kind != nil, event.map({ !Self.isSame($0, change) }) ?? true else { return }
        if unpublished.count == Self.capacity { unpublished.removeFirst() }
        unpublished.append(change)
    }

    /// Clears the window that decided a move, if it was of a node that no longer exists.
    mutating func forgetNode(_ node: Int) {
        for index in unpublished.indices where unpublished[index].deciding?.node == node {
            unpublished[index].deciding = nil
        }
    }

    /// Consumes the other's event: the same move needs no second one.
    mutating func receive(_ event: ItemEvent) {
        self.event = event
        unpublished.removeAll { Self.isSame(event, $0) }
    }

    /// Takes over from a fuser whose last sign of life was at `end`, or which lives.
    ///
    /// Of the unpublished moves those remain, corrected, that the other cannot have published or decided against.
    /// `before` is the time since which the answer held that the other published before its last.
    mutating func takeOver(
        isAway: Bool, room: Int?, end: Timestamp?, before: Timestamp?, rooms: [String]
    ) -> Takeover {
        defer { (answer, event) = (nil, nil) }
        guard let answer else { return .stand }
        guard let end, answer.state != .unknown else {
            unpublished = []
            return answer.state == .unknown ? .stand : .adopt(answer)
        }
        if isAway == (answer.state == .away), room == answer.room {
            // It may have died after its answer and before its event.
            unpublished.removeAll { $0.at <= end.advanced(by: -Household.handover) }
            if let last = unpublished.indices.last { unpublished[last].ending = before }
        } else {
            unpublished.removeAll { $0.at <= end }
            connectMoves(from: answer.room.map { rooms[$0] })
        }
        return unpublished.isEmpty ? .adopt(answer) : .stand
    }

    /// Removes and returns the unpublished moves.
    mutating func takeUnpublished() -> [Tracker.Change] {
        defer { unpublished = [] }
        return unpublished
    }

    /// Makes the moves consecutive, from a room or from away.
    private mutating func connectMoves(from room: String?) {
        var place = room
        var moves: [Tracker.Change] = []
        for var move in unpublished where move.room != place {
            move.kind = move.room == nil ? .left : place == nil ? .arrived : .moved
            move.previous = place
            place = move.room
            moves.append(move)
        }
        unpublished = moves
    }

    private static func isSame(_ event: ItemEvent, _ change: Tracker.Change) -> Bool {
        event.kind == change.kind && event.room == change.room
            && event.at.duration(since: change.at).magnitude <= ItemEvent.coincidence
    }
}
