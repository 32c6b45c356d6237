public import Advertising
public import Bytes
public import Identity
public import Presence
public import WireProtocol

/// The path of a packet through a node: from an HCI event to the published messages.
///
/// It does no I/O and reads no clock. Its time is that of the events; the caller reports time that passes without any.
public struct NodePipeline: Sendable {
    /// The longest jump of time that counts as listened silence. In a longer one the intervals are left
    /// out, and the next `scan` counts them as its gap.
    public static let longestSilence: Duration = .hours(1)

    /// The range of 100,000 years about the epoch that `Timestamp(seconds:)` accepts.
    private static let earliest = Timestamp(microseconds: -3_200_000_000_000_000_000)
    private static let latest = Timestamp(microseconds: 3_200_000_000_000_000_000)

    /// The current settings.
    public internal(set) var settings: NodeSettings
    /// The further content of its `info`.
    public var description: NodeDescription
    /// The counts of the current interval.
    public var scans = ScanCounter()
    private var decoder = AdvertisingReportDecoder()
    var builder: WindowBuilder
    var publisher: WindowPublisher
    var integrations: IntegrationPublisher
    /// The presence of beacons; nil before the first moment.
    var presence: NodePresence?
    /// The reactions, and the record of an earlier run, until presence begins.
    var beginning: (reactions: NodeReactions, record: PresenceRecord?)?
    /// The changes for the next interval.
    var pending = PendingChanges()
    /// The open requests for unregistered beacons.
    var nearby = NearbyRequests()
    /// The alerts about the radio's faults, which the caller reports.
    var radioEvents: RadioEvents

    /// The changes that wait for the next interval.
    struct PendingChanges: Sendable {
        var registry: Registry?
        var settings: NodeSettings?
        /// Beacons with messages from an earlier run.
        var inherited: [String] = []
    }

    /// A pipeline without events so far.
    ///
    /// - Parameter remembered: the regions and beacons of an earlier run; the time since then wasn't listened to.
    public init(
        settings: NodeSettings, registry: Registry, epoch: String, started: Timestamp,
        remembering remembered: PresenceRecord? = nil
    ) {
        self.init(
            settings: settings, registry: registry, epoch: epoch, started: started, remembering: remembered,
            reactions: NodeReactions(node: settings.node))
    }

    /// A pipeline with alerts and reactions; `registry` must contain their implicit regions.
    ///
    /// - Parameters:
    ///   - seq: the number before the first one of its intervals.
    ///   - keys: the state of keys from an earlier run, by item.
    init(
        settings: NodeSettings, registry: Registry, epoch: String, started: Timestamp,
        remembering remembered: PresenceRecord?, after seq: UInt64 = 0, reactions: NodeReactions,
        keys: [String: KeyMemory] = [:]
    ) {
        self.settings = settings
        description = NodeDescription(epoch: epoch, started: started)
        beginning = (reactions, remembered)
        radioEvents = RadioEvents(node: settings.node)
        builder = WindowBuilder(
            registry: registry, window: settings.window, after: seq, keepsAll: settings.publishesAll,
            remembering: keys)
        publisher = WindowPublisher(topics: Topics(prefix: settings.topicPrefix), node: settings.node)
        integrations = IntegrationPublisher(settings, started: started)
        integrations.use(registry)
    }

    /// The digest of the current registry.
    public var registryDigest: String { builder.resolver.currentRegistry.digest }
    /// The decoder's counts since the start.
    public var counters: AdvertisingCounters { decoder.counters }
    /// The latest time for the next call of `advance`; nil before the first interval.
    public var nextDeadline: Timestamp? {
        builder.windows.end.map { end in min(end, presence?.nextDeadline ?? end) }
    }

    /// Processes an HCI event (from its event code on) that was received at `time`; due messages are appended to
    /// `outbox`.
    ///
    /// A malformed event is counted, and the complete reports before the fault are used.
    public mutating func receive(_ event: Span<UInt8>, at time: Timestamp, _ outbox: inout [Message]) {
        advance(to: time, &outbox)
        Self.decodeEvent(to: event, at: time, settings.offset, &decoder, &builder, &presence, &nearby)
    }

    /// Advances the time: ends each interval that ends at or before `time`, silent ones too.
    public mutating func advance(to time: Timestamp, _ outbox: inout [Message]) {
        // A capture can contain any number as a time; beyond these no interval has an end.
        let time = min(max(time, Self.earliest), Self.latest)
        guard let begin = builder.windows.begin else { return beginInterval(at: time, &outbox) }
        if time < begin {
            // The clock went back, as between two recordings. A packet out of order by less than an interval stays
            // here.
            guard time < begin.advanced(by: -settings.window) else { return }
            closeInterval(&outbox)
            presence?.startAnew(at: time)
            return beginInterval(at: time, &outbox)
        }
        while let end = builder.windows.end, end <= time {
            presence?.advance(to: end)
            self.closeInterval(&outbox)
            let silence = time.duration(since: end)
            if silence > Self.longestSilence {
                if !scans.missed.isDeaf { presence?.gap(from: end, to: time) }
                scans.missed.leaveOut(from: end, to: time)
                beginInterval(at: time, &outbox)
            } else {
                beginInterval(at: end, &outbox)
            }
        }
        presence?.advance(to: time)
    }

    /// Ends the current interval early, as at the end of a recording.
    public mutating func finish(_ outbox: inout [Message]) {
        closeInterval(&outbox)
    }

    /// True if there are events of regions or of the radio since the last effects.
    public var hasEvents: Bool { presence?.hasEvents == true || radioEvents.hasOutcome }

    /// The effects of regions and the radio since the last call, to be stored and published; nil before the first
    /// interval.
    public mutating func takeEffects() -> NodeEffects? {
        guard var effects = presence?.takeEffects(of: builder.windows.seq) else { return nil }
        let outcome = radioEvents.takeEvents()
        effects.events += outcome.events
        effects.radio = outcome.memory
        effects.keys = builder.resolver.takeKeyChanges()
        return effects
    }

    /// Records an offer that could not be made: it is made later, if the visit lasts.
    mutating func delay(_ attempt: OfferAttempt, because reason: String, at time: Timestamp) {
        presence?.delay(attempt, because: reason, at: time)
    }

    /// The offers that could not be made so far, with the reasons.
    var offerProblems: [String] { presence?.offerProblems ?? [] }

    /// Begins an interval, and applies the waiting changes. New settings are published after the last interval's
    /// messages, since a reader derives an interval's length from both.
    mutating func beginInterval(at time: Timestamp, _ outbox: inout [Message]) {
        let changes = pending
        pending = PendingChanges()
        let change = changes.settings.flatMap { $0 == settings ? nil : $0 }
        if let change { apply(change, at: time) }
        if let registry = changes.registry {
            builder.use(registry)
            presence?.use(registry, at: time)
            integrations.use(registry)
        }
        if let (reactions, record) = beginning {
            presence = NodePresence(
                registry: builder.resolver.currentRegistry, reactions: reactions, at: time,
                exitAfter: settings.exitAfter, restoring: record)
            beginning = nil
        }
        builder.beginInterval(at: time)
        if !changes.inherited.isEmpty { presence?.adoptProximities(changes.inherited, at: time) }
        for beacon in presence?.takeWithdrawn(at: time) ?? [] { outbox.append(publisher.withdrawal(of: beacon)) }
        if change != nil { outbox.append(info()) }
    }

    /// A separate function, so that its parts are borrowed separately.
    private static func decodeEvent(
        to event: Span<UInt8>, at time: Timestamp, _ offset: Int, _ decoder: inout AdvertisingReportDecoder,
        _ builder: inout WindowBuilder, _ presence: inout NodePresence?, _ nearby: inout NearbyRequests
    ) {
        do {
            try decoder.decode(event, at: time) { heard, data in
                let report = heard.corrected(by: offset)
                let sighting = builder.receive(report, data, at: time)
                presence?.receive(sighting)
                if !nearby.isEmpty { nearby.receive(report, data, of: sighting.beacon, at: time) }
            }
        } catch {
            // The decoder has counted it.
        }
    }

    mutating func closeInterval(_ outbox: inout [Message]) {
        guard let begin = builder.windows.begin, let end = builder.windows.end else { return }
        var scan = Scan(
            from: begin, to: end, seq: builder.windows.seq, registry: registryDigest, epoch: description.epoch)
        scan.reports = builder.reports
        scan.beacons = builder.beacons
        scan.windows = Self.endInterval(
            &builder, settings, description.epoch, &publisher, &integrations, &presence, &outbox)
        scan.clock = description.publishedClock
        let isHealthNew = scans.complete(&scan, malformed: decoder.counters.malformed)
        presence?.updateExitTimes()
        outbox.append(publisher.makeMessage(scan))
        integrations.publish(scan, &outbox)
        if isHealthNew, let healthMessage { outbox.append(healthMessage) }
    }

    /// The health of the radio in the last minute, as a retained message; nil before the first one.
    var healthMessage: Message? { scans.health.map { publisher.makeMessage($0) } }

    /// Passes the windows of the interval to the publisher, and counts them. Changes of proximity precede them.
    private static func endInterval(
        _ builder: inout WindowBuilder, _ settings: NodeSettings, _ epoch: String, _ publisher: inout WindowPublisher,
        _ integrations: inout IntegrationPublisher, _ presence: inout NodePresence?, _ outbox: inout [Message]
    ) -> Int {
        var windows = 0
        builder.endInterval(node: settings.node, epoch: epoch) { window in
            if let change = presence?.receive(window) {
                outbox.append(publisher.makeMessage(change.report, of: change.beacon))
            }
            outbox.append(publisher.makeMessage(window))
            integrations.publish(window, offset: settings.offset, &outbox)
            windows += 1
        }
        return windows
    }
}
