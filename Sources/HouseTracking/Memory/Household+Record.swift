public import Bytes
internal import RoomEstimation
internal import WireProtocol

/// State that is stored over a restart.
extension Household {
    /// Items returned in one round though their answer has not changed: their beliefs.
    static let itemsARound = 200

    /// A household that continues from the record of an earlier run. Rooms and nodes that no longer exist are left out.
    ///
    /// Nobody listened in the time between. Answers hold until they are confirmed or refuted: all are published with
    /// the first interval. An item that moved meanwhile is published as a move, whose `notBefore` lies before the
    /// pause.
    ///
    /// - Parameters:
    ///   - lessons: the stored lessons. Until they are learned (`takeLearning`), rooms stay as they were, and no item
    ///     is placed anew.
    ///   - undone: the keys of lessons that must not come back.
    public init(settings: Settings, remembering record: HouseholdRecord, lessons: [Lesson] = [], undone: [String] = [])
    {
        self.init(settings: settings)
        var moved: [Int] = []
        for node in record.nodes {
            let room = settings.roomOfNode[node.id] ?? node.room
            guard Identifier.isValid(node.id), Identifier.isValid(room),
                known.hasPlace(forRoom: room), let place = known.findOrAdd(node.id)
            else { continue }
            if room != node.room { moved.append(nodes.nodes[place].index) }
            _ = known.move(place, to: room)
        }
        shareHouseIfChanged()
        restoreLessons(lessons, undone: undone)
        classroom.start(in: house, nodes: currentNodes)
        for item in record.items.prefix(Self.itemCapacity) where trackers.index(of: item.id) == nil {
            // Registered ones are expected once their entries have come.
            trackers.append(
                Tracker(item, blank: trackers.blank, isAwaiting: isStarting, listened: record.at), isRegistered: false)
            memory.restored = max(memory.restored ?? item.at, item.at)
        }
        if !moved.isEmpty { for index in trackers.indices { trackers[index].followNodes(moved) } }
    }

    /// True if there are answers of an earlier run that no node has confirmed yet.
    public var isWaiting: Bool { memory.restored != nil }

    /// Rows that replace older ones: all whose answer has changed, and some of the others in turn.
    ///
    /// - Parameter isLast: true to return all rows that differ at all, as at the end of a program.
    public mutating func takeRecord(at time: Timestamp, isLast: Bool = false) -> HouseholdRecord {
        var record = HouseholdRecord()
        let nodes = memory.takeNodes()
        record.nodes = nodes.moved.compactMap { id in
            house.node(id).flatMap { house.nodes[$0].room }.map { .init(id: id, room: house.rooms[$0].id) }
        }
        record.goneNodes = nodes.gone
        for index in memory.takeChanged() { record.items.append(trackers[index].takeRecord(at: time)) }
        guard memory.isRoundDue(at: time) || isLast else { return record }
        let most = record.items.count + (isLast ? trackers.count : Self.itemsARound)
        var left = trackers.count
        while left > 0, record.items.count < most {
            left -= 1
            memory.next = memory.next + 1 < trackers.count ? memory.next + 1 : 0
            guard trackers[memory.next].isStorageDue(at: time, isLast: isLast) else { continue }
            record.items.append(trackers[memory.next].takeRecord(at: time))
        }
        return record
    }

    /// Marks all rows as due, as for a store that has lost them.
    public mutating func rememberAll() {
        for index in trackers.indices { memory.record(changedItem: index) }
        for node in nodes.nodes where node.standing != .forgotten { memory.record(movedNode: node.id) }
    }

    /// Publishes the answers restored from an earlier run, once nodes are received again.
    mutating func publishRestored(at time: Timestamp, _ body: (Outcome) -> Void) {
        let until = memory.restored
        memory.restored = nil
        // It is of a future time: the nodes' clock is not the one that they had.
        if let until, until.duration(since: time) > Parameters.Household.clockTolerance {
            losePlaces(at: time, body)
        }
        // Another fuser's answer tells of the items that it publishes.
        for index in trackers.indices where trackers[index].state != .unknown && isPublisher(of: index) {
            publishLocation(index, time, body)
            occupancy.move(trackers[index].id, to: trackers[index].room.map { house.rooms[$0].id })
        }
    }

    /// Gives up the restored answers, since no node has published: they are no longer known.
    public mutating func giveUp(at time: Timestamp, _ body: (Outcome) -> Void) {
        guard isWaiting else { return }
        memory.restored = nil
        losePlaces(at: time, body)
    }
}
