public import Bytes

/// An entry as a topic or a file tells it, where a date may be missing.
public struct ItemChange: Hashable, Sendable {
    /// The item's id.
    public var id: String
    /// What is said of it.
    public var content: ItemEntry.Content
    /// When it was written; nil where that isn't said. A tombstone always says it.
    public var at: Timestamp?

    /// A change by all its values.
    public init(id: String, content: ItemEntry.Content, at: Timestamp?) {
        self.id = id
        self.content = content
        self.at = at
    }

    /// What an entry says.
    public init(_ entry: ItemEntry) {
        self.init(id: entry.id, content: entry.content, at: entry.at)
    }

    /// The same as an entry of a moment.
    public func entry(at date: Timestamp) -> ItemEntry {
        switch content {
        case .item(let item): ItemEntry(item, at: date)
        case .removed: ItemEntry(removed: id, at: date)
        }
    }
}
