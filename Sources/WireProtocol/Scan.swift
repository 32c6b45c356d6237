public import Bytes

/// A node's message after each interval's windows: alive and scanning. It makes silence evidence.
public struct Scan: Hashable, Sendable {
    /// The interval's beginning.
    public var from: Timestamp
    /// The interval's end, which is not part of it.
    public var to: Timestamp
    /// The interval's number, which its windows carry too.
    public var seq: UInt64
    /// The number of windows published under that number.
    public var windows: Int
    /// The digest of the node's registry.
    public var registry: String
    /// Advertising reports received in the interval.
    public var reports: Int
    /// Reports and events of the interval that were malformed: one for each fault. The cause is a controller or a
    /// driver.
    public var malformed: Int
    /// Different beacons received in the interval, registered or not.
    public var beacons: Int
    /// Milliseconds of the interval in which the node did not scan.
    public var gapMilliseconds: Int
    /// Windows and reports lost to full queues since the start.
    public var dropped: UInt64
    /// Messages queued for the broker.
    public var spooled: Int
    /// The node's epoch.
    public var epoch: String
    /// The number of the node's last event in this epoch; 0 before the first.
    public var lastEvent: UInt64
    /// The node's clock if it replays or simulates.
    public var clock: NodeClock?

    /// The share of the interval in which the node did not scan.
    public var gapShare: Double { Double(gapMilliseconds) / 1000 / to.seconds(since: from) }

    /// A scan with an interval and an epoch; all counts 0 until set.
    public init(from: Timestamp, to: Timestamp, seq: UInt64, registry: String, epoch: String) {
        self.from = from
        self.to = to
        self.seq = seq
        self.registry = registry
        self.epoch = epoch
        windows = 0
        reports = 0
        malformed = 0
        beacons = 0
        gapMilliseconds = 0
        dropped = 0
        spooled = 0
        lastEvent = 0
    }
}

extension Scan {
    static let payloadLimit = 4096

    /// Writes the payload of a `nodes/<node>/scan` topic.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("v", Window.version)
        json.field("from", from)
        json.field("to", to)
        json.field("seq", seq)
        json.field("windows", windows)
        json.field("registry", registry)
        json.field("reports", reports)
        if malformed > 0 { json.field("malformed", malformed) }
        json.field("beacons", beacons)
        json.field("gap_ms", gapMilliseconds)
        json.field("dropped", dropped)
        json.field("spooled", spooled)
        json.field("epoch", epoch)
        json.field("last_event", lastEvent)
        if let clock { json.write("clock", clock) }
        json.endObject()
    }

    /// Reads such a payload. Unknown keys are ignored; a value that no valid node sends is a fault.
    public init(payload: Span<UInt8>) throws(PayloadFault) {
        var from: Timestamp?
        var to: Timestamp?
        var seq: UInt64?
        var epoch: String?
        var scan = Scan(
            from: Timestamp(microseconds: 0), to: Timestamp(microseconds: 0), seq: 0, registry: "", epoch: "")
        try readPayload(payload, limit: Self.payloadLimit) { json throws(JSONFault) in
            try json.beginObject()
            while let key = try json.nextKey() {
                switch key {
                case "from": from = try json.time()
                case "to": to = try json.time()
                case "seq": seq = try json.integer(UInt64.self)
                case "epoch": epoch = try json.string()
                case "windows": scan.windows = try json.integer(Int.self)
                case "registry": scan.registry = try json.string()
                case "reports": scan.reports = try json.integer(Int.self)
                case "malformed": scan.malformed = try json.integer(Int.self)
                case "beacons": scan.beacons = try json.integer(Int.self)
                case "gap_ms": scan.gapMilliseconds = try json.integer(Int.self)
                case "dropped": scan.dropped = try json.integer(UInt64.self)
                case "spooled": scan.spooled = try json.integer(Int.self)
                case "last_event": scan.lastEvent = try json.integer(UInt64.self)
                case "clock": scan.clock = try NodeClock.read(from: &json)
                default: try json.skip()
                }
            }
        }
        scan.from = try require(from, "from")
        scan.to = try require(to, "to")
        scan.seq = try require(seq, "seq")
        scan.epoch = try require(epoch, "epoch")
        guard scan.to > scan.from, scan.to.duration(since: scan.from) <= Window.longest else {
            throw .outOfRange("to")
        }
        guard Identifier.isEpoch(scan.epoch) else { throw .outOfRange("epoch") }
        for (count, key) in [
            (scan.windows, "windows"), (scan.reports, "reports"), (scan.malformed, "malformed"),
            (scan.beacons, "beacons"), (scan.gapMilliseconds, "gap_ms"), (scan.spooled, "spooled"),
        ] where !(0...Window.countLimit).contains(count) {
            throw .outOfRange(key)
        }
        guard scan.dropped <= ItemEvent.latest else { throw .outOfRange("dropped") }
        guard scan.lastEvent <= ItemEvent.latest else { throw .outOfRange("last_event") }
        self = scan
    }
}
