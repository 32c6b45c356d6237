public import Bytes

extension RegionReport {
    /// A hundred beacon ids of 128 bytes, a hundred alerts of 64, and the remaining fields.
    static let payloadLimit = 24_576

    /// Writes the payload of a `nodes/<node>/regions/<region>` topic.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("v", Window.version)
        json.field("state", state.rawValue)
        json.field("since", since)
        json.field("determined_at", determinedAt)
        json.field("count", count)
        json.beginArray("beacons")
        for beacon in beacons { json.value(beacon) }
        json.endArray()
        json.field("exit_after", exitAfter, decimals: 3)
        json.field("problem", problem?.rawValue)
        if !alerts.isEmpty {
            json.beginArray("alerts")
            for alert in alerts { json.value(alert) }
            json.endArray()
        }
        json.endObject()
    }

    /// Reads such a payload. Unknown keys and problems are ignored; a value that no valid node sends is a fault.
    public init(payload: Span<UInt8>) throws(PayloadFault) {
        var state: State?
        var exitAfter: Double?
        var count: Int?
        var report = RegionReport(exitAfter: 0)
        try readPayload(payload, limit: Self.payloadLimit) { json throws(JSONFault) in
            try json.beginObject()
            while let key = try json.nextKey() {
                switch key {
                case "state": state = State(rawValue: try json.string())
                case "since": report.since = try json.time()
                case "determined_at": report.determinedAt = try json.time()
                case "count": count = try json.integer(Int.self)
                case "beacons": report.beacons = try json.strings()
                case "exit_after": exitAfter = try json.number()
                case "problem": report.problem = Problem(rawValue: try json.string())
                case "alerts": report.alerts = try json.strings()
                default: try json.skip()
                }
            }
        }
        report.state = try require(state, "state")
        report.exitAfter = try require(exitAfter, "exit_after")
        report.count = count ?? report.beacons.count
        guard (0...86_400 * 7).contains(report.exitAfter) else { throw .outOfRange("exit_after") }
        guard report.beacons.count <= Self.beaconBound, report.beacons.allSatisfy(Identifier.isBeaconLevel) else {
            throw .outOfRange("beacons")
        }
        guard report.alerts.count <= Self.alertBound, report.alerts.allSatisfy(Identifier.isValid) else {
            throw .outOfRange("alerts")
        }
        guard (report.beacons.count...1_000_000).contains(report.count) else { throw .outOfRange("count") }
        self = report
    }
}
