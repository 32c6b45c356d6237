public import Bytes

/// A row of a house's journal of its nodes: an event, or a gap of events that will not arrive.
public struct JournalRecord: Hashable, Sendable {
    /// Its place in the journal, from 1 on; later rows have higher numbers.
    public var number: UInt64
    /// The node.
    public var node: String
    /// The node's epoch.
    public var epoch: String
    /// The event's number, or the first one of a gap.
    public var seq: UInt64
    /// The last one of a gap; nil if unknown. For an event, its own number.
    public var last: UInt64?
    /// The time of the event, or of the detection of the gap.
    public var at: Timestamp
    /// The kind of event, such as `enter`, or `lost` for a gap.
    public var kind: String
    /// The region that it concerns.
    public var region: String?
    /// The item or beacon that it concerns.
    public var subject: String?
    /// The rest, in the caller's form.
    public var payload: [UInt8]

    /// A row by all its values.
    public init(
        number: UInt64, node: String, epoch: String, seq: UInt64, last: UInt64?, at: Timestamp, kind: String,
        region: String? = nil, subject: String? = nil, payload: [UInt8] = []
    ) {
        self.number = number
        self.node = node
        self.epoch = epoch
        self.seq = seq
        self.last = last
        self.at = at
        self.kind = kind
        self.region = region
        self.subject = subject
        self.payload = payload
    }
}

/// A query for rows of the journal.
public struct JournalQuery: Hashable, Sendable {
    /// The node.
    public var node: String
    /// The only region for events; nil for all. Gaps are always included.
    public var region: String?
    /// The earliest time of a row.
    public var from: Timestamp?
    /// The time before which the rows are.
    public var to: Timestamp?
    /// The number after which the rows begin.
    public var after: UInt64
    /// The most rows, 1...10,000.
    public var limit: Int

    /// A query for a node's rows, all of them by default.
    public init(
        node: String, region: String? = nil, from: Timestamp? = nil, to: Timestamp? = nil, after: UInt64 = 0,
        limit: Int = 10_000
    ) {
        self.node = node
        self.region = region
        self.from = from
        self.to = to
        self.after = after
        self.limit = min(max(limit, 1), 10_000)
    }
}
