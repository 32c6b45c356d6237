/// How far the events of someone else's ledger were taken, kept in one transaction with their effect.
public struct PositionRecord: Hashable, Sendable {
    /// Whose ledger, such as a node's id.
    public var source: String
    /// The epoch in which `seq` counts.
    public var epoch: String
    /// The last event that was taken.
    public var seq: UInt64

    /// A position by all its values.
    public init(source: String, epoch: String, seq: UInt64) {
        self.source = source
        self.epoch = epoch
        self.seq = seq
    }
}
