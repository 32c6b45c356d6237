public import Advertising
public import Bytes
public import Identity
public import Presence
public import WireProtocol

/// The road of a packet through a node: from an HCI event to the messages that tell what was heard.
///
/// It does no I/O and reads no clock. Its time is that of the events; the caller tells it when time passes without any.
public struct NodePipeline: Sendable {
    /// A jump of time longer than this, in microseconds, is no silence that was listened to: the intervals between are
    /// left out, and the next `scan` counts them as its gap.
    public static let longestSilence: Int64 = 3_600_000_000

    /// 100,000 years about the epoch: what `Timestamp(seconds:)` takes.
    private static let earliest = Timestamp(microseconds: -3_200_000_000_000_000_000)
    private static let latest = Timestamp(microseconds: 3_200_000_000_000_000_000)

    /// What the node is told to be, as it is in force.
    public internal(set) var settings: NodeSettings
    /// The id of this run's counts.
    public internal(set) var epoch: String
    /// The number of its last event; the caller's ledger counts.
    public var lastEvent: UInt64 = 0
    /// When the program started, by the wall clock as it is set now; the caller follows that.
    public var started: Timestamp
    /// Its clock where it replays or simulates.
    public var clock: NodeClock?
    /// The clock as it is told; none where it is the wall's.
    var toldClock: NodeClock? { clock.flatMap { $0.isWall ? nil : $0 } }
    /// How its radio does, where it has one; the caller tells.
    public var radio: RadioStatus?
    /// Messages lost to full queues since the start; the caller counts.
    public var dropped: UInt64 = 0
    /// Messages that wait for the broker; the caller counts.
    public var spooled = 0
    /// Whether its status comes back from the broker; the caller tells.
    public var isStatusReadBack = true

    private var decoder = AdvertisingReportDecoder()
    /// How many of the decoder's faults were told.
    private var toldMalformed: UInt64 = 0
    var listener: Listener
    var publisher: WindowPublisher
    var teller: NeighbourTeller
    var missed = MissedTime()
    private var healthCount = HealthCount()
    /// How the radio did in the last minute, as it is to stand retained.
    private(set) var healthMessage: Message?
    /// From the first moment on.
    var presence: NodePresence?
    private var remembered: PresenceRecord?
    /// Until then.
    private var reactions: NodeReactions
    /// Another registry, for the next interval.
    var nextRegistry: Registry?
    /// Other settings, for the next interval.
    var nextSettings: NodeSettings?
    /// Beacons of which an earlier run has published something, for the next interval.
    var inherited: [String] = []
    /// What `info` tells of the registry.
    var findings = RegistryFindings()
    /// What will keep the node from its broker before long; in its `info`.
    public var problems: [String] = []
    var nearby = NearbyRequests()
    /// What is told of the radio's faults; the caller tells it of them.
    var radioEvents: RadioEvents

    /// A pipeline that has heard nothing in this run.
    ///
    /// - Parameter remembered: what an earlier run knew of regions and beacons; the time since then was not listened to.
    public init(
        settings: NodeSettings, registry: Registry, epoch: String, started: Timestamp,
        remembering remembered: PresenceRecord? = nil
    ) {
        self.init(
            settings: settings, registry: registry, epoch: epoch, started: started, remembering: remembered,
            reactions: NodeReactions(node: settings.node))
    }

    /// A pipeline with alerts and reactions; `registry` must hold their implicit regions.
    ///
    /// - Parameters:
    ///   - seq: the number after which those of its intervals come.
    ///   - keys: what an earlier run learnt of keys, by item.
    init(
        settings: NodeSettings, registry: Registry, epoch: String, started: Timestamp,
        remembering remembered: PresenceRecord?, after seq: UInt64 = 0, reactions: NodeReactions,
        keys: [String: KeyMemory] = [:]
    ) {
        self.settings = settings
        self.epoch = epoch
        self.started = started
        self.remembered = remembered
        self.reactions = reactions
        radioEvents = RadioEvents(node: settings.node)
        listener = Listener(
            registry: registry, window: settings.window, after: seq, keepsAll: settings.publishesAll,
            remembering: keys)
        publisher = WindowPublisher(topics: Topics(prefix: settings.topicPrefix), node: settings.node)
        teller = NeighbourTeller(settings, started: started)
        teller.use(registry)
    }

    /// The digest of the registry in force.
    public var registryDigest: String { listener.resolver.currentRegistry.digest }
    /// Counts of what the decoder met since the start.
    public var counters: AdvertisingCounters { decoder.counters }
    /// When `advance` must be called at the latest; nil before the first interval.
    public var nextDeadline: Timestamp? {
        listener.windows.end.map { end in min(end, presence?.nextDeadline ?? end) }
    }

    /// Takes an HCI event (from its event code on) that was received at `time`; what falls due is appended to `outbox`.
    ///
    /// A malformed event is counted, and the whole reports before the fault are used.
    public mutating func receive(_ event: Span<UInt8>, at time: Timestamp, _ outbox: inout [Message]) {
        advance(to: time, &outbox)
        Self.listen(to: event, at: time, settings.offset, &decoder, &listener, &presence, &nearby)
    }

    /// Lets time pass: ends each interval that ends at or before `time`, silent ones too.
    public mutating func advance(to time: Timestamp, _ outbox: inout [Message]) {
        // A capture can hold any number for a time; beyond these no interval has an end.
        let time = min(max(time, Self.earliest), Self.latest)
        guard let begin = listener.windows.begin else { return open(at: time, &outbox) }
        if time < begin {
            // The clock went back, as between two recordings. A packet out of order by less than an interval stays here.
            guard time < begin.advanced(byMicroseconds: -settings.window) else { return }
            end(&outbox)
            presence?.startAnew(at: time)
            return open(at: time, &outbox)
        }
        while let end = listener.windows.end, end <= time {
            presence?.advance(to: end)
            self.end(&outbox)
            let silence = time.microseconds(since: end)
            if silence > Self.longestSilence {
                if !missed.isDeaf { presence?.gap(from: end, to: time) }
                missed.leaveOut(from: end, to: time)
                open(at: time, &outbox)
            } else {
                open(at: end, &outbox)
            }
        }
        presence?.advance(to: time)
    }

    /// Ends the current interval early, as at the end of a recording.
    public mutating func finish(_ outbox: inout [Message]) {
        end(&outbox)
    }

    /// Whether something has happened in regions, or to the radio, since effects were taken.
    public var hasEvents: Bool { presence?.hasEvents == true || radioEvents.hasOutcome }

    /// What has happened in regions and to the radio since the last call, to be kept and told; nil before the first interval.
    public mutating func takeEffects() -> NodeEffects? {
        guard var effects = presence?.takeEffects(of: listener.windows.seq) else { return nil }
        let outcome = radioEvents.take()
        effects.events += outcome.events
        effects.radio = outcome.memory
        effects.keys = listener.resolver.takeKeyChanges()
        return effects
    }

    /// An offer could not be made: it is made later, if the visit lasts.
    mutating func owe(_ attempt: OfferAttempt, because reason: String, at time: Timestamp) {
        presence?.owe(attempt, because: reason, at: time)
    }

    /// Offers that could not be made so far, and why.
    var offerProblems: [String] { presence?.offerProblems ?? [] }

    /// Begins an interval, with whatever waited for one. What other settings are in force is told behind the last
    /// interval's messages, since a reader takes an interval's length from both.
    mutating func open(at time: Timestamp, _ outbox: inout [Message]) {
        let change = nextSettings.flatMap { $0 == settings ? nil : $0 }
        nextSettings = nil
        if let change { apply(change, at: time) }
        if let registry = nextRegistry {
            listener.use(registry)
            presence?.use(registry, at: time)
            teller.use(registry)
            nextRegistry = nil
        }
        if presence == nil {
            presence = NodePresence(
                registry: listener.resolver.currentRegistry, reactions: reactions, at: time,
                exitAfter: settings.exitAfter, restoring: remembered)
            remembered = nil
        }
        listener.open(at: time)
        if !inherited.isEmpty { presence?.inherit(inherited, at: time) }
        inherited.removeAll()
        for beacon in presence?.takeWithdrawn(at: time) ?? [] { outbox.append(publisher.withdrawal(of: beacon)) }
        if change != nil { outbox.append(info()) }
    }

    /// A function of its own, so that its parts are lent apart from each other.
    private static func listen(
        to event: Span<UInt8>, at time: Timestamp, _ offset: Int, _ decoder: inout AdvertisingReportDecoder,
        _ listener: inout Listener, _ presence: inout NodePresence?, _ nearby: inout NearbyRequests
    ) {
        do {
            try decoder.decode(event, at: time) { heard, data in
                let report = heard.corrected(by: offset)
                let hearing = listener.take(report, data, at: time)
                presence?.receive(hearing)
                if !nearby.isEmpty { nearby.take(report, data, of: hearing.beacon, at: time) }
            }
        } catch {
            // The decoder has counted it.
        }
    }

    mutating func end(_ outbox: inout [Message]) {
        guard let begin = listener.windows.begin, let end = listener.windows.end else { return }
        var scan = Scan(
            from: begin, to: end, seq: listener.windows.seq,
            registry: registryDigest, epoch: epoch)
        scan.reports = listener.reports
        scan.malformed = Int(decoder.counters.malformed - toldMalformed)
        toldMalformed = decoder.counters.malformed
        scan.beacons = listener.beacons
        scan.windows = Self.close(&listener, settings, epoch, &publisher, &teller, &presence, &outbox)
        scan.lastEvent = lastEvent
        scan.gapMilliseconds = Int(clamping: missed.take(until: end) / 1000)
        scan.dropped = dropped
        scan.spooled = spooled
        scan.clock = toldClock
        presence?.tellExitTimes()
        outbox.append(publisher.message(scan))
        teller.tell(scan, &outbox)
        guard let health = healthCount.take(scan) else { return }
        let message = publisher.message(health)
        healthMessage = message
        outbox.append(message)
    }

    /// Gives the windows of the interval to the publisher, and counts them. Changes of proximity go before them.
    private static func close(
        _ listener: inout Listener, _ settings: NodeSettings, _ epoch: String, _ publisher: inout WindowPublisher,
        _ teller: inout NeighbourTeller, _ presence: inout NodePresence?, _ outbox: inout [Message]
    ) -> Int {
        var windows = 0
        listener.close(node: settings.node, epoch: epoch) { window in
            if let change = presence?.take(window) {
                outbox.append(publisher.message(change.report, of: change.beacon))
            }
            outbox.append(publisher.message(window))
            teller.tell(window, offset: settings.offset, &outbox)
            windows += 1
        }
        return windows
    }
}
