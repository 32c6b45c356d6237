internal import Bytes
internal import Daemon
internal import Identity
internal import MQTT
internal import Presence
internal import Session
internal import Sightings

/// A running agent: one thread that waits for its source, its broker and its signals, and hands on what comes.
final class AgentService {
    /// Unsent messages at which a source that runs as fast as it can is made to wait …
    static let pacingHigh = 2000
    /// … until so many are left.
    static let pacingLow = 500
    /// Events taken from a source before the broker and the signals are looked at again.
    static let batch = 512

    let topics: Topics
    let session: Session
    let log: Log
    let memory: NodeMemory
    var pipeline: NodePipeline
    var registry: NodeRegistry
    /// Whether the first recording has begun, so that the node's clock is known.
    private(set) var hasBegun = false
    private let source: any PacketSource
    private let loop: RunLoop
    private let notifier: ServiceNotifier
    private let actions: NodeActions
    private var outbox: [Message] = []
    private var spread: Spread
    /// The latest moment of the source's time.
    private(set) var now: Timestamp
    private var toldRegistry = ""

    var node: String { pipeline.settings.node }

    init(
        pipeline: NodePipeline, registry: NodeRegistry, memory: NodeMemory, source: any PacketSource, session: Session,
        loop: RunLoop, log: Log, notifier: ServiceNotifier
    ) throws {
        topics = Topics(prefix: pipeline.settings.topicPrefix)
        now = pipeline.started
        self.memory = memory
        self.registry = registry
        self.pipeline = pipeline
        self.source = source
        self.session = session
        self.loop = loop
        self.log = log
        self.notifier = notifier
        actions = try NodeActions(session: session, topics: topics, node: pipeline.settings.node, log: log)
        spread = Spread(node: pipeline.settings.node, window: pipeline.settings.window)
    }

    /// Runs until the source ends or a signal comes. The status to end with: 0, or 1 where a recording was broken.
    func run() throws -> Int32 {
        try session.start(subscriptions: [
            // With QoS 1 a broker would queue only so many of the retained entries.
            Subscription(registry.filter),
            Subscription(topics.nodeCommand(node), qos: .atLeastOnce),
        ])
        notifier.ready()
        var status: Int32 = 0
        var isAsked = try waitForBroker()
        while !isAsked {
            var isUnpaced = false
            do {
                guard let clock = try source.begin(atWall: WallClock.now()) else { break }
                pipeline.clock = clock
                now = clock.start
                hasBegun = true
                publishInfo()
                isUnpaced = clock.speed == nil
                isAsked = try isUnpaced ? runUnpaced() : runPaced(clock)
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
        memory.close(at: now)
        session.stop(timeout: 10)
        return status
    }

    /// Waits for the first connection: what a source gave before would be lost. Whether a signal asked to end.
    private func waitForBroker() throws -> Bool {
        while !session.isConnected {
            if try wait(until: nil) { return true }
            receive()
        }
        return false
    }

    /// As fast as the broker takes it.
    private func runUnpaced() throws -> Bool {
        while source.next != nil {
            countForScan()
            // One at a time: an event that ends a long silence is worth thousands of messages.
            var left = Self.batch
            while left > 0, source.next != nil, outbox.count < Self.pacingLow {
                try deliver(until: nil, limit: 1)
                left -= 1
            }
            if try publishPaced() { return true }
            settle()
        }
        return false
    }

    /// Publishes everything as fast as the broker takes it, and loses nothing to a full queue or for want of a
    /// connection. Whether a signal asked to end.
    private func publishPaced() throws -> Bool {
        if try wait(until: MonotonicClock.now()) { return true }
        receive()
        for (index, message) in outbox.enumerated() {
            while !session.isConnected || session.unsent >= Self.pacingHigh {
                let isConnected = session.isConnected
                if isConnected { _ = session.waitUntilUnsent(below: Self.pacingLow, timeout: 1) }
                let deadline = MonotonicClock.now() + (isConnected ? 0 : 1_000_000_000)
                if try wait(until: deadline) {
                    outbox.removeFirst(index)
                    return true
                }
                receive()
            }
            session.publish(message)
        }
        outbox.removeAll(keepingCapacity: true)
        return false
    }

    /// On a clock of so many of the source's seconds in a second.
    private func runPaced(_ clock: NodeClock) throws -> Bool {
        while true {
            let now = clock.time(atWall: WallClock.now()) ?? pipeline.started
            countForScan()
            try deliver(until: now, limit: Self.batch)
            let isBehind = source.next.map { $0 < now } ?? false
            if !isBehind { pipeline.advance(to: now, &outbox) }
            self.now = max(self.now, now)
            settle()
            spread.take(&outbox, at: now)
            spread.release(at: now) { session.publish($0) }
            guard let next = source.next else {
                spread.release(at: nil) { session.publish($0) }
                return false
            }
            let due = [next, pipeline.nextDeadline, spread.due].compactMap { $0 }.min() ?? next
            if try wait(until: deadline(of: due, clock)) { return true }
            receive()
        }
    }

    /// Waits for the broker, for programs that run, and for a monotonic moment. Whether a signal asked to end.
    private func wait(until deadline: Int64?) throws -> Bool {
        let due = [deadline, actions.nextDeadline].compactMap { $0 }.min()
        let ready = try loop.wait(readable: [session.descriptor, actions.descriptor], until: due)
        actions.advance()
        return ready.shouldEnd
    }

    /// The monotonic moment at which the source's time is `time`. A wall clock that is set meanwhile is met at the next
    /// wait, a second later at most.
    private func deadline(of time: Timestamp, _ clock: NodeClock) -> Int64 {
        let wait = clock.wall(at: time)?.microseconds(since: WallClock.now()) ?? 0
        return MonotonicClock.now() + min(max(0, wait), 1_000_000) * 1000
    }

    /// What the next `scan` tells of the broker.
    private func countForScan() {
        pipeline.dropped = UInt64(session.statistics.dropped)
        pipeline.spooled = session.unsent
    }

    private func deliver(until: Timestamp?, limit: Int) throws(SourceFault) {
        try source.deliver(until: until, limit: limit) { time, event in
            pipeline.receive(event, at: time, &outbox)
            now = time
        }
    }

    private func publishAll() {
        spread.release(at: nil) { session.publish($0) }
        for message in outbox { session.publish(message) }
        outbox.removeAll(keepingCapacity: true)
    }

    /// Keeps what has happened, then tells it, then does what it asks for.
    func settle() {
        guard pipeline.hasEvents || memory.isDue(at: now), let effects = pipeline.takeEffects() else { return }
        for event in memory.keep(effects, at: now) { publish(event) }
        for (region, report) in effects.regions { session.publish(pipeline.message(report, of: region)) }
        for region in effects.record.removedRegions where Region.implicitItem(of: region) == nil {
            session.publish(
                Message(topic: topics.region(region, node: node), payload: [], qos: .atLeastOnce, retained: true))
        }
        for action in effects.actions { actions.perform(action) }
        pipeline.lastEvent = memory.lastEvent
        guard pipeline.epoch != memory.epoch || toldRegistry != pipeline.registryDigest else { return }
        pipeline.epoch = memory.epoch
        publishInfo()
    }

    private func publishInfo() {
        toldRegistry = pipeline.registryDigest
        session.publish(pipeline.info())
    }
}
