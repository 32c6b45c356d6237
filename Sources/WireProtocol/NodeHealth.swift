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

    /// Writes the payload of a `nodes/<node>/health` topic.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("v", Window.version)
        json.field("from", from)
        json.field("to", to)
        json.field("reports_per_s", reports, decimals: 1)
        json.field("gap", gap, decimals: 3)
        json.field("malformed", malformed)
        json.field("dropped", dropped)
        json.field("spooled", spooled)
        json.endObject()
    }
}
