public import Bytes

/// An entry of the registry, or the tombstone of one.
public struct ItemRecord: Hashable, Sendable {
    /// The item's id.
    public var id: String
    /// The entry, in the caller's form; empty for a tombstone.
    public var config: [UInt8]
    /// The file or topic that it came from.
    public var source: String
    /// When it was taken.
    public var at: Timestamp
    /// When the item was removed; nil for one that isn't.
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
