internal import Bytes
internal import WireProtocol

/// What another fuser tells of an item, beside what this one decided of it and didn't tell.
struct Overheard: Sendable {
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

    /// What is to be done by one who takes over.
    enum Takeover {
        /// The own answer stands.
        case stand
        /// The other's answer stands.
        case adopt(Word)
    }

    /// Moves that are kept untold; the oldest go first.
    static let capacity = 4

    /// The other's last answer; nil where nobody told any.
    var word: Word?
    /// The other's last event.
    private var event: ItemEvent?
    private(set) var untold: [Tracker.Change] = []

    /// Keeps a move that another is to tell.
    mutating func hold(_ change: Tracker.Change) {
        guard change.kind != nil, event.map({ !Self.isSame($0, change) }) ?? true else { return }
        if untold.count == Self.capacity { untold.removeFirst() }
        untold.append(change)
    }

    /// Forgets which window decided a move, where that was of a node that is no more.
    mutating func forget(node: Int) {
        for index in untold.indices where untold[index].deciding?.node == node { untold[index].deciding = nil }
    }

    /// Takes the other's event: the same move needs no second one.
    mutating func hear(_ event: ItemEvent) {
        self.event = event
        untold.removeAll { Self.isSame(event, $0) }
    }

    /// Takes over from one that gave its last sign of life at `end`, or lives.
    ///
    /// Of the untold moves those stay, put right, that the other can't have told or decided against. `before` is since when the
    /// answer held that the other told before its last.
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
            // It may have died after its word and before its event.
            untold.removeAll { $0.at <= end.advanced(byMicroseconds: -Household.handover) }
            if let last = untold.indices.last { untold[last].ending = before }
        } else {
            untold.removeAll { $0.at <= end }
            mend(from: word.room.map { rooms[$0] })
        }
        return untold.isEmpty ? .adopt(word) : .stand
    }

    /// Gives up what is untold, told by now.
    mutating func takeUntold() -> [Tracker.Change] {
        defer { untold = [] }
        return untold
    }

    /// Makes the moves follow each other, from a room or from away.
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
            && event.at.microseconds(since: change.at).magnitude <= UInt64(ItemEvent.coincidence)
    }
}
