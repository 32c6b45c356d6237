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
