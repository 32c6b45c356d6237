internal import Bytes
internal import MQTT
internal import BrokerSession
internal import Configuration
internal import System
internal import WireProtocol

/// A running fuser: one thread that waits for its broker and its signals, and hands on what comes.
final class FuserService {
    var pipeline: FuserPipeline
    var failover: FailoverCoordinator
    let memory: FuserMemory
    /// What Home Assistant is told of, and what stands under names that the fuser had before.
    var discovery: HouseDiscovery
    let session: Session
    let loop: RunLoop
    var notifier: ServiceNotifier
    let log: Log
    /// The program's version, for its claims; nil to leave it out.
    var version: String?
    var outbox: [Message] = []
    var commands = CommandGate<FuserCommand>()
    /// The changes that are recorded.
    var audit: Audit
    /// The topics that it reads and publishes.
    let topics: Topics
    /// The page that shows what is published; nil without one.
    var page: ServedPage?
    /// The copy in PostgreSQL; nil without one.
    let history: HistoryExport?
    /// The nodes that are asked for the tags near them.
    var enrolments: Enrolments
    private let learning: LearningThread
    /// Reads the keys by which other systems' words are known; nil where there are none.
    var externalKeys: (() -> [[UInt8]: String])?
    /// The configuration, which SIGHUP has read anew, and commands change in part.
    var configuration: ConfigurationInForce
    var backlog = Backlog()
    /// True if events were published again in this turn.
    var hasReplayed = false
    private var complained = MonotonicTime.start
    /// The time of the last turn in which the pipeline's time advanced.
    private var advanced = MonotonicTime.start
    /// The time at which memory that only the reading of retained messages needed is released; nil when it has been.
    private var releasesAt: MonotonicTime?
    private let clocks: () -> ClockReading
    // Each of the two alone is read for every message: a reading of all is dearer.
    private let wallClock: () -> Timestamp
    private let monotonicClock: () -> MonotonicTime
    private var watch: ClockWatch

    /// The time of day.
    var wall: Timestamp { wallClock() }
    /// The time on a clock that is never set.
    var monotonic: MonotonicTime { monotonicClock() }

    /// Messages a second at most.
    static let rate = 5000
    /// The messages that may wait to be read: two seconds of 10,000 items at four to five nodes, whose windows come within a
    /// quarter of a second.
    static let incoming = MQTTConfiguration.Bound(messages: 131_072, bytes: 48 << 20)
    /// Messages that are given to the session at once. It gets others when the broker has acknowledged these: what waits
    /// here can be taken back.
    private static let batch = 1000
    /// The time after which a backlog is looked at again.
    private static let backlogPause: Duration = .milliseconds(20)
    /// The time after which an answer to rejected commands is tried again.
    private static let refusalPause: Duration = .seconds(1)
    /// The longest time for which messages that wait keep the time from advancing.
    private static let longestDelay: Duration = .seconds(1)
    /// The time after the broker's answer to the subscriptions in which retained messages have been read.
    private static let reading: Duration = .seconds(15)
    /// The seconds at the end of the program for what waits to be published, and again for the last words.
    private static let ending = 4.0
    /// The shortest time between two rounds of warnings.
    private static let complaintPause: Duration = .seconds(10)

    init(
        pipeline: FuserPipeline, failover: FailoverCoordinator, memory: FuserMemory,
        configuration: ConfigurationInForce, discovery: HouseDiscovery, session: Session,
        loop: RunLoop, log: Log, notifier: ServiceNotifier, clocks: (() -> ClockReading)? = nil,
        externalKeys: (() -> [[UInt8]: String])? = nil, page: ServedPage? = nil, history: HistoryExport? = nil
    ) {
        self.history = history
        self.page = page
        self.externalKeys = externalKeys
        self.clocks = clocks ?? ClockReading.now
        wallClock = clocks.map { clocks in { clocks().wall } } ?? WallClock.now
        monotonicClock = clocks.map { clocks in { clocks().sinceStart } } ?? MonotonicClock.now
        watch = ClockWatch(self.clocks())
        self.pipeline = pipeline
        self.failover = failover
        self.memory = memory
        self.configuration = configuration
        topics = pipeline.topics
        audit = Audit(
            since: memory.formerEnd ?? (clocks?().wall ?? WallClock.now()), values: memory.auditedValues())
        self.discovery = discovery
        self.session = session
        self.loop = loop
        self.log = log
        self.notifier = notifier
        enrolments = Enrolments(topics: topics, replyTopic: pipeline.journal.replyTopic)
        learning = LearningThread(wakeUp: loop.wakeUp)
    }

    /// Runs until a signal asks to end.
    func run() throws -> Int32 {
        try start()
        notifier.ready()
        while true {
            let deadline = [nextDeadline, notifier.nextDeadline].compactMap { $0 }.min()
            let ready = try loop.wait(readable: [session.descriptor], until: deadline)
            if ready.shouldEnd { break }
            if ready.signals.contains(.hangUp) { reloadConfiguration() }
            processTurn()
            releaseUnused()
            notifier.alive()
        }
        notifier.stopping()
        page?.stop()
        storeEndedSessions()
        storeAndPublish(isLast: true)
        sendRest()
        history?.stop()
        memory.close(at: pipeline.time(atWall: wall))
        session.stop(timeout: Self.ending)
        return 0
    }

    /// Sends what waits while the broker acknowledges it, for some seconds at most: nobody else publishes it.
    private func sendRest() {
        takeOutbox()
        let end = monotonic + .seconds(Self.ending)
        while session.isConnected, !backlog.isEmpty || session.unsent > 0, monotonic < end {
            guard session.waitUntilUnsent(below: 1, timeout: (end - monotonic).seconds) else { return }
            sendBacklog()
        }
    }

    /// Moves the messages of this turn to those that wait.
    private func takeOutbox() {
        for message in outbox {
            backlog.addMessage(message, isBehindEvents: topics.isItemAlert(message.topic))
        }
        outbox.removeAll(keepingCapacity: true)
        hasReplayed = false
    }

    /// Releases once what only the reading of retained messages has needed.
    private func releaseUnused() {
        guard let due = releasesAt, monotonic >= due else { return }
        releasesAt = nil
        ProgramText.release()
    }

    /// Begins to learn and to connect.
    func start() throws {
        updateModels()
        let places = discovery.desk.subscriptions()
        try session.start(
            subscriptions: pipeline.subscriptions.map { Subscription($0.filter, qos: $0.qos) }
                + (places + pageFilters).map { Subscription($0) },
            optional: pipeline.optionalFilters.union(places + pageFilters))
    }

    /// What keeps this fuser from its work, a sentence each.
    var problems: [String] {
        SubscriptionDenial.sentences(session.denials) + (history?.problems(at: monotonic) ?? [])
            + auditProblems
    }

    /// The monotonic moment of the next turn; nil where only a message can change anything.
    private var nextDeadline: MonotonicTime? {
        // The message of a claim ends the wait for it.
        let due =
            failover.isDeciding
            ? nil
            : pipeline.nextDeadline.map { due in
                monotonic + min(max(.zero, due.duration(since: wall)), .seconds(1))
            }
        let retry = backlog.isEmpty ? nil : monotonic + Self.backlogPause
        let refusal = commands.isWaiting ? monotonic + Self.refusalPause : nil
        let others = [
            failover.nextDeadline, pipeline.journal.nextDeadline, pipeline.peerEvents.nextDeadline,
            session.nextDeadline,
            session.isSubscriptionAnswered ? discovery.nextDeadline : nil,
            nextPageRequest, session.isConnected ? enrolments.nextDeadline : nil, history?.nextDeadline,
        ]
        return ([due, retry, refusal] + others).compactMap { $0 }.min()
    }

    /// Processes the time and the messages since the last turn.
    func processTurn() {
        checkWallClock()
        // Who stood still must know it before anything else is told.
        turnFailover()
        requestMissingEvents()
        // The time of all messages of this turn, which have arrived by now.
        let arrival = wall
        session.receive { notice in
            switch notice {
            case .connected:
                page?.connected()
                failover.connected(at: monotonic)
                discovery.connected(at: monotonic)
                if let externalKeys { pipeline.use(externalKeys: externalKeys()) }
                updateServedShards()
                pipeline.connected(at: arrival, &outbox)
                pipeline.awaitRetained()
            case .subscribed:
                page?.subscribed(at: monotonic)
                pipeline.expectRetained(at: arrival)
                releasesAt = monotonic + Self.reading
                noteDenials()
            case .subscriptionGranted(let filter): discovery.desk.recordGrant(filter, at: monotonic)
            case .message(let message):
                page?.receive(message)
                enrolments.receive(message, at: monotonic)
                if message.retained { discovery.noteRetained(at: monotonic) }
                if !discovery.desk.receive(message, at: monotonic) { receive(message, at: arrival) }
            case .trouble(.unreachable):
                page?.disconnected()
                failover.disconnected()
                // Later decisions are not this fuser's to publish.
                updateServedShards()
            case .trouble(.subscriptionDenied(let filter, _)):
                discovery.desk.recordDenial(filter)
                noteDenials()
            case .trouble(.statusReplaced):
                failover.takenForGone(at: monotonic)
                updateServedShards()
            case .trouble(.publishRefused), .trouble(.statusUnheard): break
            }
        }
        let mayDecide = failover.mayDecide(isDue: pipeline.isDue(at: arrival), at: monotonic)
        publishClaim()
        if mayDecide, advance(to: arrival) { failover.decided() }
        requestMissingEvents()
        updateModels()
        answerLater()
        answerPage()
        turnEnrolments()
        publishDiscovery()
        storeAndPublish()
        persistAudit()
        turnHistory()
        takeOutbox()
        sendBacklog()
        page?.show(silences: pipeline.silences, at: pipeline.time(atWall: wall))
        page?.show(reception: { pipeline.tracking.receptionReport }, at: monotonic)
        page?.showChanges(at: monotonic)
        tellComplaints()
    }

    /// Advances the time once the messages that arrived until then are used, which takes long in a large house: an interval
    /// whose windows wait to be read is not weighed without them. Messages that never end delay it by `longestDelay`. Returns
    /// true if it has advanced.
    private func advance(to arrival: Timestamp) -> Bool {
        let now = monotonic
        guard !session.hasEvents || now - advanced >= Self.longestDelay else { return false }
        advanced = now
        pipeline.advance(to: arrival, &outbox)
        return true
    }

    /// Serves nothing while a subscription is denied that answers rest on.
    func noteDenials() {
        failover.record(lacksSubscription: session.lacksSubscription, at: monotonic)
        if session.lacksSubscription { pipeline.awaitRetained() }
        updateServedShards()
    }

    /// Stores the effects, then publishes them; those that can wait when they are due, on request, or after an erasure.
    func storeAndPublish(isLast: Bool = false, isAsked: Bool = false, isErased: Bool = false) {
        // Until nodes are heard again the end of the run before stays on record.
        let isDue = (isAsked || memory.isDue) && !pipeline.isWaiting
        guard pipeline.hasEvents || isLast || isDue || isErased else { return }
        let wall = self.wall
        let now = pipeline.time(atWall: wall)
        let effects = pipeline.takeEffects(at: wall, remembers: memory.isLasting, isLast: isLast)
        for event in memory.persistEffects(effects, at: now) {
            outbox.append(pipeline.message(event.event, of: event.item))
        }
        outbox += effects.states
        storeAudit(isLast: isLast)
        guard memory.takeLoss(at: now) else { return }
        audit.values.rememberAll()
        pipeline.rememberAll()
        memory.state.persist(configuration.overrides, at: now)
        memory.state.persistDiscovery(discovery.desk, at: now)
        storeEndedSessions(all: true)
        history?.rememberAll(at: now)
    }

    /// Finds out whether the wall clock was set.
    private func checkWallClock() {
        let step = watch.evaluateReading(clocks()).step
        guard step != .zero else { return }
        log.notice(ClockWatch.stepText(step))
        pipeline.clockStepped(by: step)
    }

    /// Applies the result of a training, and begins the next one if lessons have changed.
    private func updateModels() {
        if let learned = learning.takeLearned() {
            pipeline.applyLearned(learned)
            log.logChange("lessons", .notice, "what was taught is learned")
        }
        if pipeline.isStarting {
            log.logChange("lessons", .notice, "learning what was taught: until that is done rooms stand as they were")
        }
        if let task = pipeline.takeLearning() { learning.startTask(task) }
        failover.record(isLearning: pipeline.isStarting)
    }

    /// Passes on as many messages as the session may hold. Those that wait without a connection are sent with the next.
    private func sendBacklog() {
        guard session.isConnected, session.unsent == 0 else { return }
        var left = Self.batch
        backlog.sendMessages { message in
            left -= 1
            return left >= 0 && session.publish(message)
        }
    }

    /// Publishes Home Assistant's documents, and clears those under the fuser's former names.
    private func publishDiscovery() {
        // What is retained of the documents comes after the answer.
        guard session.isSubscriptionAnswered else { return }
        let steps = discovery.performDueSteps(pipeline, failover, at: monotonic)
        outbox += steps.messages
        for object in steps.restated { pipeline.republish(object, at: wall, &outbox) }
        for words in steps.words { log.notice(words) }
        memory.state.persistSteps(steps, at: pipeline.time(atWall: wall))
    }

    private func tellComplaints() {
        for note in pipeline.takeNotes() { log.notice(note) }
        let now = monotonic
        guard now - complained >= Self.complaintPause else { return }
        for problem in auditProblems { log.logChange(String(problem.prefix(20)), .warning, problem) }
        for complaint in pipeline.takeComplaints() {
            complained = now
            log.logChange(complaint.key, .warning, complaint.words, about: complaint.names)
        }
    }
}
