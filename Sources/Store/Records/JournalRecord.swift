public import Bytes

/// A row of the journal that a house keeps of its nodes: an event, or events that will not come.
public struct JournalRecord: Hashable, Sendable {
    /// Its place in the journal, from 1 on; higher numbers came later.
    public var number: UInt64
    /// The node.
    public var node: String
    /// The node's epoch.
    public var epoch: String
    /// The event's number, or the first that will not come.
    public var seq: UInt64
    /// The last that will not come; nil for nobody knows. An event's own number.
    public var last: UInt64?
    /// When it happened, or was found missing.
    public var at: Timestamp
    /// What happened, such as `enter`, or `lost` for events that will not come.
    public var kind: String
    /// The region that it is about.
    public var region: String?
    /// The item or beacon that it is about.
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

/// Which rows of the journal are wanted.
public struct JournalQuery: Hashable, Sendable {
    /// The node.
    public var node: String
    /// Events of one region alone, and what is missing.
    public var region: String?
    /// Rows of then or later.
    public var from: Timestamp?
    /// Rows of before then.
    public var to: Timestamp?
    /// Rows with higher numbers than this.
    public var after: UInt64
    /// Rows at most, 1...10,000.
    public var limit: Int

    /// A question for a node's rows, all of them unless said otherwise.
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
