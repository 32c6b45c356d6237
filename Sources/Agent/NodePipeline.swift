public import Advertising
public import Bytes
public import Identity
internal import Presence
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
    public let epoch: String
    /// When the program started.
    public let started: Timestamp
    /// Its clock where it replays or simulates.
    public var clock: NodeClock?
    /// Messages lost to full queues since the start; the caller counts.
    public var dropped: UInt64 = 0
    /// Messages that wait for the broker; the caller counts.
    public var spooled = 0

    private var decoder = AdvertisingReportDecoder()
    private var listener: Listener
    private var publisher: WindowPublisher
    private var gap: Int64 = 0

    /// A pipeline that has heard nothing.
    public init(settings: NodeSettings, registry: Registry, epoch: String, started: Timestamp) {
        self.settings = settings
        self.epoch = epoch
        self.started = started
        listener = Listener(registry: registry, window: settings.window, keepsAll: settings.publishesAll)
        publisher = WindowPublisher(topics: Topics(prefix: settings.topicPrefix), node: settings.node)
    }

    /// Counts of what the decoder met since the start.
    public var counters: AdvertisingCounters { decoder.counters }
    /// When the current interval ends; nil before the first.
    public var nextDeadline: Timestamp? { listener.windows.end }

    /// Takes an HCI event (from its event code on) that was received at `time`; what falls due is appended to `outbox`.
    ///
    /// A malformed event is counted, and the whole reports before the fault are used.
    public mutating func receive(_ event: Span<UInt8>, at time: Timestamp, _ outbox: inout [Message]) {
        advance(to: time, &outbox)
        Self.listen(to: event, at: time, &decoder, &listener)
    }

    /// Lets time pass: ends each interval that ends at or before `time`, silent ones too.
    public mutating func advance(to time: Timestamp, _ outbox: inout [Message]) {
        // A capture can hold any number for a time; beyond these no interval has an end.
        let time = min(max(time, Self.earliest), Self.latest)
        guard let begin = listener.windows.begin else { return listener.open(at: time) }
        if time < begin {
            // The clock went back, as between two recordings. A packet out of order by less than an interval stays here.
            guard time < begin.advanced(byMicroseconds: -settings.window) else { return }
            end(&outbox)
            return listener.open(at: time)
        }
        while let end = listener.windows.end, end <= time {
            self.end(&outbox)
            let silence = time.microseconds(since: end)
            if silence > Self.longestSilence {
                gap = silence
                listener.open(at: time)
            } else {
                listener.open(at: end)
            }
        }
    }

    /// Ends the current interval early, as at the end of a recording.
    public mutating func finish(_ outbox: inout [Message]) {
        end(&outbox)
    }

    /// What the node is, retained: to be published on every connection and change.
    public mutating func info() -> Message {
        var info = NodeInfo(
            version: settings.version, room: settings.room, adapter: settings.adapter, started: started, epoch: epoch,
            window: Double(settings.window) / 1e6, publishesAll: settings.publishesAll,
            registry: listener.resolver.currentRegistry.digest)
        info.clock = clock
        return publisher.message(info)
    }

    /// A function of its own, so that decoder and listener are lent apart from each other.
    private static func listen(
        to event: Span<UInt8>, at time: Timestamp, _ decoder: inout AdvertisingReportDecoder, _ listener: inout Listener
    ) {
        do {
            try decoder.decode(event, at: time) { report, data in listener.take(report, data, at: time) }
        } catch {
            // The decoder has counted it.
        }
    }

    private mutating func end(_ outbox: inout [Message]) {
        guard let begin = listener.windows.begin, let end = listener.windows.end else { return }
        var scan = Scan(
            from: begin, to: end, seq: listener.windows.seq,
            registry: listener.resolver.currentRegistry.digest, epoch: epoch)
        scan.reports = listener.reports
        scan.beacons = listener.beacons
        scan.windows = Self.close(&listener, settings.node, epoch, &publisher, &outbox)
        scan.gapMilliseconds = Int(clamping: gap / 1000)
        scan.dropped = dropped
        scan.spooled = spooled
        scan.clock = clock
        gap = 0
        outbox.append(publisher.message(scan))
    }

    /// Gives the windows of the interval to the publisher, and counts them.
    private static func close(
        _ listener: inout Listener, _ node: String, _ epoch: String, _ publisher: inout WindowPublisher,
        _ outbox: inout [Message]
    ) -> Int {
        let first = outbox.count
        listener.close(node: node, epoch: epoch) { outbox.append(publisher.message($0)) }
        return outbox.count - first
    }
}
