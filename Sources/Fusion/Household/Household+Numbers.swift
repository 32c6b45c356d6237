public import Bytes

/// What others tell of an item beside its moves.
extension Household {
    /// When an item was last heard; nil where it never was.
    public func lastHeard(of item: String) -> Timestamp? { trackerOfItem[item].map { trackers[$0].lastHeard } }

    /// The items in a room, in order.
    public func items(in room: String) -> [String] { occupants[room, default: []].sorted() }

    /// Numbers an event of an item that is no move of it: among all of the fuser's, and among the item's own.
    public mutating func countEvent(of item: String, at time: Timestamp) -> (seq: UInt64, itemSeq: UInt64) {
        events += 1
        guard let index = tracker(of: item, at: time) else { return (events, 0) }
        trackers[index].events += 1
        memory.note(index)
        return (events, trackers[index].events)
    }
}
