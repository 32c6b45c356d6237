public import Bytes

/// What others tell of an item beside its moves.
extension Household {
    /// When an item was last heard; nil where it never was.
    public func lastHeard(of item: String) -> Timestamp? {
        trackerOfItem[item].flatMap { trackers[$0].isUnheard ? nil : trackers[$0].lastHeard }
    }

    /// The items in a room, in order.
    public func items(in room: String) -> [String] { occupants[room, default: []].sorted() }

    /// Whether anything was ever made of what was heard of an item: not of a person, nor of one that is only registered.
    public func hasHeard(of item: String) -> Bool { trackerOfItem[item].map { trackers[$0].hasHeard } ?? false }

    /// Whether an item is known for the number of its last event alone, as a person is who is no more.
    public func onlyCounts(_ item: String) -> Bool {
        trackerOfItem[item].map { !trackers[$0].hasHeard && !trackers[$0].isExpected && trackers[$0].events > 0 }
            ?? false
    }

    /// How many items there are of which that is so.
    public var heardCount: Int { trackers.count(where: \.hasHeard) }

    /// The items of which that is so, in the order in which they were heard of.
    public var heardItems: [String] { trackers.lazy.filter(\.hasHeard).map(\.id) }

    /// Numbers an event of an item that is no move of it: among all of the fuser's, and among the item's own.
    public mutating func countEvent(of item: String, at time: Timestamp) -> (seq: UInt64, itemSeq: UInt64) {
        events += 1
        guard let index = tracker(of: item, at: time) else { return (events, 0) }
        trackers[index].events += 1
        memory.note(index)
        return (events, trackers[index].events)
    }

    /// The number of an item's last event, or a person's; 0 before the first.
    public func eventCount(of item: String) -> UInt64 { trackerOfItem[item].map { trackers[$0].events } ?? 0 }

    /// Takes up how far another fuser has counted a person's events.
    public mutating func follow(eventCount: UInt64, of person: String, at time: Timestamp) {
        guard eventCount > self.eventCount(of: person), let index = tracker(of: person, at: time) else { return }
        trackers[index].events = eventCount
        memory.note(index)
    }

    /// Counts a person among those in a room, or in none, and gives what is to be told of rooms.
    public mutating func seat(person: String, in room: String?, _ body: (Outcome) -> Void) {
        seat(person, in: room)
        tellRooms(body)
    }
}
