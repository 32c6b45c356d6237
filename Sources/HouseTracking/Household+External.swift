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
    public mutating func addExternalNode(_ node: String, in room: String) -> Bool {
        guard known.hasPlace(forRoom: room), let place = known.findOrAdd(node) else {
            tally.overfull += 1
            return false
        }
        known.update(place) { ($0.standing, $0.isExternal) = (.present, true) }
        guard known.move(place, to: room, isExternal: true) else { return true }
        memory.record(movedNode: node)
        classroom.isStale = true
        return true
    }

    /// Marks nodes of an earlier run as another system's, by the prefixes of their ids, so that they may be removed;
    /// returns their ids.
    public mutating func markExternalNodes(prefixes: [String]) -> [String] {
        known.markExternal(prefixes: prefixes, configuration: settings)
    }

    /// Removes a node of another system that no longer exists, and the rooms that were made for such nodes and that
    /// nothing refers to any more, so that others may use their places. False if it is not such a node, or while a
    /// lesson is running, which may name it.
    @discardableResult
    public mutating func removeExternalNode(_ node: String) -> Bool {
        guard classroom.running.isEmpty, let place = nodes.place(of: node), nodes.nodes[place].isExternal else {
            return false
        }
        let index = nodes.nodes[place].index
        // Lessons refer to it by its index.
        let isTaught = classroom.book.lessons.contains { $0.nodes.contains { $0.id == node } }
        known.remove(place, keepsIndex: isTaught)
        for tracker in trackers.indices { trackers[tracker].forgetNode(index) }
        failover.forgetNode(index)
        reception.forgetAll()
        memory.record(goneNode: node)
        vacateRooms()
        return true
    }

    mutating func vacateRooms() {
        let taught = Set(classroom.book.lessons.map(\.room))
        let referred = classroom.modelledRooms.union(trackers.indices.flatMap(rooms))
        let vacated = known.vacateExternalRooms(except: referred) {
            taught.contains($0) || !occupancy.items(in: $0).isEmpty
        }
        if !vacated.isEmpty { reception.forgetAll() }
        for (index, room) in vacated {
            for tracker in trackers.indices { trackers[tracker].forgetRoom(index) }
            occupancy.remove(room)
        }
    }

    /// Consumes an observation of an item in an interval by a node of another system that has its place; false if the
    /// observation is dropped and counted.
    @discardableResult
    public mutating func receiveExternal(_ window: Window, at time: Timestamp) -> Bool {
        guard let place = nodes.place(of: window.node), nodes.nodes[place].isExternal else { return false }
        known.update(place) { node in
            node.lastMessage = max(node.lastMessage ?? time, time)
            // Its last will may belong to an earlier connection: a node that publishes is online.
            node.isOnline = nil
        }
        return receive(window, at: time) == .counted
    }

    /// Consumes the online state of a node of another system that has its place.
    public mutating func receiveExternal(isOnline: Bool, of node: String) {
        guard let place = nodes.place(of: node), nodes.nodes[place].isExternal else { return }
        known.update(place) { $0.isOnline = isOnline }
    }

    /// The length of the intervals into which readings of other systems' nodes are gathered: that of our windows, the
    /// longest if they differ.
    public var intervalLength: Duration {
        nodes.nodes.lazy.filter { !$0.isExternal && $0.lastScan != nil }.map(\.window).max().map { .microseconds($0) }
            ?? Parameters.Household.window
    }

    /// Handles an item in an interval in which no node reported that it listened, as in a house of other systems' nodes
    /// alone: after a while without an observation its place is unknown.
    mutating func loseUnwatched(_ index: Int, _ interval: IntervalBook.Interval) -> Tracker.Change? {
        guard trackers[index].reception.lastHeard < interval.end, nodes.nodes.contains(where: \.isExternal) else {
            return nil
        }
        return trackers[index].consumeUnwatched(
            interval.elapsed, awayAfter: awayAfter(trackers[index].id), at: interval.end)
    }
}
