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
        /// The number of times it was published, up to `countLimit`.
        public var count: Int
        /// The evidence in words and figures, of `cloned`; nil for others.
        public var evidence: String?

        /// An alert by all its values.
        public init(id: String, rule: String, since: Timestamp, count: Int, evidence: String? = nil) {
            (self.id, self.rule, self.since, self.count) = (id, rule, since, count)
            self.evidence = evidence
        }
    }

    static let payloadLimit = 65_536
    /// The maximum number of times for which an alert counts as published; more are not counted.
    public static let countLimit = 100_000_000

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
    public func write(to json: inout JSONWriter) { writeObject(to: &json) }

    /// Reads such a payload. Unknown keys are ignored.
    public init(payload: Span<UInt8>) throws(PayloadFault) {
        try self.init(payload: payload, limit: Self.payloadLimit)
    }
}

extension ItemAlerts: WireObject {
    static var blank: Self { Self(fuser: "", alerts: []) }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        fields.version()
        try fields.required("fuser", &fuser)
        fields.written { $0.field("since", alerts.map(\.since).min()) }
        try fields.field("alerts", &alerts, where: { $0.allSatisfy { (0...Self.countLimit).contains($0.count) } })
    }
}

extension ItemAlerts.Alert: WireObject {
    static var blank: Self { Self(id: "", rule: "", since: Timestamp(microseconds: 0), count: 0) }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        try fields.field("alert", &id)
        try fields.field("rule", &rule)
        try fields.field("since", &since)
        try fields.field("count", &count)
        try fields.field("evidence", &evidence)
    }
}
