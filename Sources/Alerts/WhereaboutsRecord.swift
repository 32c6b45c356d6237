public import Bytes

/// The last state of an item that alerts need: a row of a store, its key the item's id.
public struct WhereaboutsRecord: Hashable, Sendable {
    /// The item.
    public var item: String
    /// A Boolean value that is true if it is inside.
    public var isInside: Bool
    /// Its last exit; nil if there was none.
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
