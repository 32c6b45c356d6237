internal import Bytes
internal import MQTT
internal import BrokerSession
internal import System
internal import WireProtocol

/// A running agent: one thread that waits for its source, its broker and its signals, and hands on what comes.
final class AgentService {
    /// Unsent messages at which a source that runs as fast as it can is made to wait …
    static let pacingHigh = 2000
    /// … until so many are left.
    static let pacingLow = 500
    /// Messages a second at most, unless a recording is told as fast as it can be.
    static let rate = 1000
    /// Nanoseconds over which a fleet that has lost its broker tells its states again, each node at its own moment.
    static let reunion: Double = 3_000_000_000
    /// Events taken from a source before the broker and the signals are looked at again.
    static let batch = 512
    /// From a connection to its rest: nanoseconds in which the registry comes and the first windows go.
    static let timeToSettle: Int64 = 5_000_000_000

    let topics: Topics
    let session: Session
    let log: Log
    let memory: NodeMemory
    var pipeline: NodePipeline
    var registry: NodeRegistry
    /// Whether the first recording has begun, so that the node's clock is known.
    private(set) var hasBegun = false
    /// Whether the word of a connection has come, which is a moment after the connection.
    var hasMetBroker = false
    /// What the configuration says, and what `set` commands have put over it.
    let configured: NodeSettings
    var overrides: NodeOverrides
    var commands = CommandGate<NodeCommand>()
    /// Answers to entries of the registry that are none.
    var refusals = CommandBucket()
    /// Whether `info` has something new to tell, which can wait for a moment.
    var isInfoStale = false
    /// What a fuser found wrong with the clock.
    var clockProblem: String?
    /// What is wrong with how items are known by keys, and when that was looked at last, by the source's time.
    var keyProblems: [(item: String, words: String)] = []
    var judgedKeys: Timestamp?
    /// When what connecting needed of the code may go; a monotonic moment.
    var restsAt: Int64?
    /// When what is retained of it is told again; a monotonic moment.
    var retellsAt: Int64?
    /// What Home Assistant is told of, and what stands under names that the node had before.
    var discovery: NodeDiscovery
    let source: any PacketSource
    private let loop: RunLoop
    private var notifier: ServiceNotifier
    let clocks: () -> ClockReading
    var watch: ClockWatch
    let actions: NodeActions
    let advertising: NodeAdvertising
    var outbox: [Message] = []
    var spread: Spread
    /// The latest moment of the source's time.
    var now: Timestamp
    var toldRegistry = ""
    var toldRadio = Timestamp(microseconds: 0)

    var node: String { pipeline.settings.node }

    init(
        pipeline: NodePipeline, configured: NodeSettings, overrides: NodeOverrides, registry: NodeRegistry,
        memory: NodeMemory, discovery: NodeDiscovery, source: any PacketSource,
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
        self.session = session
        self.loop = loop
        self.log = log
        self.notifier = notifier
        self.clocks = clocks
        watch = ClockWatch(clocks())
        actions = try NodeActions(session: session, topics: topics, node: pipeline.settings.node, log: log)
        advertising = NodeAdvertising(log: log)
        spread = Spread(node: pipeline.settings.node, window: pipeline.settings.window)
    }

    /// Runs until the source ends or a signal comes. The status to end with: 0, or 1 where a recording was broken.
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
                // Time that runs faster brings more in a second.
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
        // A recording is over in no time; what it started may end in its own.
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

    /// What a node reads.
    var subscriptions: [Subscription] {
        [
            // With QoS 1 a broker would queue only so many of the retained entries.
            Subscription(registry.filter),
            Subscription(topics.nodeCommand(node), qos: .atLeastOnce),
            // What an earlier run left there is this one's to withdraw.
            Subscription(topics.proximity(beacon: "+", node: node)),
            Subscription(topics.region("+", node: node)), Subscription(topics.nodeInfo(node)),
        ] + discovery.subscriptions.map { Subscription($0) }
    }

    /// Begins the source's next recording; nil where there is none left.
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

    /// Waits for the first connection, and the word of it: what a recording gave before would be lost, or told by a node
    /// that hasn't said that it is there. Whether a signal asked to end.
    func waitForBroker() throws -> Bool {
        while !hasMetBroker || !session.isConnected {
            if try wait(until: nil) { return true }
            receive()
        }
        return false
    }

    /// Waits for the source, the broker or a signal. Whether a signal asked to end.
    func waitForSource() throws -> Bool {
        let isAsked = try wait(listening: true, until: nil)
        if !isAsked { receive() }
        return isAsked
    }

    /// Waits for the broker, for programs that run, for the source where it is listened to, and for a monotonic moment.
    /// Whether a signal asked to end.
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
