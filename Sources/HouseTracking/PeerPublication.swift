internal import Bytes
internal import WireProtocol

/// Another fuser's publications of an item, beside the decisions of this one that it did not publish.
struct PeerPublication: Sendable {
    /// The other's answer.
    struct Answer: Sendable {
        var fuser: String
        var state: Location.State
        /// The id of the room; nil while away or unknown.
        var roomID: String?
        /// The index of the room; nil also while no node has named it here.
        var room: Int?
        var since: Timestamp
        var previous: Int?
        var confidence: Double
        /// The time of its publication.
        var published: Timestamp
        /// The number of the item's last event as it was published.
        var event: UInt64
        /// True if it is the answer to a move, whose event the other has counted.
        var countsEvent = false
        /// True for the last answer of this fuser itself, from before it ceased to publish the item.
        var isOwn = false

        var isAway: Bool { state == .away }
        /// True if its room is known here.
        var isResolved: Bool { (room == nil) == (roomID == nil) }
    }

    /// Unpublished moves that are retained; the oldest are dropped first.
    static let capacity = 4

    /// The other's last answer; nil if none was published.
    private(set) var answer: Answer?
    /// The answer that its last move ended; nil if that was not received.
    private var former: Answer?
    /// The other's last event.
    private var event: ItemEvent?
    private(set) var unpublished: [Tracker.Change] = []

    /// Records the other's answer.
    mutating func receive(_ answer: Answer) {
        if let last = self.answer, last.since != answer.since { former = last }
        self.answer = answer
    }

    /// Sets the room of the other's answer, which no node had named when it was received.
    mutating func resolve(_ room: Int?) { answer?.room = room }

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
    /// `before` is the time since which the answer held that the other published before its last. Returns the other's answer if
    /// that holds; nil if the own one does.
    mutating func takeOver(
        isAway: Bool, room: Int?, end: Timestamp?, before: Timestamp?, rooms: [String]
    ) -> Answer? {
        defer { (answer, former, event) = (nil, nil, nil) }
        guard let answer else { return nil }
        let isSame = isAway == answer.isAway && room == answer.room && answer.isResolved
        if answer.isOwn {
            // Nobody has published the item meanwhile: one move leads from the answer that stands to where the item is.
            unpublished = isSame ? [] : unpublished.suffix(1)
            dropMoves(notTo: room.map { rooms[$0] })
            connectMoves(from: answer.roomID)
            return unpublished.isEmpty && !isSame ? answer : nil
        }
        guard let end, answer.state != .unknown else {
            unpublished = []
            return answer.state == .unknown || !answer.isResolved ? nil : answer
        }
        if isSame {
            // It may have died after its answer and before its event.
            let isTold = event.map { $0.at >= answer.since } ?? false
            let isComplete = isTold || answer.since <= end.advanced(by: -Household.handover)
            unpublished.removeAll { isComplete || $0.at <= end.advanced(by: -ItemEvent.coincidence) }
            dropMoves(notTo: room.map { rooms[$0] })
            unpublished = unpublished.suffix(1)
            if let last = unpublished.indices.last {
                let former = former.flatMap { $0.state == .unknown ? nil : $0 }
                let kind = former.flatMap { ItemEvent.Kind.leading(from: $0.roomID, to: answer.roomID) }
                (unpublished[last].ending, unpublished[last].isCounted) = (before, answer.countsEvent)
                if answer.countsEvent {
                    // The event of the answer that stands leads from where the other had the item. Where that is not known it
                    // can't get the other's id; it is in the other's state, and is repeated from there.
                    guard let former, let kind, former.event + 1 == answer.event else {
                        unpublished = []
                        return answer
                    }
                    (unpublished[last].kind, unpublished[last].previous) = (kind, former.roomID)
                } else if former != nil, kind == nil {
                    // The item was elsewhere meanwhile, and nobody said so.
                    unpublished = []
                }
            }
        } else {
            unpublished.removeAll { $0.at <= end }
            dropMoves(notTo: room.map { rooms[$0] })
            connectMoves(from: answer.roomID)
        }
        // In a room that no node has named here there is nothing to go on from.
        return unpublished.isEmpty && answer.isResolved ? answer : nil
    }

    /// Removes and returns the unpublished moves.
    mutating func takeUnpublished() -> [Tracker.Change] {
        defer { unpublished = [] }
        return unpublished
    }

    /// Drops the moves if they do not lead to where the item is now: its place was lost since, and found without a move.
    private mutating func dropMoves(notTo room: String?) {
        if unpublished.last.map({ $0.room != room }) ?? false { unpublished = [] }
    }

    /// Makes the moves consecutive, from a room or from away.
    private mutating func connectMoves(from room: String?) {
        var place = room
        var moves: [Tracker.Change] = []
        for var move in unpublished where move.room != place {
            move.kind = .leading(from: place, to: move.room)
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

extension ItemEvent.Kind {
    /// The kind of a move from a room, or from away, to another, or away; nil if both are the same.
    static func leading(from previous: String?, to room: String?) -> Self? {
        guard previous != room else { return nil }
        return room == nil ? .left : previous == nil ? .arrived : .moved
    }
}
