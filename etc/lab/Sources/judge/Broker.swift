import Bytes

/// What came over the broker, as `mosquitto_sub -F '%U %t %p'` wrote it down: a line has when, topic and payload.
struct Broker {
    /// What a node said of an interval.
    struct Scan {
        var from = 0.0
        var to = 0.0
        var reports = 0
        var malformed = 0
        var gap = 0.0
        var dropped = 0

        /// Whether it listened all the time, and heard at least so many reports a second.
        func isFull(rate: Double) -> Bool { gap == 0 && Double(reports) >= rate * (to - from) }
    }

    /// In the order in which they came.
    private(set) var scans: [Scan] = []
    /// When regions were left, by when it was told.
    private(set) var exits: [Double] = []

    /// What can't be read is passed over: the last line may be half written.
    init(_ text: String) {
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 2)
            guard parts.count == 3, let at = Double(String(parts[0])) else { continue }
            if parts[1].hasSuffix("/scan"), let scan = try? Self.scan(Array(parts[2].utf8)) { scans.append(scan) }
            if parts[1].hasSuffix("/events"), parts[2].contains("\"kind\":\"exit\"") { exits.append(at) }
        }
    }

    private static func scan(_ payload: [UInt8]) throws(JSONFault) -> Scan {
        var scan = Scan()
        var json = JSONReader(payload.span)
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "from": scan.from = try json.number()
            case "to": scan.to = try json.number()
            case "reports": scan.reports = try json.integer(Int.self)
            case "malformed": scan.malformed = try json.integer(Int.self)
            case "gap_ms": scan.gap = try json.number() / 1000
            case "dropped": scan.dropped = try json.integer(Int.self)
            default: try json.skip()
            }
        }
        return scan
    }
}
