public import Bytes
public import RoomEstimation
public import WireProtocol

/// The locations of all items of a house: consumes the messages of all nodes, and passes on the changes.
///
/// It does no I/O and reads no clock: `time` is that of the house, which is the nodes' own in a replay or a simulation.
/// Nodes are learned from their `info`; items from their windows, or before. All tables are bounded, and count what
/// they drop.
public struct Household: Sendable {
    /// The settings of a household.
    public struct Settings: Sendable {
        /// The fuser that publishes for it.
        public var fuser: String
        /// The id of this run's counts.
        public var epoch: String
        /// The time of silence after which an item has left; five of its own intervals if those are longer.
        public var awayAfter = Parameters.Household.awayAfter
        /// The rooms, doors and nodes that are known from the start.
        public var house = House()
        /// Rooms of nodes by configuration, which take precedence over those that the nodes publish.
        public var roomOfNode: [String: String] = [:]
        /// The plan that people drew, which an earlier run had.
        public var plan: HousePlan?
        /// The persons that items belong to, so that rooms count a person once.
        public var personOfItem: [String: String] = [:]
        /// True if levels and lost packets are counted, by node and room: a page shows them.
        public var measuresReception = false

        /// Settings without rooms, nodes or persons.
        public init(fuser: String, epoch: String) {
            self.fuser = fuser
            self.epoch = epoch
        }
    }

    /// One thing to publish.
    public enum Outcome: Sendable {
        /// An item's answer, to be retained.
        case location(item: String, Location)
        /// A move of an item or a person.
        case event(item: String, ItemEvent)
        /// The occupants of a room, to be retained.
        case occupancy(room: String, Occupancy)
        /// The place of an item from a moment on, for its history: a room, `away`, or nil if it is unknown.
        case stay(item: String, room: String?, from: Timestamp, confidence: Double)
        /// A lesson to be stored.
        case lessonAdded(Lesson)
        /// A lesson that no longer counts and must not come back, by its key; its id if it was held here.
        case lessonUndone(id: String?, key: String)
    }

    /// Counts since the start of what was processed and what was dropped, by reason.
    public struct Counters: Hashable, Sendable {
        /// Windows and scans that were processed.
        public var processed: UInt64 = 0
        /// Windows and scans of intervals that had been weighed.
        public var late: UInt64 = 0
        /// Windows and scans of nodes or items for which there was no room.
        public var overfull: UInt64 = 0
        /// Windows and scans from so far in the future or past that the node's clock must be wrong.
        public var offClock: UInt64 = 0
        /// Windows that duplicate one of the same node, item and interval.
        public var doubled: UInt64 = 0
        /// Windows and scans of nodes without a known room.
        public var unplaced: UInt64 = 0
    }

    /// Items tracked at once.
    static let itemCapacity = 100_000

    /// Its settings.
    public private(set) var settings: Settings
    /// The rooms and nodes.
    var known: KnownHouse
    var trackers: TrackerTable
    var book = IntervalBook()
    private var first = FirstInterval()
    private(set) var history = IntervalHistory()
    // Scratch, retained so that an interval allocates nothing.
    private var observations: [ObservationTable.Observation] = []
    var occupancy: RoomOccupancy
    var events: UInt64 = 0
    var tally = Counters()
    /// Items that are phones or watches.
    var phones: Set<String> = []
    var failover = Failover()
    /// The shards whose items are tracked; of others only what another fuser publishes is known.
    var followed = ShardSet.all
    var memory = HouseholdMemory()
    var classroom = TeachingSessions()
    var reception = ReceptionTable()

    /// A household without any observation.
    public init(settings: Settings) {
        self.settings = settings
        known = KnownHouse(settings.house)
        if let plan = settings.plan { tally.overfull += UInt64(known.draw(plan, over: settings.house)) }
        trackers = TrackerTable(house: known.house)
        occupancy = RoomOccupancy(personOfItem: settings.personOfItem)
    }

    /// The rooms and nodes by index, for the model.
    var house: House { known.house }
    /// The rooms and nodes as they are drawn now.
    package var drawnHouse: House { known.house }
    var nodes: NodeTable { known.nodes }

    /// Counts since the start.
    public var counters: Counters {
        var counters = tally
        counters.late = book.late
        counters.doubled = book.doubled
        counters.overfull += book.dropped
        return counters
    }

    /// The time by which `advance` must be called; nil while nothing waits.
    public var nextDeadline: Timestamp? {
        [book.nextDeadline, deafness, lessonDeadline].compactMap { $0 }.min()
    }

    /// True if `advance` decides something at `time`: an interval is ready, or a deadline has passed.
    public func isDue(at time: Timestamp) -> Bool {
        book.isReady(at: time, nodes) || nextDeadline.map { $0 <= time } ?? false
    }

    /// The time at which it will have had no listening node for so long that nothing is known; nil if it has passed
    /// already.
    private var deafness: Timestamp? { history.earliestDeafness.map { max($0, nodes.speaksUntil ?? $0) } }

    /// The ids of all known items, in the order in which they became known.
    public var items: [String] { trackers.map(\.id) }
    /// The ids of all rooms, in the order in which they became known.
    public var rooms: [String] { house.rooms.lazy.map(\.id).filter { !$0.isEmpty } }

    // MARK: Messages of nodes

    /// Consumes a node's `info`: its room and the length of its intervals.
    public mutating func receive(_ info: NodeInfo, of node: String) {
        guard let place = known.findOrAdd(node) else { return tally.overfull += 1 }
        let room = settings.roomOfNode[node] ?? info.room
        guard known.hasPlace(forRoom: room) else { return tally.overfull += 1 }
        recordPresence(at: place)
        known.update(place) {
            $0.window = Int64(info.window * 1e6)
            $0.namedRoom = info.room
        }
        known.record(missingKeys: info.missingKeys, at: place)
        if known.record(address: info.address, offset: info.offset, at: place) {
            classroom.isStale = true
            // It counts otherwise from now on.
            reception.forget(node: nodes.nodes[place].index)
        }
        // An info is repeated on each connection, and most hold nothing new.
        guard known.move(place, to: room) else { return }
        memory.record(movedNode: node)
        classroom.isStale = true
    }

    /// Consumes a node's `status`.
    public mutating func receive(isOnline: Bool, of node: String) {
        guard let place = known.findOrAdd(node) else { return tally.overfull += 1 }
        recordPresence(at: place)
        known.update(place) { $0.isOnline = isOnline }
    }

    /// Marks a node as present. A node that was presumed gone is restored, with the room that it had.
    private mutating func recordPresence(at place: Int) {
        if nodes.nodes[place].standing == .forgotten { memory.record(movedNode: nodes.nodes[place].id) }
        known.update(place) { $0.standing = .present }
    }

    /// Removes a node for good: nothing is published of it any more, unless it comes back.
    public mutating func removeNode(_ node: String) {
        guard let place = nodes.place(of: node), !nodes.nodes[place].isExternal else { return }
        known.update(place) { ($0.standing, $0.isOnline) = (.forgotten, false) }
        // It holds its place in the table, so there are no more of these than the table has places.
        memory.record(goneNode: node, isKept: true)
    }

    /// Consumes a window. One that is late, doubled or too many is counted, and one that is off the clock.
    ///
    /// - Parameters:
    ///   - isClockKnown: true once a `scan` has shown the nodes' clock. A window that is far from `time` is dropped in
    ///     either case, and before that does not count against the node.
    ///   - isRegistered: true if the item is registered. Others have at most half of the places for items.
    @discardableResult
    public mutating func receive(
        _ window: Window, at time: Timestamp, isClockKnown: Bool = true, isRegistered: Bool = true
    ) -> WindowUse {
        guard let item = window.item else {
            if let node = nodes.node(window.node) { first.countWindow(of: node.index, window.to) }
            return .refused
        }
        guard isOnClock(window.to, time) else {
            if isClockKnown { tally.offClock += 1 }
            return .refused
        }
        guard let place = place(ofSpeaking: window.node) else { return .refused }
        guard let tracker = trackers.findOrAdd(item, isRegistered: isRegistered, at: window.from) else {
            tally.overfull += 1
            return .refused
        }
        // One that was under way when its shard went to another fuser.
        guard followed.contains(trackers[tracker].shard) else { return .refused }
        tally.processed += 1
        first.countWindow(of: nodes.nodes[place].index, window.to)
        guard counts(window, of: tracker) else { return .counted }
        let observation = ObservationTable.Observation(
            node: nodes.nodes[place].index, level: window.rssi?.mean, count: window.count, expected: window.expected,
            distance: window.distance?.metres, epoch: window.epoch, seq: window.seq,
            length: window.to.microseconds(since: window.from))
        return book.add(observation, item: tracker, end: window.to, at: time) ? .counted : .surplus
    }

    /// Consumes a `scan`: all the node's windows of that interval were sent before it, and the node listened except for
    /// its gap.
    ///
    /// - Parameter isComplete: false if windows of it may not have arrived: nobody's silence counts then.
    public mutating func receive(_ scan: Scan, of node: String, at time: Timestamp, isComplete: Bool = true) {
        guard isOnClock(scan.to, time) else { return tally.offClock += 1 }
        guard let place = place(ofSpeaking: node) else { return }
        tally.processed += 1
        let isListening = scan.gapShare <= Parameters.Household.mostGap
        recordPresence(at: place)
        known.update(place) { node in
            let last = max(node.lastScan ?? scan.to, scan.to, time)
            node.lastScan = last
            if isListening { node.lastListened = last }
            node.window = scan.to.microseconds(since: scan.from)
        }
        first.recordScan(of: nodes.nodes[place].index, windows: scan.windows, scan.to)
        book.addScan(
            of: nodes.nodes[place].index, from: scan.from, to: scan.to, isListening: isListening && isComplete,
            at: time)
    }

    /// True if a node's room is known, by its `info`, by configuration or from an earlier run: others are ignored.
    public func knowsRoom(of node: String) -> Bool {
        house.node(node).map { house.nodes[$0].room != nil } ?? false
    }

    /// The place of a node that has sent a message; nil, and counted, if its room is unknown or there is no room for
    /// it.
    private mutating func place(ofSpeaking node: String) -> Int? {
        if let place = nodes.place(of: node), house.nodes[nodes.nodes[place].index].room != nil { return place }
        guard knowsRoom(of: node) else {
            tally.unplaced += 1
            return nil
        }
        let place = known.findOrAdd(node)
        if place == nil { tally.overfull += 1 }
        return place
    }

    /// Adds a registered item before any packet of it: it is away once nodes have listened for long enough without
    /// receiving it.
    ///
    /// - Parameter interval: the time between its advertisements, from a source that knows it; the interval
    ///   measured from its packets takes precedence.
    public mutating func expectItem(_ item: String, interval: Duration? = nil, at time: Timestamp) {
        trackers.register(item)
        let isNew = trackers.index(of: item) == nil
        guard let index = trackers.findOrAdd(item, at: time) else { return tally.overfull += 1 }
        trackers[index].expect(isNew: isNew, interval: interval)
    }

    // MARK: Intervals

    /// Weighs the intervals that are ready at `time`, and passes on what to publish.
    public mutating func advance(to time: Timestamp, _ body: (Outcome) -> Void) {
        if history.isAhead(of: time) { startAnew(at: time, body) }
        while let interval = book.takeReady(at: time, from: nodes) {
            estimate(interval, body)
            book.recycle(interval.observations)
        }
        if !classroom.running.isEmpty { endLessons(at: time, body) }
        // All nodes are asked only once it may be so.
        if let earliest = history.earliestDeafness, time >= earliest, let deafness, time >= deafness {
            losePlaces(at: time, body)
        }
    }

    /// Handles a clock that was set back: what was weighed lies in its future, and all that arrives would be late for
    /// it.
    ///
    /// `advance` detects steps of a minute or more by itself; a caller that detects smaller ones calls this.
    public mutating func startAnew(at time: Timestamp, _ body: (Outcome) -> Void) {
        book.startAnew()
        known.startAnew()
        history = IntervalHistory()
        losePlaces(at: time, body)
    }

    /// Publishes of all items that their places are unknown.
    mutating func losePlaces(at time: Timestamp, _ body: (Outcome) -> Void) {
        history.endListening()
        for index in trackers.indices {
            guard let change = trackers[index].losePlace(at: time) else { continue }
            publishChange(change, index, body)
            memory.record(changedItem: index)
        }
        publishRooms(body)
    }

    private mutating func estimate(_ interval: IntervalBook.Interval, _ body: (Outcome) -> Void) {
        let isPart = first.isIncomplete(
            interval.end, online: known.nodes.nodes.filter { $0.isOnline == true && !$0.isExternal }.map(\.index))
        if memory.skipsFirst() || isPart { return }
        // No item is placed while lessons are learned: a move found then may have happened at any time since.
        let isPlacing = !classroom.isStarting
        history.append(
            interval.end, isPlacing: isPlacing,
            isListened: interval.listening != NodeSet() || interval.observations.count > 0)
        if known.hasLeftovers { vacateDrawnRooms() }
        shareHouseIfChanged()
        if isWaiting { publishRestored(at: interval.end, body) }
        var hop = Hop(end: interval.end)
        for index in trackers.indices {
            interval.observations.copy(of: index, into: &observations)
            if observations.isEmpty, trackers[index].isResting { continue }
            let listening = nodes.listeners(interval.listening, to: trackers[index].id)
            hop.reset(end: interval.end, listening: listening)
            for observation in observations {
                guard let level = observation.level else { continue }
                hop.insert(
                    Hop.Reading(
                        node: observation.node, level: level, count: observation.count, expected: observation.expected))
            }
            if !classroom.running.isEmpty { classroom.running[index]?.append(hop, length: interval.length) }
            let isListened = listening != NodeSet()
            let silence = trackers[index].reception.silence
            var change =
                observations.isEmpty && nodes.isUnrecognizable(trackers[index].id)
                ? trackers[index].losePlace(at: interval.end)
                : trackers[index].consumeInterval(
                    hop, observations, elapsed: interval.elapsed, isListened: isListened,
                    awayAfter: awayAfter(trackers[index].id), isPlacing: isPlacing)
            if settings.measuresReception, change == nil, !observations.isEmpty {
                recordReception(observations, of: index, after: silence + interval.elapsed, at: interval.end)
            }
            if change == nil, !isListened { change = loseUnwatched(index, interval) }
            if let change { publishChange(change, index, body) } else { refreshLocation(index, interval.end, body) }
            if change != nil { memory.record(changedItem: index) }
        }
        publishRooms(body)
    }

    // MARK: The house and its settings

    /// Draws the house by a plan, where its configuration says nothing.
    public mutating func draw(_ plan: HousePlan) {
        settings.plan = plan
        drawHouse()
    }

    /// Applies other rooms and nodes of the configuration. The plan that people drew, and what was observed and taught,
    /// stays.
    public mutating func use(house: House, roomOfNode: [String: String]) {
        let before = settings.roomOfNode
        (settings.house, settings.roomOfNode) = (house, roomOfNode)
        drawHouse()
        for node in known.place(nodes: roomOfNode, instead: before) { memory.record(movedNode: node) }
    }

    /// Applies another time of silence after which an item has left.
    public mutating func use(awayAfter: Duration) { settings.awayAfter = awayAfter }

    /// Applies other persons that items belong to.
    public mutating func use(personOfItem: [String: String]) {
        settings.personOfItem = personOfItem
        occupancy.use(personOfItem: personOfItem)
    }

    private mutating func drawHouse() {
        tally.overfull += UInt64(known.draw(settings.plan, over: settings.house))
        classroom.isStale = true
        vacateDrawnRooms()
    }

    /// Removes rooms that the plan has no more. A lesson that is running may name one of them.
    private mutating func vacateDrawnRooms() {
        if classroom.running.isEmpty { vacateRooms() }
    }

    /// Shares the present house with all trackers.
    mutating func shareHouseIfChanged() {
        if known.takeChange(since: trackers.blank.house) { trackers.share(house) }
    }

    private func isOnClock(_ end: Timestamp, _ time: Timestamp) -> Bool {
        Parameters.Household.clockDeviations.contains(end.duration(since: time))
    }
}
