public import Bytes

/// An entry read from a topic or a file, in which a date may be missing.
public struct ItemChange: Hashable, Sendable {
    /// The item's id.
    public var id: String
    /// The content of the entry.
    public var content: ItemEntry.Content
    /// The time at which it was written; nil if it contains none. A tombstone always contains it.
    public var at: Timestamp?

    /// A change by all its values.
    public init(id: String, content: ItemEntry.Content, at: Timestamp?) {
        self.id = id
        self.content = content
        self.at = at
    }

    /// The change that an entry expresses.
    public init(_ entry: ItemEntry) {
        self.init(id: entry.id, content: entry.content, at: entry.at)
    }

    /// The same as an entry with a date.
    public func entry(at date: Timestamp) -> ItemEntry {
        ItemEntry(id: id, content, at: date)
    }
}
