public import Bytes

/// Where an item was last, as alerts need it: a row of a store, its key the item's id.
public struct WhereaboutsRecord: Hashable, Sendable {
    /// The item.
    public var item: String
    /// Whether it is inside.
    public var isInside: Bool
    /// Its last exit; nil where none was seen.
    public var exited: Timestamp?
    /// The last packet before that exit.
    public var lastPacket: Timestamp?

    /// A row of all its values.
    public init(item: String, isInside: Bool, exited: Timestamp? = nil, lastPacket: Timestamp? = nil) {
        self.item = item
        self.isInside = isInside
        self.exited = exited
        self.lastPacket = lastPacket
    }
}
