public import Advertising
internal import BeaconFrames
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

    /// What the node is told to be.
    public let settings: NodeSettings
    /// The topics it publishes under.
    public let topics: Topics
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
    private var resolver: IdentityResolver
    private var windows: WindowTable
    private var heard = RecencyTable<BeaconID, UInt64>(capacity: WindowTable.beaconCapacity)
    private var reports = 0
    private var beacons = 0
    private var gap: Int64 = 0
    private var windowTopics: [String: String] = [:]
    private var json = JSONWriter()

    /// A pipeline that has heard nothing.
    public init(settings: NodeSettings, registry: Registry, epoch: String, started: Timestamp) {
        self.settings = settings
        self.epoch = epoch
        self.started = started
        topics = Topics(prefix: settings.topicPrefix)
        resolver = IdentityResolver(registry: registry)
        windows = WindowTable(length: settings.window)
    }

    /// Counts of what the decoder met since the start.
    public var counters: AdvertisingCounters { decoder.counters }
    /// When the current interval ends; nil before the first.
    public var nextDeadline: Timestamp? { windows.end }

    /// Takes an HCI event (from its event code on) that was received at `time`; what falls due is appended to `outbox`.
    ///
    /// A malformed event is counted, and the whole reports before the fault are used.
    public mutating func receive(_ event: Span<UInt8>, at time: Timestamp, _ outbox: inout [Message]) {
        advance(to: time, &outbox)
        // A fault is counted by the decoder itself.
        try? decoder.decode(event, at: time) { report, data in
            reports += 1
            take(report, data, time)
        }
    }

    /// Lets time pass: ends each interval that ends at or before `time`, silent ones too.
    public mutating func advance(to time: Timestamp, _ outbox: inout [Message]) {
        guard let begin = windows.begin else { return windows.open(at: time) }
        if time < begin {
            // The clock went back, as between two recordings. A packet out of order by less than an interval stays here.
            guard time < begin.advanced(byMicroseconds: -windows.length) else { return }
            end(&outbox)
            return windows.open(at: time)
        }
        while let end = windows.end, end <= time {
            self.end(&outbox)
            let silence = time.microseconds(since: end)
            if silence > Self.longestSilence {
                gap = silence
                windows.open(at: time)
            } else {
                windows.open(at: end)
            }
        }
    }

    /// Ends the current interval early, as at the end of a recording.
    public mutating func finish(_ outbox: inout [Message]) {
        if windows.begin != nil { end(&outbox) }
    }

    /// What the node is, retained: to be published on every connection and change.
    public mutating func info() -> Message {
        var info = NodeInfo(
            version: settings.version, room: settings.room, adapter: settings.adapter, started: started, epoch: epoch,
            window: Double(settings.window) / 1e6, publishesAll: settings.publishesAll,
            registry: resolver.currentRegistry.digest)
        info.clock = clock
        json.removeAll()
        info.write(to: &json)
        return Message(
            topic: topics.nodeInfo(settings.node), payload: json.bytes, qos: .atLeastOnce, retained: true)
    }

    // MARK: Pieces

    private mutating func take(_ report: AdvertisingReport, _ data: Span<UInt8>, _ time: Timestamp) {
        var frames: (BeaconID?, BeaconID?) = (nil, nil)
        var powers: (Int?, Int?) = (nil, nil)
        var telemetry = Telemetry()
        BeaconFrame.decode(data: data) { frame in
            if case .eddystoneTLM(let readings) = frame {
                telemetry.batteryMillivolts = readings.batteryMillivolts
                telemetry.temperatureCelsius = readings.temperatureCelsius
            }
            guard let id = BeaconID(frame) else { return }
            if frames.0 == nil {
                (frames.0, powers.0) = (id, frame.powerAtOneMetre)
            } else if frames.1 == nil {
                (frames.1, powers.1) = (id, frame.powerAtOneMetre)
            }
        }
        let beacon = resolver.resolve(address: report.address, frames: frames, at: time)
        let seq = windows.seq
        heard.withValue(forKey: beacon.id, initial: { 0 }) { last in
            if last != seq { beacons += 1 }
            last = seq
        }
        guard beacon.item != nil || beacon.isWatched || settings.publishesAll else { return }
        var hearing = Hearing(beacon: beacon, time: time)
        hearing.rssi = report.rssi
        hearing.power = beacon.id == frames.0 ? powers.0 : beacon.id == frames.1 ? powers.1 : nil
        hearing.telemetry = telemetry
        windows.record(hearing)
    }

    private mutating func end(_ outbox: inout [Message]) {
        guard let begin = windows.begin, let end = windows.end else { return }
        var scan = Scan(
            from: begin, to: end, seq: windows.seq, registry: resolver.currentRegistry.digest, epoch: epoch)
        let first = outbox.count
        windows.close(node: settings.node, epoch: epoch, items: resolver.currentRegistry.items) { window in
            json.removeAll()
            window.write(to: &json)
            outbox.append(Message(topic: topic(of: window), payload: json.bytes))
        }
        scan.windows = outbox.count - first
        scan.reports = reports
        scan.beacons = beacons
        scan.gapMilliseconds = Int(min(gap, windows.length) / 1000)
        scan.dropped = dropped
        scan.spooled = spooled
        scan.clock = clock
        (reports, beacons, gap) = (0, 0, 0)
        json.removeAll()
        scan.write(to: &json)
        outbox.append(Message(topic: topics.scan(settings.node), payload: json.bytes))
    }

    /// A window's topic; made once, since its shard is a digest.
    private mutating func topic(of window: Window) -> String {
        let beacon = window.item ?? window.id
        if let topic = windowTopics[beacon] { return topic }
        if windowTopics.count >= WindowTable.beaconCapacity { windowTopics.removeAll(keepingCapacity: true) }
        let topic = topics.window(beacon: beacon, node: settings.node)
        windowTopics[beacon] = topic
        return topic
    }
}
