public import Bytes

/// The performance of a node's radio over about a minute; retained. A summary of the `scan` of each second, for
/// recorders.
public struct NodeHealth: Hashable, Sendable {
    /// The stretch of time.
    public var from, to: Timestamp
    /// Advertising reports a second.
    public var reports: Double
    /// The share of the time in which the node did not scan, 0 to 1.
    public var gap: Double
    /// Malformed reports and events.
    public var malformed: Int
    /// Windows and reports lost to full queues.
    public var dropped: UInt64
    /// Messages that were queued for the broker at its end.
    public var spooled: Int

    /// A stretch of time by all its values.
    public init(
        from: Timestamp, to: Timestamp, reports: Double, gap: Double, malformed: Int, dropped: UInt64, spooled: Int
    ) {
        (self.from, self.to, self.reports, self.gap) = (from, to, reports, gap)
        (self.malformed, self.dropped, self.spooled) = (malformed, dropped, spooled)
    }
}

extension NodeHealth {
    static let payloadLimit = 4096

    /// Writes the payload of a `nodes/<node>/health` topic.
    public func write(to json: inout JSONWriter) { writeObject(to: &json) }

    /// Reads such a payload. Unknown keys are ignored.
    public init(payload: Span<UInt8>) throws(PayloadFault) {
        try self.init(payload: payload, limit: Self.payloadLimit)
    }
}

extension NodeHealth: WireObject {
    static var blank: Self {
        let time = Timestamp(microseconds: 0)
        return Self(from: time, to: time, reports: 0, gap: 0, malformed: 0, dropped: 0, spooled: 0)
    }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        fields.version()
        try fields.required("from", &from)
        try fields.required("to", &to)
        try fields.number("reports_per_s", &reports, decimals: 1)
        try fields.number("gap", &gap, decimals: 3, in: .share)
        try fields.field("malformed", &malformed)
        try fields.field("dropped", &dropped)
        try fields.field("spooled", &spooled)
    }
}
