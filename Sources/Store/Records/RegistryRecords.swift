public import Bytes

/// An entry of the registry, or the tombstone of one.
public struct ItemRecord: Hashable, Sendable {
    /// The item's id.
    public var id: String
    /// The entry, in the caller's form; empty for a tombstone.
    public var config: [UInt8]
    /// The file or topic of its origin.
    public var source: String
    /// The time of its reading.
    public var at: Timestamp
    /// The time of the item's removal; nil for one that isn't removed.
    public var removedAt: Timestamp?

    /// An entry by all its values.
    public init(id: String, config: [UInt8], source: String, at: Timestamp, removedAt: Timestamp? = nil) {
        self.id = id
        self.config = config
        self.source = source
        self.at = at
        self.removedAt = removedAt
    }
}

/// A retained topic that was published and must be cleared when it no longer applies.
public struct TopicRecord: Hashable, Sendable {
    /// The topic.
    public var topic: String
    /// The time of the first publication.
    public var at: Timestamp

    /// A topic by all its values.
    public init(topic: String, at: Timestamp) {
        self.topic = topic
        self.at = at
    }
}

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
