public import Alerts
public import Bytes
public import EventLedger
public import HouseTracking
public import Identity
internal import Integrations
internal import Metrics
internal import RoomEstimation
public import WireProtocol

/// The road of a message through a fuser: from what nodes publish to what is published of items, rooms and persons.
///
/// It decodes each message once, hands it to its components in their order, and lets their time pass once a turn. It does no
/// I/O and reads no clock. Its times are the wall's; where the nodes replay or simulate it lives on theirs.
///
///     for message in messages { pipeline.receive(message, at: now, &outbox) }
///     pipeline.advance(to: now, &outbox)                        // once a turn, and at `nextDeadline`
///     let effects = pipeline.takeEffects(at: now)               // to be stored, then their events published
public struct FuserPipeline {
    let identity: FuserIdentity
    let tracking: Tracking
    let persons: PersonTracking
    let alerts: AlertPublisher
    let telemetry: TelemetryPublisher
    let batteries: BatteryPublisher
    let clones: CloneWatch
    let registry: ItemRegistry
    let publication: Publication
    let lessons: SharedLessons
    let external: ExternalNodes
    let contents: HouseContents
    let journal: NodeJournal
    let peerEvents: PeerEvents
    let plans: HousePlanBook
    /// The counts of the house; nil where nobody can read them.
    private let figures: HouseMetrics?
    let house: FuserHouse
    /// True for a member of a pool of fusers.
    let isPooled: Bool

    /// A pipeline that has received nothing yet.
    ///
    /// - Parameters:
    ///   - items: what the items file says, which seeds the registry on the broker.
    ///   - shards: the shards that it is there for.
    ///   - isPooled: true for a member of a pool, which reads the windows of no shard before `followShards`.
    ///   - rules: what is warned of.
    ///   - record: what an earlier run remembered.
    ///   - lessons: what was taught in earlier runs; until it is learned, rooms stand as they were.
    ///   - undoneLessons: the lessons that were undone, and must not come back.
    ///   - alertMemory: what the alerts of earlier runs remembered.
    ///   - run: what no earlier run has had and nobody else knows, for the ids of its requests.
    ///   - positions: how far nodes' events were taken in earlier runs.
    ///   - persons: items that go about together.
    ///   - personMemory: what an earlier run remembered of persons.
    ///   - plan: the plan of the house that an earlier run had.
    ///   - batteryMemory: what an earlier run remembered of batteries, by their items.
    ///   - formerNames: names that this fuser had before: what was published under them is its own.
    ///   - counting: what is counted for metrics.
    public init(
        settings: Household.Settings, items: [Item] = [], topicPrefix: String = "whereabouts",
        shards: ClosedRange<UInt8> = 0...255, isPooled: Bool = false, alerts rules: [AlertRule] = [],
        remembering record: HouseholdRecord = HouseholdRecord(), lessons: [Lesson] = [],
        undoneLessons: [UndoneLesson] = [], alertMemory: String? = nil, run: String = "run",
        positions: [LedgerPosition] = [], persons: [Person] = [],
        personMemory: [PersonMemory] = [], plan: HousePlan? = nil, batteryMemory: [String: String] = [:],
        formerNames: Set<String> = [], counting: Counting = .nothing, detectsClones: Bool = true
    ) {
        let topics = Topics(prefix: topicPrefix)
        self.isPooled = isPooled
        var settings = settings
        settings.plan = plan
        settings.personOfItem = persons.ofItems
        identity = FuserIdentity(
            name: settings.fuser, epoch: settings.epoch, shards: shards, topics: topics, formerNames: formerNames)
        tracking = Tracking(
            Household(settings: settings, remembering: record, lessons: lessons, undone: undoneLessons.map(\.key)))
        self.persons = PersonTracking(persons, remembering: personMemory)
        alerts = AlertPublisher(
            HouseAlerts(rules: rules, awayAfter: settings.awayAfter, remembering: alertMemory))
        telemetry = TelemetryPublisher()
        batteries = BatteryPublisher(remembering: batteryMemory, showsItems: counting == .items)
        clones = CloneWatch(isOn: detectsClones)
        registry = ItemRegistry(topics: topics, file: items)
        publication = Publication(topics: topics)
        self.lessons = SharedLessons(topics: topics, remembering: undoneLessons)
        external = ExternalNodes()
        contents = HouseContents(HouseRooms(settings.house, drawn: Set(plan?.rooms.map(\.id) ?? [])))
        plans = HousePlanBook(plan)
        figures = HouseMetrics(counting)
        journal = NodeJournal(fuser: settings.fuser, topics: topics, run: run, from: positions)
        peerEvents = PeerEvents(fuser: settings.fuser, topics: topics, run: run)
        house = FuserHouse(
            identity, publication: publication, items: registry, tracker: tracking, persons: self.persons,
            lessons: self.lessons, rooms: contents, followed: isPooled ? ShardSet() : ShardSet(shards),
            components: [
                external, plans, contents, journal, peerEvents, tracking, self.persons, clones, alerts, telemetry,
                batteries, registry, publication, self.lessons,
            ] + (figures.map { [$0] } ?? []))
        for item in items where item.key == .irk { tracking.notePatience(of: item.id, turn) }
        self.persons.restorePersons(personMemory, turn)
    }

    /// The topics that it reads and publishes.
    public var topics: Topics { identity.topics }
    /// The fuser's id.
    public var fuser: String { identity.name }

    /// The metrics of the house.
    var metrics: [MetricFamily] {
        (figures?.metrics ?? []) + batteries.metrics + clones.metrics + tracking.metrics + [house.diagnostics.metric]
    }

    // MARK: Messages and time

    /// The wall time at which `advance` must be called at the latest; nil while only a message can change anything.
    public var nextDeadline: Timestamp? { house.components.compactMap { $0.nextDeadline(house) }.min() }

    /// True if `advance` decides something at a wall time.
    func isDue(at wall: Timestamp) -> Bool {
        let turn = Turn(at: wall, in: house)
        return nextDeadline.map { $0 <= wall } ?? false || tracking.isDue(turn) || persons.isDue(turn)
            || alerts.isDue(turn)
    }

    /// Receives a message that arrived at a wall time; what is to be published is appended to `outbox`. What follows from it
    /// may wait for `advance`, which must be called once the messages of a turn have been received.
    public mutating func receive(_ message: Message, at wall: Timestamp, _ outbox: inout [Message]) {
        let turn = Turn(at: wall, in: house)
        dispatchMessage(message, turn)
        publication.takeMessages(&outbox)
    }

    private mutating func dispatchMessage(_ message: Message, _ turn: Turn) {
        guard let kind = topics.kind(of: message.topic) else { return receive(.external(message), turn) }
        guard !external.rejects(kind.speaker, turn) else { return }
        guard !message.retained || !kind.isMomentary else {
            return turn.diagnostics.reject(message, "the broker kept it, and it is of one moment")
        }
        // What the broker kept of an item that was removed is cleared.
        if message.retained, let item = kind.describedItem, registry.isWithdrawn(item) {
            if !message.payload.isEmpty { publication.clear(message.topic, of: item) }
            return
        }
        do throws(PayloadFault) {
            if let message = try HouseMessage(message, kind, isOwn: publication.isOwn(message)) {
                receive(message, turn)
            }
        } catch {
            turn.diagnostics.reject(message, "\(error)")
        }
    }

    private func receive(_ message: HouseMessage, _ turn: Turn) {
        for component in house.components { component.receive(message, turn) }
    }

    /// Advances the time.
    public func advance(to wall: Timestamp, _ outbox: inout [Message]) {
        perform(at: wall, &outbox) { turn in for component in house.components { component.advance(turn) } }
    }

    /// A connection was made at a wall time: everything that is to stand retained is published anew, since the broker may
    /// have lost it.
    public func connected(at wall: Timestamp, _ outbox: inout [Message]) {
        perform(at: wall, &outbox) { turn in for component in house.components { component.connected(turn) } }
    }

    /// Records that the broker has granted all subscriptions that answers rest on: from this wall time on it sends what it
    /// retains, and what does not come is absent.
    func expectRetained(at wall: Timestamp) {
        for component in house.components { component.subscriptionsGranted(Turn(at: wall, in: house)) }
    }

    /// Treats no missing message as absent until `expectRetained` is called: the broker has not granted all
    /// subscriptions yet.
    func awaitRetained() { publication.awaitSubscriptions() }

    /// Performs a body in a turn; what it publishes is appended to `outbox`.
    func perform<Value, Fault: Error>(
        at wall: Timestamp, _ outbox: inout [Message], _ body: (Turn) throws(Fault) -> Value
    ) throws(Fault) -> Value {
        defer { publication.takeMessages(&outbox) }
        return try body(Turn(at: wall, in: house))
    }

    // MARK: Effects

    /// True if something has happened that is to be stored at once, and published when it is.
    ///
    /// What nodes publish can wait for ten seconds until one confirms what is remembered: the end of the run before stays on
    /// record until then.
    public var hasEvents: Bool {
        publication.hasEvents || (journal.hasEntries && (!isWaiting || journal.isUrgent))
    }

    /// True while answers are remembered that no node has confirmed yet.
    public var isWaiting: Bool { tracking.isWaiting }

    /// The effects of the time since the last call, at a wall time.
    ///
    /// - Parameters:
    ///   - remembers: whether rows of items and nodes are wanted, as where they outlast the program.
    ///   - isLast: whether all that differs from what was stored is wanted, as at the program's end.
    public func takeEffects(at wall: Timestamp, remembers: Bool = true, isLast: Bool = false) -> FuserEffects {
        var effects = publication.takeEffects()
        let turn = Turn(at: wall, in: house)
        let request = StoreRequest(remembers: remembers, isLast: isLast)
        for component in house.components { component.store(in: &effects, request, turn) }
        return effects
    }

    /// Marks the whole state as changed, since the stored one is lost.
    public func rememberAll() {
        for component in house.components { component.storeEverything(turn) }
    }

    /// The message that publishes an event which was stored.
    public func message(_ event: ItemEvent, of item: String) -> Message {
        Message(
            topic: topics.itemEvents(item), payload: publication.payload { event.write(to: &$0) }, qos: .atLeastOnce)
    }

    /// The time in the house at a wall time.
    public func time(atWall wall: Timestamp) -> Timestamp { house.time.time(atWall: wall) }

    // MARK: Diagnostics

    /// The counts of what was processed and dropped since the start.
    public var counters: Household.Counters { tracking.counters }
    /// The number of messages since the start that were not what their topic promises, or of another clock.
    public var refused: UInt64 { house.diagnostics.rejected }

    /// The warnings to log since the last call: a key that stays the same, a text, and the names of items and persons in it.
    public func takeComplaints() -> [(key: String, words: String, names: [String])] {
        tracking.warnOfDropped(in: house.diagnostics)
        clones.warnOfDropped(in: house.diagnostics)
        batteries.warnOfDropped(in: house.diagnostics)
        return house.diagnostics.takeWarnings()
    }

    /// The notes to log since the last call.
    func takeNotes() -> [String] { house.diagnostics.takeNotes() }
}
