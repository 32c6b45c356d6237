public import Bytes

/// What the fleet's registry says of one item: what it is, or that it was removed; and when that was written.
///
/// Entries of one item are merged by taking the later one (``supersedes(_:)``), which is a total order: any number of
/// them, in any order and any number of times, give the same entry on every node.
public struct ItemEntry: Hashable, Sendable {
    /// What is said of the item.
    public enum Content: Hashable, Sendable {
        /// It is registered so.
        case item(Item)
        /// It was removed: a tombstone.
        case removed
    }

    /// How long a tombstone is kept, in microseconds: 30 days.
    public static let tombstoneMemory: Int64 = 30 * 86_400 * 1_000_000

    /// The item's id.
    public let id: String
    /// What is said of it.
    public let content: Content
    /// When it was written, to a millisecond: an entry's version. The Unix epoch for what an items file seeds, so that
    /// anything that was written to a topic is later.
    public let at: Timestamp

    /// An entry for an item as it was registered at a moment, of which whole milliseconds count.
    ///
    /// The path of a key's file stays behind: it belongs to the machine that has it.
    public init(_ item: Item, at: Timestamp) {
        id = item.id
        content = .item(item.published)
        self.at = at.floor(toMultipleOf: 1000)
    }

    /// A tombstone for an item removed at a moment, of which whole milliseconds count.
    public init(removed id: String, at: Timestamp) {
        self.id = id
        content = .removed
        self.at = at.floor(toMultipleOf: 1000)
    }

    /// The item; nil in a tombstone.
    public var item: Item? {
        if case .item(let item) = content { item } else { nil }
    }

    /// Whether it says that the item was removed.
    public var isTombstone: Bool { item == nil }

    /// Whether this is a tombstone that has been kept long enough at a moment.
    public func isExpired(at now: Timestamp) -> Bool {
        isTombstone && now.microseconds(since: at) > Self.tombstoneMemory
    }

    /// Whether this entry takes the place of another one of the same item.
    ///
    /// The later one does; of the same moment a tombstone before an item, and between two items the one whose canonical
    /// text is the greater in its bytes, which means nothing but that all nodes choose alike.
    public func supersedes(_ other: ItemEntry) -> Bool {
        if at != other.at { return at > other.at }
        switch (content, other.content) {
        case (.removed, let content): return content != .removed
        case (.item, .removed): return false
        case (.item(let mine), .item(let theirs)):
            return theirs.canonicalText.utf8.lexicographicallyPrecedes(mine.canonicalText.utf8)
        }
    }

    /// The moment for an entry written now that must take the place of this one, whatever clock dated this one.
    public func successor(at now: Timestamp) -> Timestamp {
        max(now.floor(toMultipleOf: 1000), at.advanced(byMicroseconds: 1000))
    }
}

extension Item {
    /// The item as it is told to others: identities and tags in order, no path of a file.
    public var published: Item {
        var item = self
        item.identities = Array(Set(identities)).sorted { $0.text < $1.text }
        item.tags = Array(Set(tags)).sorted()
        (item.keyFile, item.clock) = (nil, nil)
        return item
    }

    /// Everything that is told to others in one text, equal for equal items alone.
    var canonicalText: String {
        // Names hold no control characters, so that this separator stands in none of the parts.
        let item = published
        var parts = [item.id, item.name.map { "=" + $0 } ?? ""]
        parts.append(item.identities.map(\.text).joined(separator: ","))
        parts.append(item.tags.joined(separator: ","))
        parts.append(item.expectedInterval.map(String.init) ?? "")
        parts.append(item.power.map(String.init) ?? "")
        parts.append(item.key?.rawValue ?? "")
        return parts.joined(separator: "\u{1F}")
    }
}
