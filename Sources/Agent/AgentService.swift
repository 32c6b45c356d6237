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
    /// What the configuration says, and what `set` commands have put over it.
    let configured: NodeSettings
    var overrides: NodeOverrides
    var commands = CommandBucket()
    /// One of the commands that were too many, to be answered for all of them.
    var refused: Message?
    /// Answers to entries of the registry that are none.
    var refusals = CommandBucket()
    /// Whether `info` has something new to tell, which can wait for a moment.
    var isInfoStale = false
    /// When what connecting needed of the code may go; a monotonic moment.
    var restsAt: Int64?
    let source: any PacketSource
    private let loop: RunLoop
    private var notifier: ServiceNotifier
    private let clocks: () -> ClockReading
    private var watch: ClockWatch
    private let actions: NodeActions
    let advertising: NodeAdvertising
    private var outbox: [Message] = []
    private var spread: Spread
    /// The latest moment of the source's time.
    private(set) var now: Timestamp
    private var toldRegistry = ""
    private var toldRadio = Timestamp(microseconds: 0)

    var node: String { pipeline.settings.node }

    init(
        pipeline: NodePipeline, configured: NodeSettings, overrides: NodeOverrides, registry: NodeRegistry,
        memory: NodeMemory, source: any PacketSource, session: Session, loop: RunLoop, log: Log,
        notifier: ServiceNotifier, clocks: @escaping () -> ClockReading = ClockReading.now
    ) throws {
        self.configured = configured
        self.overrides = overrides
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
        self.clocks = clocks
        watch = ClockWatch(clocks())
        actions = try NodeActions(session: session, topics: topics, node: pipeline.settings.node, log: log)
        advertising = NodeAdvertising(log: log)
        spread = Spread(node: pipeline.settings.node, window: pipeline.settings.window)
    }

    /// Runs until the source ends or a signal comes. The status to end with: 0, or 1 where a recording was broken.
    func run() throws -> Int32 {
        try session.start(subscriptions: [
            // With QoS 1 a broker would queue only so many of the retained entries.
            Subscription(registry.filter),
            Subscription(topics.nodeCommand(node), qos: .atLeastOnce),
            // What an earlier run left there is this one's to withdraw.
            Subscription(topics.proximity(beacon: "+", node: node)),
        ])
        notifier.ready()
        var status: Int32 = 0
        var isAsked = try !source.isLive && waitForBroker()
        while !isAsked {
            var isUnpaced = false
            do {
                let wall = readClocks().wall
                guard let time = try source.begin(atWall: wall) else { break }
                switch time {
                case .unknown:
                    isAsked = try waitForSource()
                    continue
                case .own(let clock): (pipeline.clock, now) = (clock, clock.start)
                case .wall: (pipeline.clock, now) = (nil, wall)
                }
                hasBegun = true
                publishInfo()
                isUnpaced = pipeline.clock.map { $0.speed == nil } ?? false
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
        session.stop(timeout: 10)
        return status
    }

    /// Waits for the first connection: what a recording gave before would be lost. Whether a signal asked to end.
    private func waitForBroker() throws -> Bool {
        while !session.isConnected {
            if try wait(until: nil) { return true }
            receive()
        }
        return false
    }

    /// Waits for the source, the broker or a signal. Whether a signal asked to end.
    private func waitForSource() throws -> Bool {
        let isAsked = try wait(listening: true, until: nil)
        if !isAsked { receive() }
        return isAsked
    }

    /// As fast as the source gives it and the broker takes it.
    private func runUnpaced() throws -> Bool {
        while source.next != .ended {
            countForScan()
            // One at a time: an event that ends a long silence is worth thousands of messages.
            var left = Self.batch
            repeat {
                try deliver(until: nil, limit: 1)
                left -= 1
            } while left > 0 && source.next.time != nil && outbox.count < Self.pacingLow
            if try publishPaced() { return true }
            settle()
            if source.next == .whenReadable, try waitForSource() { return true }
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

    /// By the wall clock, or on one of so many of the source's seconds in a second.
    private func runPaced() throws -> Bool {
        while true {
            let now = look()
            countForScan()
            try deliver(until: now, limit: Self.batch)
            tellRadio(at: now)
            // A recording ends with its last event, whatever the clock shows: at any speed it tells the same.
            let isCaughtUp = source.next != .ended && source.next.time.map { $0 >= now } ?? true
            if isCaughtUp { pipeline.advance(to: now, &outbox) }
            self.now = now
            settle()
            spread.take(&outbox, at: now)
            spread.release(at: now) { session.publish($0) }
            if source.next == .ended {
                spread.release(at: nil) { session.publish($0) }
                return false
            }
            let due = [source.next.time, pipeline.nextDeadline, spread.due].compactMap { $0 }.min()
            if try wait(listening: true, until: deadline(of: due)) { return true }
            receive()
        }
    }

    /// Waits for the broker, for programs that run, for the source where it is listened to, and for a monotonic moment.
    /// Whether a signal asked to end.
    private func wait(listening: Bool = false, until deadline: Int64?) throws -> Bool {
        let due = [deadline, actions.nextDeadline, advertising.nextDeadline, notifier.nextDeadline].compactMap { $0 }
            .min()
        let descriptors = [session.descriptor, actions.descriptor, listening ? source.descriptor : nil]
        let ready = try loop.wait(readable: descriptors.compactMap { $0 } + advertising.descriptors, until: due)
        notifier.alive()
        actions.advance()
        rest()
        return ready.shouldEnd
    }

    /// Reads the clocks, and says what has happened to them since the last time.
    private func readClocks() -> (wall: Timestamp, change: ClockWatch.Change) {
        let reading = clocks()
        let change = watch.look(reading)
        if change.slept > 0 { log.notice("the machine slept for \(change.slept / 1_000_000) s") }
        if change.step != 0 {
            let seconds = Double(change.step.magnitude / 1000) / 1000
            log.notice("the wall clock was set \(change.step < 0 ? "back" : "forward") by \(seconds) s")
            pipeline.started = pipeline.started.advanced(byMicroseconds: change.step)
            // What waits is due by a clock that is no more.
            spread.release(at: nil) { session.publish($0) }
        }
        return (reading.wall, change)
    }

    /// Tells the pipeline what has happened to the clocks, and gives the source's time.
    private func look() -> Timestamp {
        let (wall, change) = readClocks()
        guard let clock = pipeline.clock else {
            let before = wall.advanced(byMicroseconds: -change.step)
            if change.slept > 0 {
                pipeline.gap(from: before.advanced(byMicroseconds: -change.slept), to: before, &outbox)
            }
            if change.step != 0 { pipeline.clockStepped(by: change.step, at: wall, &outbox) }
            return wall
        }
        let shifted = source.clock(clock, afterStep: change.step)
        if shifted != clock {
            pipeline.clock = shifted
            publishInfo()
        }
        return shifted.time(atWall: wall) ?? now
    }

    /// The monotonic moment at which the source's time is `time`, at most a second from now, so that a wall clock that is
    /// set meanwhile is met.
    private func deadline(of time: Timestamp?) -> Int64 {
        let reading = clocks()
        let due = time.flatMap { time in pipeline.clock.map { $0.wall(at: time) } ?? time }
        let wait = due?.microseconds(since: reading.wall) ?? 1_000_000
        return reading.sinceStart + min(max(0, wait), 1_000_000) * 1000
    }

    /// What the next `scan` tells of the broker.
    private func countForScan() {
        pipeline.dropped = UInt64(session.statistics.dropped) + (pipeline.radio?.lost ?? 0)
        pipeline.spooled = session.unsent
    }

    private func deliver(until: Timestamp?, limit: Int) throws(SourceFault) {
        try source.deliver(until: until, limit: limit) { time, event in
            takeListening()
            pipeline.receive(event, at: time, &outbox)
            now = time
        }
        takeListening()
    }

    private func takeListening() {
        while let change = source.takeListening() {
            switch change {
            case .stopped(let time): pipeline.stopListening(at: time, &outbox)
            case .resumed(let time): pipeline.resumeListening(at: time, &outbox)
            }
        }
    }

    private func publishAll() {
        spread.release(at: nil) { session.publish($0) }
        for message in outbox { session.publish(message) }
        outbox.removeAll(keepingCapacity: true)
    }

    /// Keeps what has happened, then tells it, then does what it asks for.
    func settle() {
        spread.use(window: pipeline.settings.window)
        guard pipeline.hasEvents || memory.isDue(at: now), let effects = pipeline.takeEffects() else { return }
        for event in memory.keep(effects, at: now) { publish(event) }
        for (region, report) in effects.regions { session.publish(pipeline.message(report, of: region)) }
        for region in effects.record.removedRegions where Region.implicitItem(of: region) == nil {
            session.publish(
                Message(topic: topics.region(region, node: node), payload: [], qos: .atLeastOnce, retained: true))
        }
        for action in effects.actions { actions.perform(action) }
        if memory.takeLoss() {
            pipeline.rememberAll()
            for entry in registry.entries { memory.keep(entry, at: now) }
        }
        pipeline.lastEvent = memory.lastEvent
        guard isInfoStale || pipeline.epoch != memory.epoch || toldRegistry != pipeline.registryDigest else { return }
        pipeline.epoch = memory.epoch
        publishInfo()
    }

    /// Publishes what has changed of the radio, at most once a second.
    private func tellRadio(at now: Timestamp) {
        guard now.microseconds(since: toldRadio).magnitude >= 1_000_000 else { return }
        toldRadio = now
        guard let radio = source.radio, radio != pipeline.radio else { return }
        pipeline.radio = radio
        publishInfo()
    }

    private func publishInfo() {
        isInfoStale = false
        toldRegistry = pipeline.registryDigest
        session.publish(pipeline.info())
    }
}
