public import Bytes

/// An entry of the fleet's registry for one item: its definition or its removal, and the time at which that was
/// written.
///
/// Entries of one item are merged by choosing the later one (``supersedes(_:)``), which is a total order: any number of
/// them, in any order and any number of times, give the same entry on every node.
public struct ItemEntry: Hashable, Sendable {
    /// The definition of the item, or its removal.
    public enum Content: Hashable, Sendable {
        /// It is registered so. In a box, which all copies share: tables of many entries stay small.
        indirect case item(Item)
        /// It was removed: a tombstone.
        case removed
    }

    /// The lifetime of a tombstone: 30 days.
    public static let tombstoneMemory: Duration = .days(30)

    /// The item's id.
    public let id: String
    /// The definition or removal.
    public let content: Content
    /// The time at which it was written, to a millisecond: an entry's version. The Unix epoch for entries from an items
    /// file, so that anything written to a topic is later.
    public let at: Timestamp

    /// An entry for an item registered at a moment, truncated to milliseconds.
    ///
    /// The path of a key's file is left out: it belongs to the machine that has it.
    public init(_ item: Item, at: Timestamp) {
        self.init(id: item.id, .item(item), at: at)
    }

    /// An entry of a content, which it shares if that is in the published form.
    init(id: String, _ content: Content, at: Timestamp) {
        self.id = id
        self.content = content.published
        self.at = at.floor(toMultipleOf: 1000)
    }

    /// A tombstone for an item removed at a moment, truncated to milliseconds.
    public init(removed id: String, at: Timestamp) {
        self.init(id: id, .removed, at: at)
    }

    /// The item; nil in a tombstone.
    public var item: Item? {
        if case .item(let item) = content { item } else { nil }
    }

    /// A Boolean value that is true for a removal.
    public var isTombstone: Bool {
        if case .removed = content { true } else { false }
    }

    /// Returns true for a tombstone whose lifetime has ended at a moment.
    public func isExpired(at now: Timestamp) -> Bool {
        isTombstone && now.duration(since: at) > Self.tombstoneMemory
    }

    /// Returns true if this entry replaces another one of the same item.
    ///
    /// The later one does. At the same moment a tombstone precedes an item. Of two items the one with the greater bytes
    /// of canonical text does, an arbitrary choice that is the same on all nodes.
    public func supersedes(_ other: ItemEntry) -> Bool {
        if at != other.at { return at > other.at }
        switch (content, other.content) {
        case (.removed, let content): return content != .removed
        case (.item, .removed): return false
        case (.item(let mine), .item(let theirs)):
            return theirs.canonicalText.utf8.lexicographicallyPrecedes(mine.canonicalText.utf8)
        }
    }

    /// The time for an entry written now that must replace this one, even if a fast clock dated this one.
    public func successor(at now: Timestamp) -> Timestamp {
        max(now.floor(toMultipleOf: 1000), at.advanced(byMicroseconds: 1000))
    }
}

extension ItemEntry.Content {
    /// The content in its published form, itself if it is in that form.
    fileprivate var published: ItemEntry.Content {
        guard case .item(let item) = self else { return self }
        let published = item.published
        return published == item ? self : .item(published)
    }
}

extension Item {
    /// The item in its published form: identities and tags sorted, no path of a file.
    public var published: Item {
        var item = self
        if identities.count > 1 { item.identities = Array(Set(identities)).sorted { $0.text < $1.text } }
        if tags.count > 1 { item.tags = Array(Set(tags)).sorted() }
        (item.keyFile, item.clock) = (nil, nil)
        return item
    }

    /// The published fields as one text, equal for equal items alone.
    var canonicalText: String {
        // Names hold no control characters, so that this separator is unambiguous.
        let item = published
        var parts = [item.id, item.name.map { "=" + $0 } ?? ""]
        parts.append(item.identities.map(\.text).joined(separator: ","))
        parts.append(item.tags.joined(separator: ","))
        parts.append(item.expectedInterval.map { "\($0.microseconds)" } ?? "")
        parts.append(item.power.map(String.init) ?? "")
        parts.append(item.key?.rawValue ?? "")
        return parts.joined(separator: "\u{1F}")
    }
}
