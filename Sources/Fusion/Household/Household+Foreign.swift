public import Bytes
public import Sightings

/// Nodes of other systems: they tell now and then what they hear, and never that they listen.
///
/// So their silence is no evidence, neither of a room nor of an absence, and nothing waits for them: in an interval of which
/// they tell nothing they count as nodes that didn't listen. A word of theirs that is held on to until the next one comes
/// is worse than none, since it is a mean of many seconds already (.69 of seconds right in place of .80 in a simulated flat
/// in which people walk all the time). Where nobody else listens, what none of them tells of any more is not known to have
/// left: its state becomes `unknown`.
extension Household {
    /// Whether there is a room of this id.
    public func hasRoom(_ id: String) -> Bool { house.room(id) != nil }

    /// Makes a node of another system known, and where it stands; false, and counted, where there is no room for it.
    @discardableResult
    public mutating func place(foreign node: String, in room: String) -> Bool {
        guard house.room(room) != nil || house.rooms.count < Self.roomCapacity,
            let place = nodes.place(node, in: &house)
        else {
            tally.overfull += 1
            return false
        }
        let (index, room) = (nodes.nodes[place].index, house.addRoom(room))
        nodes.update(place) { ($0.standing, $0.isForeign) = (.present, true) }
        guard house.nodes[index].room != room else { return true }
        house.addNode(node, room: room)
        isHouseNew = true
        memory.movedNodes.insert(node)
        classroom.isStale = true
        return true
    }

    /// Takes what a node of another system, which has its place, heard of an item in an interval; false where that is left
    /// out and counted.
    @discardableResult
    public mutating func receive(foreign window: Window, at time: Timestamp) -> Bool {
        guard let place = nodes.place(of: window.node), nodes.nodes[place].isForeign else { return false }
        nodes.update(place) { node in
            node.lastWord = max(node.lastWord ?? time, time)
            // Its last will may have been an older life's: what speaks is there.
            node.isOnline = nil
        }
        return receive(window, at: time)
    }

    /// Takes what a node of another system, which has its place, says of being there.
    public mutating func receive(foreign isOnline: Bool, of node: String) {
        guard let place = nodes.place(of: node), nodes.nodes[place].isForeign else { return }
        nodes.update(place) { $0.isOnline = isOnline }
    }

    /// The length of the house's intervals in microseconds: that of the nodes that listen, the longest where they differ.
    public var hopLength: Int64 {
        nodes.nodes.lazy.filter { !$0.isForeign && $0.lastScan != nil }.map(\.window).max()
            ?? Parameters.Household.window
    }

    /// An item that nobody told of in an interval in which nobody listened who says so, as in a house of other systems' nodes
    /// alone: after a while nobody knows where it is.
    mutating func loseSight(of index: Int, _ interval: IntervalBook.Interval, _ isListened: Bool) -> Tracker.Change? {
        guard !isListened, trackers[index].lastHeard < interval.end, nodes.nodes.contains(where: \.isForeign) else {
            return nil
        }
        trackers[index].unwatched += interval.length
        guard trackers[index].unwatched >= trackers[index].patience(awayAfter(trackers[index].id)) else { return nil }
        return trackers[index].forget(at: interval.end, blank: blank)
    }
}
