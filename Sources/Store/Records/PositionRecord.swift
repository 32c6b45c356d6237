/// The position up to which the events of another ledger were processed, stored in one transaction with their effect.
public struct PositionRecord: Hashable, Sendable {
    /// The owner of the ledger, such as a node's id.
    public var source: String
    /// The epoch of `seq`.
    public var epoch: String
    /// The last event that was processed.
    public var seq: UInt64

    /// A position by all its values.
    public init(source: String, epoch: String, seq: UInt64) {
        self.source = source
        self.epoch = epoch
        self.seq = seq
    }
}
