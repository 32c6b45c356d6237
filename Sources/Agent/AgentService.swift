internal import Bytes
internal import MQTT
internal import BrokerSession
internal import Configuration
internal import System
internal import WireProtocol

/// A running agent: one thread that waits for its source, its broker and its signals, and passes their events on.
final class AgentService {
    /// The number of unsent messages at which an unpaced source is paused.
    static let pacingHigh = 2000
    /// The number of unsent messages at which it continues.
    static let pacingLow = 500
    /// The most messages a second, except for an unpaced recording.
    static let rate = 1000
    /// The most events read from a source before the broker and the signals are checked again.
    static let batch = 512

    let session: Session
    let log: Log
    let memory: NodeMemory
    var pipeline: NodePipeline
    var registry: NodeRegistry
    var commands: CommandIntake
    var info = InfoPublication()
    var broker = BrokerPhase()
    /// The node's discovery documents, with those under its former names.
    var discovery: NodeDiscovery
    let input: SourceInput
    var loop: ServiceLoop
    let actions: NodeActions
    let advertising: NodeAdvertising
    /// The helper that upgrades this machine; none by default.
    var upgrades = UpgradeHelper([:])
    /// The page with metrics; nil without one.
    var page: AgentPage?
    /// The configuration, which SIGHUP has read anew; nil without a file.
    var reload: ConfigurationReload<AgentConfiguration>?
    /// The messages of intervals until they are sent.
    var outgoing: PublicationStagger

    /// The latest moment of the source's time.
    var now: Timestamp { input.now }
    var source: any PacketSource { input.source }
    var node: String { pipeline.settings.node }
    var topics: Topics { pipeline.publisher.topics }

    init(
        pipeline: NodePipeline, configured: NodeSettings, overrides: NodeOverrides, registry: NodeRegistry,
        memory: NodeMemory, discovery: NodeDiscovery, source: any PacketSource, recorder: EventRecorder? = nil,
        session: Session, loop: RunLoop, log: Log,
        notifier: ServiceNotifier, clocks: @escaping () -> ClockReading = ClockReading.now
    ) throws {
        commands = CommandIntake(configured, overrides)
        self.memory = memory
        self.discovery = discovery
        self.registry = registry
        self.pipeline = pipeline
        input = SourceInput(source, recorder: recorder, at: pipeline.description.started)
        self.session = session
        self.loop = ServiceLoop(loop, notifier, clocks: clocks)
        self.log = log
        actions = try NodeActions(
            session: session, topics: pipeline.publisher.topics, node: pipeline.settings.node, log: log)
        advertising = NodeAdvertising(log: log)
        outgoing = PublicationStagger(node: pipeline.settings.node, window: pipeline.settings.window)
    }

    /// Runs until the source ends or a signal arrives. Returns the exit status: 0, or 1 for a broken recording.
    func run() throws -> Int32 {
        try session.start(subscriptions: subscriptions)
        loop.ready()
        var status: Int32 = 0
        var isAsked = try !source.isLive && waitForBroker()
        while !isAsked {
            var isUnpaced = false
            do {
                guard let time = try beginRecording() else { break }
                guard time != .unknown else {
                    isAsked = try waitForSource()
                    continue
                }
                isUnpaced = pipeline.description.clock.map { $0.speed == nil } ?? false
                // Faster time brings more messages a second.
                session.limit(to: pipeline.description.clock.map { $0.speed == 1 } ?? true ? Self.rate : nil)
                isAsked = try isUnpaced ? runUnpaced() : runPaced()
            } catch let fault as SourceFault {
                log.error("\(fault)")
                status = 1
            }
            pipeline.finish(&outgoing.outbox)
            if isUnpaced, !isAsked { isAsked = try publishPaced() }
            publishAll()
            storeAndPublish()
        }
        // A recording may end before the programs that it started.
        while !isAsked, actions.isRunning {
            isAsked = try waitForEvents(until: nil)
            receiveNotices()
        }
        loop.stopping()
        page?.stop()
        actions.stop()
        _ = advertising.stopAll(at: now)
        memory.close(at: now)
        if let status = pipeline.integrationStatus(isOnline: false) { session.publish(status) }
        session.stop(timeout: 10)
        return status
    }

    /// The subscriptions of a node.
    var subscriptions: [Subscription] {
        [
            // With QoS 1 a broker would queue only a limited number of the retained entries.
            Subscription(registry.filter),
            // A message that an earlier run left there has to be withdrawn by this one.
            Subscription(topics.proximity(beacon: "+", node: node)),
            Subscription(topics.region("+", node: node)), Subscription(topics.nodeInfo(node)),
        ] + topics.nodeCommands(node).map { Subscription($0, qos: .atLeastOnce) }
            + discovery.subscriptions.map { Subscription($0) }
    }

    /// Begins the source's next recording; returns nil if there is none left.
    func beginRecording() throws(SourceFault) -> SourceTime? {
        let wall = readClocks().wall
        let time = try input.beginRecording(atWall: wall)
        switch time {
        case nil, .unknown: return time
        case .own(let clock): pipeline.description.clock = clock
        case .wall: pipeline.description.clock = nil
        }
        publishInfo()
        return time
    }

    /// Waits for the first connection and the session's event of it: earlier messages would be lost, or published by a
    /// node that isn't online yet. Returns true if a signal asked to end.
    func waitForBroker() throws -> Bool {
        while !broker.hasMet || !session.isConnected {
            if try waitForEvents(until: nil) { return true }
            receiveNotices()
        }
        return false
    }

    /// Waits for the source, the broker or a signal. Returns true if a signal asked to end.
    func waitForSource() throws -> Bool {
        let isAsked = try waitForEvents(listening: true, until: nil)
        if !isAsked { receiveNotices() }
        return isAsked
    }

    /// Waits for the broker, for running programs, for the source if `listening`, and for a monotonic moment. Returns
    /// true if a signal asked to end.
    func waitForEvents(listening: Bool = false, until deadline: MonotonicTime?) throws -> Bool {
        let due = [
            deadline, actions.nextDeadline, advertising.nextDeadline, upgrades.nextDeadline, session.nextDeadline,
            broker.republishesAt,
            session.isSubscriptionAnswered ? discovery.desk.nextDeadline : nil,
        ].compactMap { $0 }.min()
        let descriptors = [session.descriptor, actions.descriptor, listening ? source.descriptor : nil]
        let isAsked = try loop.wait(readable: descriptors.compactMap { $0 } + advertising.descriptors, until: due)
        actions.advance()
        if loop.takeReload() { reloadConfiguration() }
        answerPage()
        if broker.takeSettled(at: { loop.sinceStart }) { ProgramText.release() }
        return isAsked
    }
}
