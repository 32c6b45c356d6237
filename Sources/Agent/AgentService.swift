internal import Bytes
internal import MQTT
internal import BrokerSession
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
    /// Nanoseconds over which a fleet that has lost its broker publishes its states again, each node at its own moment.
    static let reunion: Double = 3_000_000_000
    /// The most events read from a source before the broker and the signals are checked again.
    static let batch = 512
    /// Nanoseconds from a connection to the release of unused code, in which the registry arrives and the first windows
    /// are sent.
    static let timeToSettle: Int64 = 5_000_000_000

    let topics: Topics
    let session: Session
    let log: Log
    let memory: NodeMemory
    var pipeline: NodePipeline
    var registry: NodeRegistry
    /// True if the first recording has begun, so that the node's clock is known.
    private(set) var hasBegun = false
    /// True if the session's event of a connection was processed, which follows the connection itself.
    var hasMetBroker = false
    /// The settings of the configuration, without those of `set` commands.
    let configured: NodeSettings
    var overrides: NodeOverrides
    var commands = CommandGate<NodeCommand>()
    /// The limit on rejections of registry entries.
    var refusals = CommandLimit.bucket
    /// True if `info` has changed; its publication can wait for a moment.
    var isInfoStale = false
    /// The problem of the clock that a fuser reported.
    var clockProblem: String?
    /// The problems with the keys of items.
    var keyProblems: [(item: String, words: String)] = []
    var judgedKeys: Timestamp?
    /// The monotonic moment at which the code for connecting may be released.
    var restsAt: Int64?
    /// The monotonic moment at which the retained state is published again.
    var retellsAt: Int64?
    /// The node's discovery documents, with those under its former names.
    var discovery: NodeDiscovery
    let source: any PacketSource
    /// The recording of the source's events; nil for none.
    let recorder: EventRecorder?
    private let loop: RunLoop
    private var notifier: ServiceNotifier
    let clocks: () -> ClockReading
    var watch: ClockWatch
    let actions: NodeActions
    let advertising: NodeAdvertising
    var outbox: [Message] = []
    var stagger: PublicationStagger
    /// The latest moment of the source's time.
    var now: Timestamp
    var toldRegistry = ""
    var toldRadio = Timestamp(microseconds: 0)

    var node: String { pipeline.settings.node }

    init(
        pipeline: NodePipeline, configured: NodeSettings, overrides: NodeOverrides, registry: NodeRegistry,
        memory: NodeMemory, discovery: NodeDiscovery, source: any PacketSource, recorder: EventRecorder? = nil,
        session: Session, loop: RunLoop, log: Log,
        notifier: ServiceNotifier, clocks: @escaping () -> ClockReading = ClockReading.now
    ) throws {
        self.configured = configured
        self.overrides = overrides
        topics = Topics(prefix: pipeline.settings.topicPrefix)
        now = pipeline.started
        self.memory = memory
        self.discovery = discovery
        self.registry = registry
        self.pipeline = pipeline
        self.source = source
        self.recorder = recorder
        self.session = session
        self.loop = loop
        self.log = log
        self.notifier = notifier
        self.clocks = clocks
        watch = ClockWatch(clocks())
        actions = try NodeActions(session: session, topics: topics, node: pipeline.settings.node, log: log)
        advertising = NodeAdvertising(log: log)
        stagger = PublicationStagger(node: pipeline.settings.node, window: pipeline.settings.window)
    }

    /// Runs until the source ends or a signal arrives. Returns the exit status: 0, or 1 for a broken recording.
    func run() throws -> Int32 {
        try session.start(subscriptions: subscriptions)
        notifier.ready()
        var status: Int32 = 0
        var isAsked = try !source.isLive && waitForBroker()
        while !isAsked {
            var isUnpaced = false
            do {
                guard let time = try begin() else { break }
                guard time != .unknown else {
                    isAsked = try waitForSource()
                    continue
                }
                isUnpaced = pipeline.clock.map { $0.speed == nil } ?? false
                // Faster time brings more messages a second.
                session.limit(to: pipeline.clock.map { $0.speed == 1 } ?? true ? Self.rate : nil)
                isAsked = try isUnpaced ? runUnpaced() : runPaced()
            } catch let fault as SourceFault {
                log.error("\(fault)")
                status = 1
            }
            pipeline.finish(&outbox)
            if isUnpaced, !isAsked { isAsked = try publishPaced() }
            publishAll()
            settle()
        }
        // A recording may end before the programs that it started.
        while !isAsked, actions.isRunning {
            isAsked = try wait(until: nil)
            receive()
        }
        notifier.stopping()
        actions.stop()
        _ = advertising.stop(at: now)
        memory.close(at: now)
        if let status = pipeline.neighbourStatus(isOnline: false) { session.publish(status) }
        session.stop(timeout: 10)
        return status
    }

    /// The subscriptions of a node.
    var subscriptions: [Subscription] {
        [
            // With QoS 1 a broker would queue only a limited number of the retained entries.
            Subscription(registry.filter),
            Subscription(topics.nodeCommand(node), qos: .atLeastOnce),
            // A message that an earlier run left there has to be withdrawn by this one.
            Subscription(topics.proximity(beacon: "+", node: node)),
            Subscription(topics.region("+", node: node)), Subscription(topics.nodeInfo(node)),
        ] + discovery.subscriptions.map { Subscription($0) }
    }

    /// Begins the source's next recording; returns nil if there is none left.
    func begin() throws(SourceFault) -> SourceTime? {
        let wall = readClocks().wall
        let time = try source.begin(atWall: wall)
        switch time {
        case nil, .unknown: return time
        case .own(let clock): (pipeline.clock, now) = (clock, clock.start)
        case .wall: (pipeline.clock, now) = (nil, wall)
        }
        hasBegun = true
        publishInfo()
        return time
    }

    /// Waits for the first connection and the session's event of it: earlier messages would be lost, or published by a
    /// node that isn't online yet. Returns true if a signal asked to end.
    func waitForBroker() throws -> Bool {
        while !hasMetBroker || !session.isConnected {
            if try wait(until: nil) { return true }
            receive()
        }
        return false
    }

    /// Waits for the source, the broker or a signal. Returns true if a signal asked to end.
    func waitForSource() throws -> Bool {
        let isAsked = try wait(listening: true, until: nil)
        if !isAsked { receive() }
        return isAsked
    }

    /// Waits for the broker, for running programs, for the source if `listening`, and for a monotonic moment. Returns
    /// true if a signal asked to end.
    func wait(listening: Bool = false, until deadline: Int64?) throws -> Bool {
        let due = [
            deadline, actions.nextDeadline, advertising.nextDeadline, notifier.nextDeadline, session.nextDeadline,
            retellsAt, session.isSubscriptionAnswered ? discovery.desk.nextDeadline : nil,
        ].compactMap { $0 }.min()
        let descriptors = [session.descriptor, actions.descriptor, listening ? source.descriptor : nil]
        let ready = try loop.wait(readable: descriptors.compactMap { $0 } + advertising.descriptors, until: due)
        notifier.alive()
        actions.advance()
        rest()
        return ready.shouldEnd
    }
}
