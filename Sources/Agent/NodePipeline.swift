public import Advertising
public import Bytes
public import Identity
public import Presence
public import Sightings

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

    /// What the node is told to be.
    public let settings: NodeSettings
    /// The id of this run's counts.
    public internal(set) var epoch: String
    /// The number of its last event; the caller's ledger counts.
    public var lastEvent: UInt64 = 0
    /// When the program started.
    public let started: Timestamp
    /// Its clock where it replays or simulates.
    public var clock: NodeClock?
    /// How its radio does, where it has one; the caller tells.
    public var radio: RadioStatus?
    /// Messages lost to full queues since the start; the caller counts.
    public var dropped: UInt64 = 0
    /// Messages that wait for the broker; the caller counts.
    public var spooled = 0

    private var decoder = AdvertisingReportDecoder()
    private var listener: Listener
    private var publisher: WindowPublisher
    /// Microseconds of the current interval that weren't listened to, and of intervals that were left out before it.
    private var missed: Int64 = 0
    /// Since when nothing is listened to, or up to where that has been counted; nil while it is listened to.
    private var deafSince: Timestamp?
    /// From the first moment on.
    private var presence: NodePresence?
    private var remembered: PresenceRecord?
    /// Another registry, for the next interval.
    private var nextRegistry: Registry?
    private var nearby = NearbyRequests()

    /// A pipeline that has heard nothing in this run.
    ///
    /// - Parameter remembered: what an earlier run knew of regions and beacons; the time since then was not listened to.
    public init(
        settings: NodeSettings, registry: Registry, epoch: String, started: Timestamp,
        remembering remembered: PresenceRecord? = nil
    ) {
        self.settings = settings
        self.epoch = epoch
        self.started = started
        self.remembered = remembered
        listener = Listener(registry: registry, window: settings.window, keepsAll: settings.publishesAll)
        publisher = WindowPublisher(topics: Topics(prefix: settings.topicPrefix), node: settings.node)
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
        Self.listen(to: event, at: time, &decoder, &listener, &presence, &nearby)
    }

    /// Lets time pass: ends each interval that ends at or before `time`, silent ones too.
    public mutating func advance(to time: Timestamp, _ outbox: inout [Message]) {
        // A capture can hold any number for a time; beyond these no interval has an end.
        let time = min(max(time, Self.earliest), Self.latest)
        guard let begin = listener.windows.begin else { return open(at: time) }
        if time < begin {
            // The clock went back, as between two recordings. A packet out of order by less than an interval stays here.
            guard time < begin.advanced(byMicroseconds: -settings.window) else { return }
            end(&outbox)
            presence?.startAnew(at: time)
            return open(at: time)
        }
        while let end = listener.windows.end, end <= time {
            presence?.advance(to: end)
            self.end(&outbox)
            let silence = time.microseconds(since: end)
            if silence > Self.longestSilence {
                if deafSince == nil { presence?.gap(from: end, to: time) }
                missed = silence
                deafSince = deafSince.map { _ in time }
                open(at: time)
            } else {
                open(at: end)
            }
        }
        presence?.advance(to: time)
    }

    /// Says that nothing is listened to from now on, as while an adapter is gone: intervals go on, and their scans tell it.
    public mutating func stopListening(at time: Timestamp, _ outbox: inout [Message]) {
        advance(to: time, &outbox)
        guard deafSince == nil else { return }
        deafSince = time
        presence?.stopListening(at: time)
    }

    /// Says that it is listened to again.
    public mutating func resumeListening(at time: Timestamp, _ outbox: inout [Message]) {
        advance(to: time, &outbox)
        countMissed(until: time)
        deafSince = nil
        presence?.resumeListening(at: time)
    }

    /// Says that nothing was listened to from one moment to another, as while the machine slept. Intervals between are
    /// left out, and the next `scan` counts them as its gap.
    public mutating func gap(from start: Timestamp, to stop: Timestamp, _ outbox: inout [Message]) {
        advance(to: start, &outbox)
        guard let end = listener.windows.end, deafSince == nil else { return advance(to: stop, &outbox) }
        presence?.gap(from: start, to: stop)
        guard stop >= end else { return missed += max(0, stop.microseconds(since: start)) }
        missed += end.microseconds(since: start)
        self.end(&outbox)
        open(at: stop)
        missed = stop.microseconds(since: end)
    }

    /// Says that the wall clock was set forward by so many microseconds, or back where they are negative, and shows `time`
    /// now. Intervals are multiples on the new setting from here on; nothing else has happened.
    ///
    /// What a `scan` says was listened to is no more than what was: the rest of the interval that ends early, and the part
    /// of the new one that was over before, are its gap.
    public mutating func clockStepped(by step: Int64, at time: Timestamp, _ outbox: inout [Message]) {
        let before = time.advanced(byMicroseconds: -step)
        advance(to: before, &outbox)
        countMissed(until: before)
        presence?.clockStepped(by: step)
        nearby.clockStepped(by: step)
        deafSince = deafSince.map { _ in time }
        guard let begin = listener.windows.begin, let end = listener.windows.end else { return }
        guard time < begin || time >= end else { return missed += max(0, step) }
        missed += end.microseconds(since: before)
        let isDeaf = deafSince != nil
        deafSince = nil
        self.end(&outbox)
        open(at: time)
        deafSince = isDeaf ? time : nil
        missed = listener.windows.begin.map { time.microseconds(since: $0) } ?? 0
    }

    /// Ends the current interval early, as at the end of a recording.
    public mutating func finish(_ outbox: inout [Message]) {
        end(&outbox)
    }

    /// Whether something has happened in regions since effects were taken.
    public var hasEvents: Bool { presence?.hasEvents ?? false }

    /// What has happened in regions since the last call, to be kept and told.
    public mutating func takeEffects() -> NodeEffects? {
        presence?.takeEffects(of: settings.node)
    }

    /// Puts another registry in force, from the next interval on: a window belongs to one of them.
    public mutating func use(_ registry: Registry) {
        nextRegistry = registry
    }

    /// Begins to listen for unregistered beacons. Throws where too many requests are open.
    public mutating func openNearby(_ command: NodeCommand, at time: Timestamp) throws(CommandFault) {
        try nearby.open(command, at: time)
    }

    /// The answers to `nearby` requests whose time is over; each given once.
    public mutating func takeNearby(at time: Timestamp) -> [CommandResult] {
        nearby.isEmpty ? [] : nearby.takeResults(at: time)
    }

    /// Everything of regions that is to stand retained, as after a new connection.
    public func regionMessages() -> [Message] {
        (presence?.reports() ?? []).map { publisher.message($0.report, of: $0.region) }
    }

    /// A changed region's retained message.
    public func message(_ report: RegionReport, of region: String) -> Message {
        publisher.message(report, of: region)
    }

    /// What the node is, retained: to be published on every connection and change.
    public mutating func info() -> Message {
        var info = NodeInfo(
            version: settings.version, room: settings.room, adapter: settings.adapter, started: started, epoch: epoch,
            window: Double(settings.window) / 1e6, publishesAll: settings.publishesAll,
            registry: registryDigest)
        info.clock = clock
        if let radio {
            info.radio = radio
            info.adapter = radio.adapter ?? info.adapter
            (info.address, info.features) = (radio.address, radio.features)
        }
        return publisher.message(info)
    }

    private mutating func open(at time: Timestamp) {
        if let registry = nextRegistry {
            listener.use(registry)
            presence?.use(registry, at: time)
            nextRegistry = nil
        }
        if presence == nil {
            presence = NodePresence(registry: listener.resolver.currentRegistry, at: time, restoring: remembered)
            remembered = nil
        }
        listener.open(at: time)
    }

    /// A function of its own, so that its parts are lent apart from each other.
    private static func listen(
        to event: Span<UInt8>, at time: Timestamp, _ decoder: inout AdvertisingReportDecoder,
        _ listener: inout Listener, _ presence: inout NodePresence?, _ nearby: inout NearbyRequests
    ) {
        do {
            try decoder.decode(event, at: time) { report, data in
                let hearing = listener.take(report, data, at: time)
                presence?.receive(hearing)
                if !nearby.isEmpty { nearby.take(report, data, of: hearing.beacon, at: time) }
            }
        } catch {
            // The decoder has counted it.
        }
    }

    private mutating func end(_ outbox: inout [Message]) {
        guard let begin = listener.windows.begin, let end = listener.windows.end else { return }
        var scan = Scan(
            from: begin, to: end, seq: listener.windows.seq,
            registry: registryDigest, epoch: epoch)
        scan.reports = listener.reports
        scan.beacons = listener.beacons
        scan.windows = Self.close(&listener, settings.node, epoch, &publisher, &presence, &outbox)
        scan.lastEvent = lastEvent
        countMissed(until: end)
        scan.gapMilliseconds = Int(clamping: missed / 1000)
        scan.dropped = dropped
        scan.spooled = spooled
        scan.clock = clock
        missed = 0
        outbox.append(publisher.message(scan))
        for beacon in presence?.forgetSilent(at: end) ?? [] { outbox.append(publisher.withdrawal(of: beacon)) }
    }

    /// Counts what of the time up to a moment wasn't listened to.
    private mutating func countMissed(until time: Timestamp) {
        guard let since = deafSince, since < time else { return }
        missed += time.microseconds(since: since)
        deafSince = time
    }

    /// Gives the windows of the interval to the publisher, and counts them. Changes of proximity go before them.
    private static func close(
        _ listener: inout Listener, _ node: String, _ epoch: String, _ publisher: inout WindowPublisher,
        _ presence: inout NodePresence?, _ outbox: inout [Message]
    ) -> Int {
        var windows = 0
        listener.close(node: node, epoch: epoch) { window in
            if let change = presence?.take(window) {
                outbox.append(publisher.message(change.report, of: change.beacon))
            }
            outbox.append(publisher.message(window))
            windows += 1
        }
        return windows
    }
}
