/// How far a publisher's events were taken: to be kept in one transaction with what came of them.
public struct LedgerPosition: Hashable, Sendable {
    /// The publisher, such as a node's id.
    public var publisher: String
    /// The epoch in which `seq` counts.
    public var epoch: String
    /// All events up to this number are taken, or named as lost.
    public var seq: UInt64
    /// Whether the publisher has left the epoch; one a publisher is open.
    public var isClosed: Bool

    /// A position by all its values.
    public init(publisher: String, epoch: String, seq: UInt64, isClosed: Bool = false) {
        self.publisher = publisher
        self.epoch = epoch
        self.seq = seq
        self.isClosed = isClosed
    }
}

/// A `replay` that a publisher is to be asked for.
public struct LedgerRequest: Hashable, Sendable {
    /// Whom to ask.
    public var publisher: String
    /// What its answer is known by; each request of a ledger has another.
    public var id: UInt64
    /// The epoch.
    public var epoch: String
    /// The first number that is missing.
    public var fromSeq: UInt64

    /// A request by all its values.
    public init(publisher: String, id: UInt64, epoch: String, fromSeq: UInt64) {
        self.publisher = publisher
        self.id = id
        self.epoch = epoch
        self.fromSeq = fromSeq
    }
}
