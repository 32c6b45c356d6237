internal import BeaconFrames
public import Bytes

extension Window {
    /// The wire form's version, in its key `v`.
    static let version = 1
    /// The maximum size of a payload, in bytes; a valid window is far below it.
    static let payloadLimit = 4096
    /// The maximum number of reports of one beacon in a valid interval: a day at a thousand a second.
    static let countLimit = 100_000_000
    /// The least expected number that is not 0: the interval of advertisements that follows is at most four years.
    static let leastExpected = 1e-6
    /// The longest interval: the one in which `window` was set from a minute to less may be up to two
    /// minutes long.
    static let longest: Duration = .minutes(2)
    /// `https://www.` and 17 times `.info/`.
    static let urlLimit = 114

    /// Writes the payload of a `windows/<shard>/<beacon>/<node>` topic.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("v", Self.version)
        json.field("seq", seq)
        json.field("from", from)
        json.field("to", to)
        json.field("node", node)
        json.field("epoch", epoch)
        json.field("id", id)
        json.field("item", item)
        json.field("count", count)
        json.field("expected", expected, decimals: 2)
        if let rssi {
            json.beginObject("rssi")
            json.field("mean", rssi.mean, decimals: 1)
            json.field("median", rssi.median, decimals: 1)
            json.field("min", rssi.minimum)
            json.field("max", rssi.maximum)
            json.field("sd", rssi.deviation, decimals: 1)
            json.endObject()
        }
        json.field("power", power)
        json.field("address_returns", addressReturns)
        if let distance {
            json.beginObject("distance")
            json.field("m", distance.metres, decimals: 2)
            json.field("low", distance.low, decimals: 2)
            json.field("high", distance.high, decimals: 2)
            json.endObject()
        }
        json.field("proximity", proximity.rawValue)
        telemetry?.write(to: &json)
        json.field("url", url)
        json.field("class", transmitterClass?.rawValue)
        json.endObject()
    }

    /// Reads such a payload. Unknown keys are ignored; a value that no valid node sends is a fault.
    public init(payload: Span<UInt8>) throws(PayloadFault) {
        var fields = Fields()
        try readPayload(payload, limit: Self.payloadLimit) { json throws(JSONFault) in
            try fields.read(&json)
        }
        self.init(
            seq: try require(fields.seq, "seq"), from: try require(fields.from, "from"),
            to: try require(fields.to, "to"), node: try require(fields.node, "node"),
            epoch: try require(fields.epoch, "epoch"), id: try require(fields.id, "id"), item: fields.item,
            count: try require(fields.count, "count"))
        expected = fields.expected
        rssi = fields.rssi
        power = fields.power
        addressReturns = fields.addressReturns
        distance = fields.distance
        proximity = fields.proximity ?? .unknown
        telemetry = fields.telemetry
        url = fields.url
        transmitterClass = fields.transmitterClass
        try check()
    }

    private func check() throws(PayloadFault) {
        guard to > from, to.duration(since: from) <= Self.longest else { throw .outOfRange("to") }
        guard Identifier.isValid(node) else { throw .outOfRange("node") }
        guard Identifier.isBeaconLevel(id) else { throw .outOfRange("id") }
        guard item.map(Identifier.isValid) ?? true else { throw .outOfRange("item") }
        guard (0...Self.countLimit).contains(count) else { throw .outOfRange("count") }
        guard addressReturns.map({ (1...Self.countLimit).contains($0) }) ?? true else {
            throw .outOfRange("address_returns")
        }
        guard expected.map(Self.isExpectation) ?? true else { throw .outOfRange("expected") }
        guard Identifier.isEpoch(epoch) else { throw .outOfRange("epoch") }
        guard url.map(Self.isWebAddress) ?? true else { throw .outOfRange("url") }
        try checkLevels()
    }

    private static func isExpectation(_ number: Double) -> Bool {
        number == 0 || (leastExpected...Double(countLimit)).contains(number)
    }

    /// Returns true if an Eddystone-URL frame can contain `text`: printable ASCII, and no longer than 17 of the longest
    /// expansions.
    private static func isWebAddress(_ text: String) -> Bool {
        (text.hasPrefix("http://") || text.hasPrefix("https://")) && text.utf8.count <= urlLimit
            && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }

    private func checkLevels() throws(PayloadFault) {
        // The levels that a controller can report (Core 5.4, Vol 4 Part E, 7.7.65.2).
        let levels = -127...20
        if let rssi {
            let range = Double(levels.lowerBound)...Double(levels.upperBound)
            guard range.contains(rssi.mean), range.contains(rssi.median), levels.contains(rssi.minimum),
                levels.contains(rssi.maximum), (0...Double(levels.count)).contains(rssi.deviation ?? 0)
            else { throw .outOfRange("rssi") }
        }
        guard (-128...127).contains(power ?? 0) else { throw .outOfRange("power") }
        if let distance {
            // Beyond the range of any packet of Bluetooth LE.
            let metres = 0.0...100_000
            guard metres.contains(distance.metres), metres.contains(distance.low), metres.contains(distance.high) else {
                throw .outOfRange("distance")
            }
        }
    }
}

/// The keys of a window during reading.
private struct Fields {
    var seq: UInt64?
    var from: Timestamp?
    var to: Timestamp?
    var node: String?
    var epoch: String?
    var id: String?
    var item: String?
    var count: Int?
    var expected: Double?
    var rssi: Window.Levels?
    var power: Int?
    var addressReturns: Int?
    var distance: Window.Distance?
    var proximity: Window.Proximity?
    var telemetry: Telemetry?
    var url: String?
    var transmitterClass: TransmitterClass?

    mutating func read(_ json: inout JSONReader) throws(JSONFault) {
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "seq": seq = try json.integer(UInt64.self)
            case "from": from = try json.time()
            case "to": to = try json.time()
            case "node": node = try json.string()
            case "epoch": epoch = try json.string()
            case "id": id = try json.string()
            case "item": item = try json.string()
            case "count": count = try json.integer(Int.self)
            case "expected": expected = try json.number()
            case "rssi": rssi = try levels(&json)
            case "power": power = try json.integer(Int.self)
            case "address_returns": addressReturns = try json.integer(Int.self)
            case "distance": distance = try distance(&json)
            case "proximity": proximity = Window.Proximity(rawValue: try json.string())
            case "telemetry": telemetry = try Telemetry.read(from: &json)
            case "url": url = try json.string()
            case "class": transmitterClass = TransmitterClass(rawValue: try json.string())
            default: try json.skip()
            }
        }
    }

    private func levels(_ json: inout JSONReader) throws(JSONFault) -> Window.Levels? {
        var mean: Double?
        var median: Double?
        var minimum: Int?
        var maximum: Int?
        var deviation: Double?
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "mean": mean = try json.number()
            case "median": median = try json.number()
            case "min": minimum = try json.integer(Int.self)
            case "max": maximum = try json.integer(Int.self)
            case "sd": deviation = try json.number()
            default: try json.skip()
            }
        }
        guard let mean, let median, let minimum, let maximum else { return nil }
        return Window.Levels(mean: mean, median: median, minimum: minimum, maximum: maximum, deviation: deviation)
    }

    private func distance(_ json: inout JSONReader) throws(JSONFault) -> Window.Distance? {
        var metres: Double?
        var low: Double?
        var high: Double?
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "m": metres = try json.number()
            case "low": low = try json.number()
            case "high": high = try json.number()
            default: try json.skip()
            }
        }
        guard let metres, let low, let high else { return nil }
        return Window.Distance(metres: metres, low: low, high: high)
    }
}
