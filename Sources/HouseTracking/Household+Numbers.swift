public import Bytes

/// Values published of an item beside its moves.
extension Household {
    /// Time of the item's last packet; nil if there was none.
    public func lastHeard(of item: String) -> Timestamp? {
        trackers.index(of: item).flatMap { trackers[$0].reception.isUnheard ? nil : trackers[$0].reception.lastHeard }
    }

    /// The items in a room, in order.
    public func items(in room: String) -> [String] { occupancy.items(in: room).sorted() }

    /// True if a packet of the item was ever processed: false for a person, and for an item that is only registered.
    public func hasHeard(of item: String) -> Bool { trackers.index(of: item).map { trackers[$0].hasHeard } ?? false }

    /// True if the item is known only for the number of its last event, as a removed person is.
    public func onlyCounts(_ item: String) -> Bool {
        guard let index = trackers.index(of: item) else { return false }
        return !trackers[index].hasHeard && !trackers[index].isExpected && trackers[index].publications.events > 0
    }

    /// Number of items for which `hasHeard` is true.
    public var heardCount: Int { trackers.count(where: \.hasHeard) }

    /// The items for which `hasHeard` is true, in the order in which they were first received.
    public var heardItems: [String] { trackers.lazy.filter(\.hasHeard).map(\.id) }

    /// Numbers an event of an item that is not a move: in the fuser's sequence and in the item's own, which may have counted it
    /// already.
    public mutating func countEvent(
        of item: String, isCounted: Bool, at time: Timestamp
    ) -> (seq: UInt64, itemSeq: UInt64) {
        events += 1
        guard let index = trackers.findOrAdd(item, at: time) else { return (events, 0) }
        if !isCounted { trackers[index].publications.countEvent() }
        memory.record(changedItem: index)
        return (events, trackers[index].publications.events)
    }

    /// The number of an item's last event, or a person's; 0 before the first.
    public func eventCount(of item: String) -> UInt64 {
        trackers.index(of: item).map { trackers[$0].publications.events } ?? 0
    }

    /// The number of the last event that an item's answers and moves had; 0 before the first.
    public func moveCount(of item: String) -> UInt64 {
        trackers.index(of: item).map { trackers[$0].publications.moves } ?? 0
    }

    /// Adopts another fuser's event count of a person.
    public mutating func adoptEventCount(_ count: UInt64, of person: String, at time: Timestamp) {
        guard count > eventCount(of: person), let index = trackers.findOrAdd(person, at: time) else { return }
        trackers[index].publications.follow(events: count)
        memory.record(changedItem: index)
    }

    /// Counts a person among those in a room, or in none, and passes on the changes of rooms to publish.
    public mutating func movePerson(_ person: String, to room: String?, _ body: (Outcome) -> Void) {
        occupancy.move(person, to: room)
        publishRooms(body)
    }
}
