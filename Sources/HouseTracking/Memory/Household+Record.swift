public import Bytes
internal import RoomEstimation
internal import WireProtocol

/// State that is stored over a restart.
extension Household {
    /// Rows returned in one round for items whose answer has not changed: their beliefs.
    static let rowsARound = 200

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
                house.room(room) != nil || house.roomCount < Self.roomCapacity,
                let place = nodes.place(node.id, in: &house)
            else { continue }
            if room != node.room { moved.append(place) }
            house.addNode(node.id, room: house.addRoom(room))
        }
        blank.update(house)
        restore(lessons, undone: undone)
        classroom.start(in: house, nodes: currentNodes)
        for item in record.items.prefix(Self.itemCapacity) where trackerOfItem[item.id] == nil {
            trackerOfItem[item.id] = trackers.count
            trackers.append(Tracker(item, blank: blank, isAwaiting: isStarting, listened: record.at))
            memory.restored = max(memory.restored ?? item.at, item.at)
        }
        if !moved.isEmpty { for index in trackers.indices { trackers[index].locator.follow(moved) } }
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
        for index in memory.takeChanged() { record.items.append(row(index, time)) }
        guard memory.takesRound(at: time) || isLast else { return record }
        let most = record.items.count + (isLast ? trackers.count : Self.rowsARound)
        var left = trackers.count
        while left > 0, record.items.count < most {
            left -= 1
            memory.next = memory.next + 1 < trackers.count ? memory.next + 1 : 0
            guard trackers[memory.next].isNew, isLast || trackers[memory.next].isDue(at: time) else { continue }
            record.items.append(row(memory.next, time))
        }
        return record
    }

    /// Marks all rows as due, as for a store that has lost them.
    public mutating func rememberAll() {
        for index in trackers.indices { memory.note(index) }
        for node in nodes.nodes where node.standing != .forgotten { memory.note(movedNode: node.id) }
    }

    private mutating func row(_ index: Int, _ time: Timestamp) -> HouseholdRecord.Item {
        trackers[index].isNew = false
        trackers[index].kept = time
        return trackers[index].record(at: time)
    }

    /// Publishes the answers restored from an earlier run, once nodes are received again.
    mutating func takeUp(at time: Timestamp, _ body: (Outcome) -> Void) {
        let until = memory.restored
        memory.restored = nil
        // It is of a future time: the nodes' clock is not the one that they had.
        if let until, until.duration(since: time) > Parameters.Household.clockTolerance {
            forget(at: time, body)
        }
        for index in trackers.indices where trackers[index].state != .unknown {
            publish(index, time, body)
            occupancy.move(trackers[index].id, to: trackers[index].room.map { house.rooms[$0].id })
        }
    }

    /// Gives up the restored answers, since no node has published: they are no longer known.
    public mutating func giveUp(at time: Timestamp, _ body: (Outcome) -> Void) {
        guard isWaiting else { return }
        memory.restored = nil
        forget(at: time, body)
    }
}

extension Tracker {
    /// A tracker that continues from the record of its item; `blank` holds the house, and the lessons unless it
    /// `isAwaiting` them.
    init(_ record: HouseholdRecord.Item, blank: Locator, isAwaiting: Bool, listened: Timestamp?) {
        self.init(id: record.id, locator: blank, at: record.since)
        events = record.events
        lastHeard = record.heard
        confirmed = record.state == .away ? max(record.at, listened ?? record.at) : record.at
        pausedFrom = confirmed
        kept = record.at
        previous = record.previous.flatMap(blank.house.room)
        guard record.state != .unknown else { return }
        let believed = resume(record.belief, isAwaiting: isAwaiting)
        if record.state != .away {
            guard let place = record.room.flatMap(blank.house.room), believed == place else {
                (locator, awaiting) = (blank, nil)
                return
            }
            room = place
        }
        state = record.state
        silence = max(.zero, record.silence)
        told = (word, state, belief, record.at)
        note(told: since)
    }

    /// Restores the belief, and returns the room; for an item that is away only the reception by each node is of use.
    /// Nil if the row is incomplete, or has no such room.
    private mutating func resume(_ bytes: [UInt8], isAwaiting: Bool) -> Int? {
        var row = RowReader()
        guard let microseconds = row.next(Int64.self, bytes.span), let node = row.nextText(bytes.span),
            let epoch = row.nextText(bytes.span), let seq = row.next(UInt64.self, bytes.span),
            let belief = LocatorRecord(&row, bytes.span)
        else { return nil }
        deciding = locator.house.node(node).map { ($0, epoch, seq) }
        interval = microseconds > 0 ? Double(microseconds) / 1e6 : nil
        locator.resume(belief)
        if isAwaiting { awaiting = belief }
        return locator.answer.room
    }

    /// The row to store of it.
    func record(at time: Timestamp) -> HouseholdRecord.Item {
        var row = RowWriter()
        if state != .unknown {
            row.append(Int64((interval ?? 0) * 1e6))
            row.append(deciding.map { locator.house.nodes[$0.node].id } ?? "")
            row.append(deciding?.epoch ?? "")
            row.append(deciding?.seq ?? 0)
            (awaiting ?? locator.record)?.write(to: &row)
        }
        let rooms = locator.house.rooms
        return HouseholdRecord.Item(
            id: id, at: locator.lastEnd ?? time, state: state, room: room.map { rooms[$0].id }, since: since,
            previous: previous.map { rooms[$0].id }, heard: lastHeard, silence: silence, events: events,
            belief: row.bytes)
    }

    /// True if its belief should be stored again.
    func isDue(at time: Timestamp) -> Bool {
        guard let kept, time >= kept else { return true }
        let age = time.duration(since: kept)
        guard age >= Parameters.Household.keptSoonest else { return false }
        // The length of its silence must survive repeated restarts: otherwise it would never be away.
        let stands = silence > .zero ? .zero : time.duration(since: since) / Parameters.Household.keptShare
        return age >= min(Parameters.Household.keptLatest, stands)
    }
}
