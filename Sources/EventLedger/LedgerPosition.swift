/// The position up to which a publisher's events were delivered, to be stored in one transaction with their effects.
public struct LedgerPosition: Hashable, Sendable {
    /// The publisher, such as a node's id.
    public var publisher: String
    /// The epoch in which `seq` counts.
    public var epoch: String
    /// The number up to which all events were delivered or reported as lost.
    public var seq: UInt64
    /// A Boolean value that is true if the publisher has left the epoch; each publisher has one open epoch.
    public var isClosed: Bool

    /// A position by all its values.
    public init(publisher: String, epoch: String, seq: UInt64, isClosed: Bool = false) {
        self.publisher = publisher
        self.epoch = epoch
        self.seq = seq
        self.isClosed = isClosed
    }
}

/// A `replay` to request from a publisher.
public struct LedgerRequest: Hashable, Sendable {
    /// The publisher.
    public var publisher: String
    /// The id that the answer repeats; unique within a ledger.
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
