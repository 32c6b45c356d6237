public import Alerts
public import Bytes
public import EventLedger
public import HouseTracking
public import Identity
internal import Integrations
internal import RoomEstimation
public import WireProtocol

/// The road of a message through a fuser: from what nodes say to what is said of items and rooms.
///
/// It does no I/O and reads no clock. Its times are the wall's; where the nodes replay or simulate it lives on theirs.
public struct FuserPipeline: Sendable {
    /// Topics whose kind is remembered, so that not every message is taken apart.
    static let topicCapacity = 65_536
    /// The topics it reads and publishes.
    public let topics: Topics
    var household: Household
    /// Items that go about together, and are told of as one.
    var persons: Persons
    var registry: RegistryFollower
    var clock = HouseClock()
    /// The shards that it is there for.
    let shards: ClosedRange<UInt8>
    private var kinds: [String: TopicKind] = [:]
    /// The retained messages.
    var retained = RetainedState()
    var json = JSONWriter()
    var alerts: HouseAlerts
    /// Alerts that fell due while another fuser was to tell them.
    var held = HeldNotices()
    /// Items whose retained alerts another fuser wrote over while this one served.
    var contestedAlerts: Set<String> = []
    var telemetry = TelemetryTable()
    /// The rooms, and the nodes and items in them.
    var places: HouseRooms
    /// What Home Assistant is to be told of.
    var news = HouseNews()
    var shelf: LessonShelf
    /// What happened at nodes.
    var journal: NodeJournal
    /// What other systems tell.
    var desk = ForeignDesk()
    /// What other systems are told.
    var roomTeller = RoomTeller()
    var wills = LastWills()
    /// What is to be kept, and events that are to be told when they are.
    var effects = FuserEffects()
    /// Messages to the operator.
    var diagnostics = Diagnostics()
    /// By how much nodes' clocks are wrong.
    var offsets = NodeOffsets()
    /// What was told last of how much was left out.
    var leftOutTold: String?
    /// Names that this fuser had before: what they warned of is its own now.
    var formerFusers: Set<String> = []
    /// Items that were removed: what is retained of them is cleared, and nothing is told of them.
    var removed: Set<String> = []
    /// Persons of whom is told, or was, and whom this fuser's configuration doesn't name.
    var unnamed = UnnamedPersons()
    /// A pipeline that has heard nothing yet.
    ///
    /// - Parameters:
    ///   - items: what the items file says, which seeds the registry on the broker.
    ///   - shards: the shards that it is there for.
    ///   - rules: what is warned of.
    ///   - record: what an earlier run remembered.
    ///   - lessons: what was taught in earlier runs; until it is learned, rooms stand as they were.
    ///   - undoneLessons: the keys of lessons that were undone, and must not come back.
    ///   - alertMemory: what the alerts of earlier runs remembered.
    ///   - run: what no earlier run has had and nobody else knows, for the ids of its requests.
    ///   - positions: how far nodes' events were taken in earlier runs.
    ///   - persons: items that go about together.
    ///   - personMemory: what an earlier run remembered of persons.
    public init(
        settings: Household.Settings, items: [Item] = [], topicPrefix: String = "whereabouts",
        shards: ClosedRange<UInt8> = 0...255, alerts rules: [AlertRule] = [],
        remembering record: HouseholdRecord = HouseholdRecord(), lessons: [Lesson] = [], undoneLessons: [String] = [],
        alertMemory: String? = nil, run: String = "run", positions: [LedgerPosition] = [], persons: [Person] = [],
        personMemory: [PersonMemory] = []
    ) {
        self.shards = shards
        topics = Topics(prefix: topicPrefix)
        places = HouseRooms(
            configured: Set(settings.house.rooms.map(\.id)),
            isDrawn: !settings.house.rooms.isEmpty && settings.house.rooms.allSatisfy { !$0.outline.isEmpty })
        self.persons = Persons(persons, remembering: personMemory)
        let settings = settings.with(persons)
        household = Household(settings: settings, remembering: record, lessons: lessons, undone: undoneLessons)
        shelf = LessonShelf(topics: topics)
        journal = NodeJournal(fuser: settings.fuser, topics: topics, run: run, from: positions)
        registry = RegistryFollower(topics: topics)
        registry.book.apply(file: items)
        alerts = HouseAlerts(rules: rules, awayAfter: settings.awayAfter, remembering: alertMemory)
        for item in items where item.key == .irk { notePatience(of: item.id) }
        recall(personMemory)
    }

    /// The filters it must be subscribed to: other fusers first, so that they are known before what they told.
    public var subscriptions: [(filter: String, qos: Message.QualityOfService)] {
        [
            (topics.allFusers("status"), .atLeastOnce), (topics.allFusers("claim"), .atMostOnce),
            (topics.allNodes("status"), .atLeastOnce), (topics.allNodes("info"), .atLeastOnce),
            (topics.allNodes("scan"), .atMostOnce),
            (registry.filter, .atMostOnce), (topics.allItems("location"), .atMostOnce),
            (topics.allItems("events"), .atMostOnce), (topics.allOccupancies, .atMostOnce),
            (topics.allItems("alert"), .atMostOnce), (topics.allItems("room"), .atMostOnce),
            (topics.allItems("telemetry"), .atMostOnce), (topics.allLessons, .atMostOnce),
            (topics.fuserCommand(fuser), .atLeastOnce), (topics.allNodes("events"), .atLeastOnce),
            (topics.allNodes("command/result"), .atLeastOnce), (journal.replyTopic, .atLeastOnce),
        ] + (windowFilters + desk.inputs.filters).map { ($0, .atMostOnce) }
    }

    /// The filters among them that its answers don't rest on: commands, what the journal of nodes is made of, which is asked
    /// for again later, and other systems' topics.
    var optionalFilters: Set<String> {
        Set(
            [
                topics.fuserCommand(fuser), topics.allNodes("events"), topics.allNodes("command/result"),
                journal.replyTopic,
            ] + desk.inputs.filters)
    }

    /// One filter for all shards, or one for each.
    private var windowFilters: [String] {
        guard shards.count < 256 else { return [topics.allWindows()] }
        return shards.map { topics.allWindows(shard: Hex.text($0, digits: 2)) }
    }

    /// What was left out since the start, and why.
    public var counters: Household.Counters { household.counters }

    /// The wall time at which `advance` must be called at the latest; nil while only a message can change anything.
    public var nextDeadline: Timestamp? {
        let household = household.nextDeadline.flatMap { clock.wall(at: $0) }
        let alert = self.household.isWaiting ? nil : alerts.nextDeadline.flatMap { clock.wall(at: $0) }
        let person = persons.nextDeadline.flatMap { clock.wall(at: $0) }
        let retained =
            retained.isAwaited ? [] : [registry.nextDeadline, retained.confirmedAt, shelf.nextDeadline]
        return ([household, alert, person, foreignDeadline, roomTeller.nextDeadline] + retained).compactMap { $0 }.min()
    }

    /// Takes a message that arrived at a wall time; what is to be published is appended to `outbox`.
    public mutating func receive(_ message: Message, at wall: Timestamp, _ outbox: inout [Message]) {
        guard let kind = kind(of: message.topic) else {
            guard receive(foreign: message, at: wall, &outbox) else {
                return diagnostics.reject(message, "it is no topic of ours")
            }
            return advance(to: wall, &outbox)
        }
        guard !isForeign(kind.speaker) else { return }
        // A broker keeps nothing of ours on these but status and info: what it kept is of another's making, or stale.
        do throws(PayloadFault) {
            switch kind {
            case .nodeStatus(let node):
                let isOnline = message.payload == Array("online".utf8)
                // One that has gone says so: only one that is gone for good says nothing any more.
                if message.payload.isEmpty {
                    household.forget(node: node)
                } else {
                    household.receive(isOnline: isOnline, of: node)
                }
                wills.note(isOnline: isOnline, of: node)
            case .nodeInfo(let node):
                guard !message.payload.isEmpty else {
                    forget(node: node, &outbox)
                    return
                }
                let info = try NodeInfo(payload: message.payload.span)
                wills.note(root: info.espresense, of: node, &outbox)
                // One that was kept may be of a node that is gone: its clock is no clock to live by.
                guard message.retained || follow(info.clock, of: node, at: wall, &outbox) else { break }
                notePlace(info.room, area: info.area, ofNode: node)
                household.receive(info, of: node)
                diagnostics.noteKnownNode(node)
            case .scan(let node) where !message.retained:
                var scan = try Scan(payload: message.payload.span)
                journal.hear(scan, of: node)
                guard follow(scan.clock, of: node, at: wall, &outbox) else { break }
                clock.reach(scan.to)
                judgeClock(of: node, scan, at: wall, &outbox)
                judgePlace(of: node, at: wall)
                (scan.from, scan.to) = shifted(scan.from, scan.to, of: node)
                household.receive(scan, of: node, at: clock.time(atWall: wall))
            case .window(let beacon, let node) where !message.retained:
                var window = try Window(payload: message.payload.span)
                guard window.node == node else { throw .outOfRange("node") }
                guard window.item ?? window.id == beacon else { throw .outOfRange("item") }
                // A node that still tells of it doesn't know yet.
                guard removed.isEmpty || !removed.contains(beacon) else { break }
                guard persons.isEmpty || !persons.contains(beacon) else { break }
                clock.reach(window.to)
                (window.from, window.to) = shifted(window.from, window.to, of: node)
                guard household.receive(window, at: clock.time(atWall: wall), isClockKnown: clock.isKnown)
                else {
                    judgePlace(of: node, at: wall)
                    break
                }
                if let item = window.item, let readings = window.telemetry { note(readings, window, of: item, &outbox) }
            case .nodeEvents(let node) where !message.retained: try journal.receive(eventIn: message, of: node)
            case .commandResult where !message.retained, .replies where !message.retained:
                journal.receive(answerIn: message)
            case .scan, .window, .nodeEvents: diagnostics.reject(message, "the broker kept it, and it is of one moment")
            case .itemConfig:
                switch registry.receive(message, at: wall) {
                case .changed(let item):
                    desk.names.noteRegistry()
                    noteEntry(of: item, at: wall, &outbox)
                case .refused(let refusal): diagnostics.warn("item \(refusal.id)", "\(refusal)")
                case .nothing: break
                }
            case .location(let item) where message.retained && removed.contains(item):
                withdraw(leftover: message, of: item, &outbox)
            case .location(let item):
                retained.noteAnswer(message, of: item)
                try hear(message, of: item, at: wall, &outbox)
            case .itemEvents(let item): try hear(eventIn: message, of: item, at: wall)
            case .lesson(let key): receive(message, ofLesson: key, at: wall, &outbox)
            case .room(let item) where message.retained, .itemTelemetry(let item) where message.retained,
                .itemAlert(let item) where message.retained && removed.contains(item):
                if removed.contains(item) {
                    withdraw(leftover: message, of: item, &outbox)
                } else {
                    retained.inherit(message)
                    if case .itemTelemetry = kind { noteReadings(message.payload, of: item) }
                    if case .room = kind { noteRoom(String(decoding: message.payload, as: UTF8.self), of: item) }
                }
            case .room(let item): noteRoom(String(decoding: message.payload, as: UTF8.self), of: item)
            case .itemTelemetry(let item): noteReadings(message.payload, of: item)
            case .itemAlert(let item): try hear(alertsIn: message, of: item, at: wall)
            case .occupancy where message.retained: retained.inherit(message)
            default: break
            }
        } catch {
            diagnostics.reject(message, "\(error)")
        }
        advance(to: wall, &outbox)
    }

    /// Lets time pass.
    public mutating func advance(to wall: Timestamp, _ outbox: inout [Message]) {
        takeForeign(at: wall, &outbox)
        tellNeighbours(at: wall, &outbox)
        var outcomes: [Household.Outcome] = []
        household.advance(to: clock.time(atWall: wall)) { outcomes.append($0) }
        for outcome in outcomes { tell(outcome, &outbox) }
        settlePersons(at: wall, &outbox)
        warn(at: wall, &outbox)
        guard !retained.isAwaited else { return }
        // What the broker lost of the registry, and what the items file seeds.
        repairRegistry(at: wall, &outbox)
        disown(at: wall, &outbox)
        putBackLessons(at: wall, &outbox)
    }

    /// A connection was made at a wall time: everything that is to stand retained is published anew, since the broker may
    /// have lost it.
    public mutating func connected(at wall: Timestamp, _ outbox: inout [Message]) {
        registry.connected(at: wall)
        for entry in registry.book.entries.values.sorted(by: { $0.id < $1.id }) { expect(entry, at: wall) }
        shelf.connected(at: wall)
        retained.awaitConfirmation(from: wall)
        outbox += retained.messages
    }

    /// Takes nothing that doesn't come for absent, until `expectRetained` is called: the broker hasn't granted all
    /// subscriptions yet.
    mutating func awaitRetained() { retained.awaitSubscriptions() }

    /// Notes that the broker has granted all subscriptions that answers rest on: from this wall time on it sends what it
    /// retains, and what doesn't come is absent.
    mutating func expectRetained(at wall: Timestamp) {
        registry.expectRetained(at: wall)
        shelf.expectRetained(at: wall)
        retained.subscriptionsGranted(at: wall)
    }

    // MARK: Pieces

    /// Whether a node's clock is the house's.
    private mutating func follow(
        _ next: NodeClock?, of node: String, at wall: Timestamp, _ outbox: inout [Message]
    ) -> Bool {
        switch clock.follow(next, of: node, atWall: wall) {
        case .same: return true
        case .other:
            diagnostics.countRejected()
            diagnostics.warn(node, "node \(node) lives on another clock than the others: what it says is left out")
            return false
        case .startedAnew:
            var outcomes: [Household.Outcome] = []
            household.startAnew(at: clock.time(atWall: wall)) { outcomes.append($0) }
            for outcome in outcomes { tell(outcome, &outbox) }
            return true
        }
    }

    /// An interval of a node by the house's clock.
    private func shifted(_ from: Timestamp, _ to: Timestamp, of node: String) -> (Timestamp, Timestamp) {
        let shift = offsets.shift(of: node)
        return shift == 0
            ? (from, to) : (from.advanced(byMicroseconds: shift), to.advanced(byMicroseconds: shift))
    }

    private mutating func kind(of topic: String) -> TopicKind? {
        if let kind = kinds[topic] { return kind }
        guard let kind = topics.kind(of: topic) else { return nil }
        if kinds.count >= Self.topicCapacity { kinds.removeAll(keepingCapacity: true) }
        kinds[topic] = kind
        return kind
    }
}
