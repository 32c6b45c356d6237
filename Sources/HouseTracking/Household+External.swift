public import Bytes
internal import RoomEstimation
public import WireProtocol

/// Nodes of other systems. They publish now and then what they receive, and never that they listen.
///
/// Their silence is therefore no evidence, neither of a room nor of an absence, and no interval waits for them: in an
/// interval without a publication of theirs they count as nodes that did not listen. Holding their last value until the
/// next one arrives is worse than having none, since that value is already a mean of many seconds (.69 of seconds right
/// in place of .80 in a simulated flat in which people walk all the time). In a house without other listeners, an item
/// that none of them publishes any more is not known to have left: its state becomes `unknown`.
extension Household {
    /// True if there is a room of this id.
    public func hasRoom(_ id: String) -> Bool { house.room(id) != nil }

    /// Adds a node of another system in its room; false, and counted, if there is no room for it.
    @discardableResult
    public mutating func place(foreign node: String, in room: String) -> Bool {
        guard house.room(room) != nil || house.roomCount < Self.roomCapacity,
            let place = nodes.place(node, in: &house)
        else {
            tally.overfull += 1
            return false
        }
        if house.room(room) == nil { foreignRooms.insert(room) }
        let (index, room) = (nodes.nodes[place].index, house.addRoom(room))
        nodes.update(place) { ($0.standing, $0.isForeign) = (.present, true) }
        guard house.nodes[index].room != room else { return true }
        house.addNode(node, room: room)
        isHouseNew = true
        memory.note(movedNode: node)
        classroom.isStale = true
        return true
    }

    /// Marks nodes of an earlier run as another system's, by the prefixes of their ids, so that they may be removed.
    ///
    /// A room that holds only one of them was made for it.
    public mutating func take(asForeign prefixes: [String]) -> [String] {
        var found: [String] = []
        for place in nodes.nodes.indices where prefixes.contains(where: nodes.nodes[place].id.hasPrefix) {
            nodes.update(place) { $0.isForeign = true }
            let node = nodes.nodes[place]
            found.append(node.id)
            guard settings.roomOfNode[node.id] == nil,
                let room = house.nodes[node.index].room.map({ house.rooms[$0].id }),
                settings.house.room(room) == nil
            else { continue }
            foreignRooms.insert(room)
        }
        return found
    }

    /// Removes a node of another system that no longer exists, and the rooms that were made for such nodes and that
    /// nothing refers to any more, so that others may use their places. False if it is not such a node, or while a
    /// lesson is running, which may name it.
    @discardableResult
    public mutating func letGo(foreign node: String) -> Bool {
        guard classroom.running.isEmpty, let place = nodes.place(of: node), nodes.nodes[place].isForeign else {
            return false
        }
        let index = nodes.nodes[place].index
        // Lessons refer to it by its index.
        let isTaught = classroom.book.lessons.contains { $0.nodes.contains { $0.id == node } }
        nodes.remove(place, from: &house, keepsIndex: isTaught)
        for tracker in trackers.indices { trackers[tracker].forget(node: index) }
        failover.forget(node: index)
        memory.note(goneNode: node)
        vacateRooms()
        isHouseNew = true
        return true
    }

    private mutating func vacateRooms() {
        var known = Set(house.nodes.compactMap(\.room))
        for index in trackers.indices { known.formUnion(rooms(of: index)) }
        let taught = Set(classroom.book.lessons.map(\.room))
        for room in foreignRooms.sorted() where !taught.contains(room) && occupancy.items(in: room).isEmpty {
            guard let index = house.room(room), !known.contains(index) else { continue }
            house.vacate(room: index)
            for tracker in trackers.indices { trackers[tracker].forget(room: index) }
            foreignRooms.remove(room)
            occupancy.remove(room)
        }
    }

    /// Consumes an observation of an item in an interval by a node of another system that has its place; false if the
    /// observation is dropped and counted.
    @discardableResult
    public mutating func receive(foreign window: Window, at time: Timestamp) -> Bool {
        guard let place = nodes.place(of: window.node), nodes.nodes[place].isForeign else { return false }
        nodes.update(place) { node in
            node.lastWord = max(node.lastWord ?? time, time)
            // Its last will may belong to an earlier connection: a node that publishes is online.
            node.isOnline = nil
        }
        return receive(window, at: time)
    }

    /// Consumes the online state of a node of another system that has its place.
    public mutating func receive(foreign isOnline: Bool, of node: String) {
        guard let place = nodes.place(of: node), nodes.nodes[place].isForeign else { return }
        nodes.update(place) { $0.isOnline = isOnline }
    }

    /// The length of the house's intervals: that of the nodes that listen, the longest if they differ.
    public var hopLength: Duration {
        nodes.nodes.lazy.filter { !$0.isForeign && $0.lastScan != nil }.map(\.window).max().map { .microseconds($0) }
            ?? Parameters.Household.window
    }

    /// Handles an item without an observation in an interval in which no node reported that it listened, as in a house
    /// of other systems' nodes alone: after a while its place is unknown.
    mutating func loseSight(of index: Int, _ interval: IntervalBook.Interval, _ isListened: Bool) -> Tracker.Change? {
        guard !isListened, trackers[index].lastHeard < interval.end, nodes.nodes.contains(where: \.isForeign) else {
            return nil
        }
        trackers[index].unwatched += interval.length
        guard trackers[index].unwatched >= trackers[index].patience(awayAfter(trackers[index].id)) else { return nil }
        return trackers[index].forget(at: interval.end)
    }
}
