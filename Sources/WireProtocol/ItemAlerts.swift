public import Bytes

/// The open alerts of an item; retained, and cleared if there are none.
public struct ItemAlerts: Hashable, Sendable {
    /// One alert.
    public struct Alert: Hashable, Sendable {
        /// Its id.
        public var id: String
        /// The rule of the alert, such as `left_home`.
        public var rule: String
        /// Since when that is so.
        public var since: Timestamp
        /// The number of times it was published.
        public var count: Int

        /// An alert by all its values.
        public init(id: String, rule: String, since: Timestamp, count: Int) {
            (self.id, self.rule, self.since, self.count) = (id, rule, since, count)
        }
    }

    static let payloadLimit = 65_536

    /// The fuser that publishes them.
    public var fuser: String
    /// The open alerts, in the order of the rules; at least one.
    public var alerts: [Alert]

    /// The open alerts of an item.
    public init(fuser: String, alerts: [Alert]) {
        self.fuser = fuser
        self.alerts = alerts
    }

    /// Writes the payload of an `items/<item>/alert` topic.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("v", Window.version)
        json.field("fuser", fuser)
        json.field("since", alerts.map(\.since).min())
        json.beginArray("alerts")
        for alert in alerts {
            json.beginObject()
            json.field("alert", alert.id)
            json.field("rule", alert.rule)
            json.field("since", alert.since)
            json.field("count", alert.count)
            json.endObject()
        }
        json.endArray()
        json.endObject()
    }

    /// Reads such a payload. Unknown keys are ignored.
    public init(payload: Span<UInt8>) throws(PayloadFault) {
        var fuser: String?
        var alerts: [Alert] = []
        try readPayload(payload, limit: Self.payloadLimit) { json throws(JSONFault) in
            try json.beginObject()
            while let key = try json.nextKey() {
                switch key {
                case "fuser": fuser = try json.string()
                case "alerts":
                    try json.beginArray()
                    while try json.nextElement() { alerts.append(try Self.alert(&json)) }
                default: try json.skip()
                }
            }
        }
        self.init(fuser: try require(fuser, "fuser"), alerts: alerts)
    }

    @_lifetime(json: copy json)
    private static func alert(_ json: inout JSONReader) throws(JSONFault) -> Alert {
        var alert = Alert(id: "", rule: "", since: Timestamp(microseconds: 0), count: 0)
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "alert": alert.id = try json.string()
            case "rule": alert.rule = try json.string()
            case "since": alert.since = try json.time()
            case "count": alert.count = try json.integer(Int.self)
            default: try json.skip()
            }
        }
        return alert
    }
}
