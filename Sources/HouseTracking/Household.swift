public import Bytes
public import RoomEstimation
public import WireProtocol

/// Where everything in a house is: takes what all nodes say, and tells what changed.
///
/// It does no I/O and reads no clock: `time` is that of the house, which is the nodes' own where they replay or simulate.
/// Nodes are learned from their `info`; items from their windows, or before. All tables are bounded, and count what they
/// leave out.
public struct Household: Sendable {
    /// What the household is told to be.
    public struct Settings: Sendable {
        /// The fuser that speaks for it.
        public var fuser: String
        /// The id of this run's counts.
        public var epoch: String
        /// Microseconds of silence after which an item has left; five of its own intervals where those are longer.
        public var awayAfter = Parameters.Household.awayAfter
        /// The rooms, doors and nodes that are known from the start.
        public var house = House()
        /// Rooms of nodes by configuration, which go before what the nodes say.
        public var roomOfNode: [String: String] = [:]
        /// The persons that items belong to, so that rooms count a person once.
        public var personOfItem: [String: String] = [:]

        /// Settings with DESIGN's defaults.
        public init(fuser: String, epoch: String) {
            self.fuser = fuser
            self.epoch = epoch
        }
    }

    /// One thing to be told.
    public enum Outcome: Sendable {
        /// An item's answer, to be retained.
        case location(item: String, Location)
        /// An item's move.
        case event(item: String, ItemEvent)
        /// Who is in a room, to be retained.
        case occupancy(room: String, Occupancy)
        /// Where an item is from a moment on, for its history: a room, `away`, or nil where nobody knows.
        case stay(item: String, room: String?, from: Timestamp, confidence: Double)
        /// A lesson to be kept.
        case lessonAdded(Lesson)
        /// A lesson that counts no more and must not come back, by its key; its id where it was here.
        case lessonUndone(id: String?, key: String)
    }

    /// What was left out since the start, and why.
    public struct Counters: Hashable, Sendable {
        /// Windows and scans taken into account.
        public var taken: UInt64 = 0
        /// Windows and scans of intervals that had been weighed.
        public var late: UInt64 = 0
        /// Windows and scans of nodes or items for which there was no room.
        public var overfull: UInt64 = 0
        /// Windows and scans from so far in the future or past that the node's clock must be wrong.
        public var offClock: UInt64 = 0
        /// Windows that were there already, of the same node, item and interval.
        public var doubled: UInt64 = 0
        /// Windows and scans of nodes whose room nobody told.
        public var unplaced: UInt64 = 0
    }

    /// Items tracked at once.
    static let itemCapacity = 100_000
    /// Rooms known at once; infos that name others are counted and left out.
    static let roomCapacity = 1024

    /// What it is told to be.
    public let settings: Settings
    /// The persons that items belong to.
    let persons: Set<String>
    var house: House
    var nodes = NodeTable()
    var book = IntervalBook()
    var first = FirstInterval()
    // Scratch, kept so that an interval allocates nothing.
    private var hearings: [HearingTable.Hearing] = []
    /// A locator that has heard nothing, whose house all trackers share.
    var blank: Locator
    /// Whether nodes have told of rooms since then: it is costly, and a thousand nodes start at once.
    var isHouseNew = false
    var trackers: [Tracker] = []
    var trackerOfItem: [String: Int] = [:]
    var occupants: [String: Set<String>] = [:]
    var roomOfItem: [String: String] = [:]
    var touchedRooms: Set<String> = []
    var events: UInt64 = 0
    var tally = Counters()
    var lastWeighed: Timestamp?
    /// The interval before the last, where items were placed in it.
    private(set) var weighedBefore: Timestamp?
    /// The last interval in which items were placed.
    private var lastPlaced: Timestamp?
    private var isDeaf = true
    /// The end of the last interval in which somebody listened, or heard something.
    private var lastListened: Timestamp?
    private var lacking = Lacking()
    /// Items that are phones or watches.
    var phones: Set<String> = []
    /// The shards for whose items and rooms it speaks.
    public internal(set) var served = ShardSet.all
    /// Trackers of whose items another fuser told something all the same.
    var contested: Set<Int> = []
    /// Rooms that were made for nodes of other systems.
    var foreignRooms: Set<String> = []
    var memory = HouseholdMemory()
    var classroom = Classroom()

    /// A household that has heard nothing.
    public init(settings: Settings) {
        self.settings = settings
        persons = Set(settings.personOfItem.values)
        house = settings.house
        blank = Locator(house: settings.house)
    }

    /// Counts since the start.
    public var counters: Counters {
        var counters = tally
        counters.late = book.late
        counters.doubled = book.doubled
        counters.overfull += book.dropped
        return counters
    }

    /// When `advance` must be called at the latest; nil while nothing waits.
    public var nextDeadline: Timestamp? {
        [book.nextDeadline, deafness, lessonDeadline].compactMap { $0 }.min()
    }

    /// When it will have been deaf for so long that nothing can be said; nil where it is already.
    private var deafness: Timestamp? {
        guard !isDeaf, let lastListened else { return nil }
        let patience = lastListened.advanced(byMicroseconds: Parameters.Household.deafAfter)
        return max(patience, nodes.speaksUntil ?? patience)
    }

    /// The ids of all items that were heard of, in that order.
    public var items: [String] { trackers.map(\.id) }
    /// The ids of all rooms, in the order in which they became known.
    public var rooms: [String] { house.rooms.lazy.map(\.id).filter { !$0.isEmpty } }

    // MARK: What nodes say

    /// Takes a node's `info`: where it stands and how long its intervals are.
    public mutating func receive(_ info: NodeInfo, of node: String) {
        guard let place = nodes.place(node, in: &house) else { return tally.overfull += 1 }
        let name = settings.roomOfNode[node] ?? info.room
        guard house.room(name) != nil || house.roomCount < Self.roomCapacity else { return tally.overfull += 1 }
        let room = house.addRoom(name)
        notePresence(at: place)
        nodes.update(place) { $0.window = Int64(info.window * 1e6) }
        lacking.note(info.missingKeys, of: nodes.nodes[place].index)
        if nodes.note(address: info.address, offset: info.offset, at: place) { classroom.isStale = true }
        // An info is repeated on each connection, and most say nothing new.
        guard house.nodes[nodes.nodes[place].index].room != room else { return }
        house.addNode(node, room: room)
        isHouseNew = true
        memory.note(movedNode: node)
        classroom.isStale = true
    }

    /// Takes a node's `status`.
    public mutating func receive(isOnline: Bool, of node: String) {
        guard let place = nodes.place(node, in: &house) else { return tally.overfull += 1 }
        notePresence(at: place)
        nodes.update(place) { $0.isOnline = isOnline }
    }

    /// A node tells something. One that was taken for gone is kept again, with the room that it had.
    private mutating func notePresence(at place: Int) {
        if nodes.nodes[place].standing == .forgotten { memory.note(movedNode: nodes.nodes[place].id) }
        nodes.update(place) { $0.standing = .present }
    }

    /// A node is gone for good: nothing is told of it any more, unless it comes back.
    public mutating func forget(node: String) {
        guard let place = nodes.place(of: node), !nodes.nodes[place].isForeign else { return }
        nodes.update(place) { ($0.standing, $0.isOnline) = (.forgotten, false) }
        // It holds its place in the table: there are no more of these than that has.
        memory.note(goneNode: node, isKept: true)
    }

    /// Takes a window; false where it is of no item, or left out and counted.
    ///
    /// - Parameter isClockKnown: whether a `scan` has told by which clock the nodes live. A window that is far from `time`
    ///   is left out all the same, and no node's fault before.
    @discardableResult
    public mutating func receive(_ window: Window, at time: Timestamp, isClockKnown: Bool = true) -> Bool {
        guard let item = window.item else {
            if let place = nodes.known(window.node) { first.note(windowOf: place.index, window.to) }
            return false
        }
        guard isOnClock(window.to, time) else {
            if isClockKnown { tally.offClock += 1 }
            return false
        }
        guard let place = place(ofSpeaking: window.node) else { return false }
        guard let tracker = tracker(of: item, at: window.from) else {
            tally.overfull += 1
            return false
        }
        tally.taken += 1
        first.note(windowOf: nodes.nodes[place].index, window.to)
        let hearing = HearingTable.Hearing(
            node: nodes.nodes[place].index, level: window.rssi?.mean, count: window.count, expected: window.expected,
            distance: window.distance?.metres, epoch: window.epoch, seq: window.seq,
            length: window.to.microseconds(since: window.from))
        return book.add(hearing, item: tracker, end: window.to, at: time)
    }

    /// Takes a `scan`: all the node's windows of that interval were sent before, and it listened but for its gap.
    public mutating func receive(_ scan: Scan, of node: String, at time: Timestamp) {
        guard isOnClock(scan.to, time) else { return tally.offClock += 1 }
        guard let place = place(ofSpeaking: node) else { return }
        tally.taken += 1
        let isListening = scan.gapShare <= Parameters.Household.mostGap
        notePresence(at: place)
        nodes.update(place) { node in
            let last = max(node.lastScan ?? scan.to, scan.to, time)
            node.lastScan = last
            if isListening { node.lastListened = last }
            node.window = scan.to.microseconds(since: scan.from)
        }
        first.note(scanOf: nodes.nodes[place].index, windows: scan.windows, scan.to)
        book.add(
            scanOf: nodes.nodes[place].index, from: scan.from, to: scan.to, isListening: isListening, at: time)
    }

    /// Whether a node's room is known, by its `info`, by configuration or from an earlier run: others have no say.
    public func knows(_ node: String) -> Bool { house.node(node).map { house.nodes[$0].room != nil } ?? false }

    /// Where a node stands that says something; nil, and counted, where it has no say or there is no room for it.
    private mutating func place(ofSpeaking node: String) -> Int? {
        if let place = nodes.place(of: node), house.nodes[nodes.nodes[place].index].room != nil { return place }
        guard knows(node) else {
            tally.unplaced += 1
            return nil
        }
        let place = nodes.place(node, in: &house)
        if place == nil { tally.overfull += 1 }
        return place
    }

    /// Notes that there is such an item: one that no node hears is away, when nodes have listened for it for long enough.
    ///
    /// - Parameter interval: microseconds between its advertisements, as somebody said who knows it; what is heard of it
    ///   goes before that.
    public mutating func expect(_ item: String, interval: Int64? = nil, at time: Timestamp) {
        let isNew = trackerOfItem[item] == nil
        guard let index = tracker(of: item, at: time) else { return tally.overfull += 1 }
        trackers[index].isExpected = true
        if isNew { trackers[index].isUnheard = true }
        if trackers[index].interval == nil { trackers[index].interval = interval.map { Double($0) / 1e6 } }
    }

    // MARK: What it makes of it

    /// Weighs what is ready at `time`, and gives what is to be told.
    public mutating func advance(to time: Timestamp, _ body: (Outcome) -> Void) {
        if let lastWeighed, lastWeighed.microseconds(since: time) > Parameters.Household.clockTolerance {
            startAnew(at: time, body)
        }
        while let interval = book.take(at: time, from: nodes) {
            weigh(interval, body)
            book.reuse(interval.hearings)
        }
        if !classroom.running.isEmpty { endLessons(at: time, body) }
        if let deafness, time >= deafness { forget(at: time, body) }
    }

    /// The clock was set back: what was weighed lies in its future, and all that comes would be late for it.
    ///
    /// `advance` finds it out by itself where it is by a minute or more; a caller who knows better says so.
    public mutating func startAnew(at time: Timestamp, _ body: (Outcome) -> Void) {
        book.startAnew()
        nodes.startAnew()
        (lastWeighed, lastListened, weighedBefore, lastPlaced) = (nil, nil, nil, nil)
        forget(at: time, body)
    }

    mutating func forget(at time: Timestamp, _ body: (Outcome) -> Void) {
        isDeaf = true
        for index in trackers.indices {
            guard let change = trackers[index].forget(at: time) else { continue }
            tell(change, index, body)
            memory.note(index)
        }
        tellRooms(body)
    }

    private mutating func weigh(_ interval: IntervalBook.Interval, _ body: (Outcome) -> Void) {
        let isPart = first.skips(
            interval.end, online: nodes.nodes.filter { $0.isOnline == true && !$0.isForeign }.map(\.index))
        if memory.skipsPart() || isPart { return }
        // While lessons are learned nothing is placed: what is found then may have come at any time since.
        let isPlacing = !classroom.isStarting
        weighedBefore = isPlacing ? lastPlaced : nil
        lastPlaced = isPlacing ? interval.end : nil
        lastWeighed = interval.end
        if interval.listening != NodeSet() || interval.hearings.count > 0 {
            (lastListened, isDeaf) = (interval.end, false)
        }
        refurnishIfNew()
        if memory.restored != nil { takeUp(at: interval.end, body) }
        var hop = Hop(end: interval.end)
        for index in trackers.indices {
            interval.hearings.copy(of: index, into: &hearings)
            if hearings.isEmpty, trackers[index].isResting { continue }
            let listening = listeners(interval.listening, to: trackers[index].id)
            hop.reset(end: interval.end, listening: listening)
            for hearing in hearings {
                guard let level = hearing.level else { continue }
                hop.insert(
                    Hop.Reading(node: hearing.node, level: level, count: hearing.count, expected: hearing.expected))
            }
            if !classroom.running.isEmpty { classroom.running[index]?.take(hop, length: interval.length) }
            let isListened = listening != NodeSet()
            var change =
                hearings.isEmpty && isUnknowable(trackers[index].id)
                ? trackers[index].forget(at: interval.end)
                : trackers[index].weigh(
                    hop, hearings, length: interval.length, isListened: isListened,
                    awayAfter: awayAfter(trackers[index].id), isPlacing: isPlacing)
            if change == nil { change = loseSight(of: index, interval, isListened) }
            if let change { tell(change, index, body) } else { refresh(index, interval.end, body) }
            if change != nil { memory.note(index) }
        }
        tellRooms(body)
    }

    // MARK: Pieces

    /// The nodes of an interval that would know the item.
    private func listeners(_ listening: NodeSet, to item: String) -> NodeSet {
        guard !lacking.isEmpty, let deaf = lacking[item] else { return listening }
        return listening.subtracting(deaf)
    }

    /// Whether no node has the item's key.
    private func isUnknowable(_ item: String) -> Bool {
        guard !lacking.isEmpty, let deaf = lacking[item] else { return false }
        return nodes.nodes.allSatisfy { deaf.contains($0.index) }
    }

    /// Lets all trackers share the house as it is now.
    mutating func refurnishIfNew() {
        // A node may have been heard before its info came.
        guard isHouseNew || blank.house.nodes.count != house.nodes.count else { return }
        isHouseNew = false
        blank.update(house)
        for index in trackers.indices { trackers[index].update(like: blank) }
    }

    private func isOnClock(_ end: Timestamp, _ time: Timestamp) -> Bool {
        (-Parameters.Household.clockTolerance...Parameters.Household.clockLead).contains(end.microseconds(since: time))
    }

    mutating func tracker(of item: String, at time: Timestamp) -> Int? {
        if let index = trackerOfItem[item] { return index }
        guard trackers.count < Self.itemCapacity else { return nil }
        trackerOfItem[item] = trackers.count
        trackers.append(Tracker(id: item, locator: blank, at: time))
        return trackers.count - 1
    }
}
