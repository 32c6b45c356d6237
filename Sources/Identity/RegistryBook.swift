public import Bytes

/// A program's state of the registry: the entries of its items file, those of the topics, and the merged result. It
/// does no I/O: it receives the entries that were read and returns the ones to use, to log and to publish again.
///
/// - If file and topic both name an item, the topic prevails, tombstones too; each such difference is returned once.
/// - A config that is absent from the broker changes nothing: only a tombstone removes an item.
/// - Tombstones are retained for 30 days, and longer while the items file still names the item.
/// - If two items have one identity, it belongs to the one that was written first and the other is rejected.
///
///     var book = RegistryBook(entries: stored)
///     book.apply(file: configuration.items)
///     for change in changes { book.apply(change, retained: message.retained, at: now) }
///     resolver.use(book.registry(regions: regions))
public struct RegistryBook: Sendable {
    /// The result of merging an entry.
    public enum Outcome: Hashable, Sendable {
        /// It is new; the earlier entry, if any, is replaced.
        case taken
        /// It equals the present entry.
        case known
        /// The present entry is later: the broker's entry is to be replaced.
        case superseded
        /// The book is full.
        case full
    }

    /// The maximum number of entries, tombstones included; further ones are rejected, and counted.
    public static let entryBound = 100_000

    /// The latest entry of each topic, by id.
    public private(set) var entries: [String: ItemEntry] = [:]
    /// Entries rejected for lack of room since the start.
    public private(set) var overflow = 0
    /// The items of the items file, by id.
    var file: [String: Item] = [:]
    /// Differences that were returned already: the file's item and the entry that overrules it.
    private var told: [String: ItemEntry] = [:]

    /// A book of the retained entries of an earlier run, as a state database holds them.
    public init(entries: some Sequence<ItemEntry> = []) {
        for entry in entries { merge(entry) }
    }

    /// Replaces the items of the items file.
    public mutating func apply(file items: [Item]) {
        file = Dictionary(items.map { ($0.id, $0) }) { first, _ in first }
        told = told.filter { file[$0.key] != nil }
    }

    /// Merges a change from a topic.
    ///
    /// A live config without a date is dated by its receipt, since it was just written. A retained one may be of any
    /// age, and is treated as the oldest. A program that repairs the broker adds the date.
    ///
    /// - Parameter retained: True if the broker retained it before the subscription.
    @discardableResult
    public mutating func apply(_ change: ItemChange, retained: Bool, at now: Timestamp) -> Outcome {
        let known = entries[change.id]
        if change.at == nil, let known, known.content == change.content { return .known }
        let date = change.at ?? (retained ? .oldest : known?.successor(at: now) ?? now)
        return merge(change.entry(at: date))
    }

    /// Merges an entry; the order of entries does not matter.
    @discardableResult
    public mutating func merge(_ entry: ItemEntry) -> Outcome {
        guard let known = entries[entry.id] else {
            guard entries.count < Self.entryBound else {
                overflow += 1
                return .full
            }
            entries[entry.id] = entry
            return .taken
        }
        if known == entry { return .known }
        guard entry.supersedes(known) else { return .superseded }
        entries[entry.id] = entry
        return known.content == entry.content ? .known : .taken
    }

    /// Removes expired tombstones and returns their ids. Those of items that the file names are retained.
    @discardableResult
    public mutating func prune(at now: Timestamp) -> [String] {
        let expired = entries.values.filter { $0.isExpired(at: now) && file[$0.id] == nil }.map(\.id).sorted()
        for id in expired { entries[id] = nil }
        return expired
    }

    // MARK: The merged registry

    /// The entry in force for an item: the topic's, else the file's, which is older than any other.
    public func entry(_ id: String) -> ItemEntry? {
        entries[id] ?? file[id].map { ItemEntry($0, at: .oldest) }
    }

    /// Returns true if the entry in force for an item registers it. Quicker than `entry`, which copies it.
    public func isRegistered(_ id: String) -> Bool {
        guard let place = entries.index(forKey: id) else { return file[id] != nil }
        return !entries.values[place].isTombstone
    }

    /// The item in the items file.
    public func itemInFile(_ id: String) -> Item? { file[id] }

    /// The items in use and the rejected ones, both in the order of their ids.
    public func checkEntries() -> (items: [Item], refusals: [Refusal]) {
        var candidates: [(item: Item, isFile: Bool, at: Timestamp)] = entries.values.compactMap { entry in
            guard var item = entry.item else { return nil }
            // The path of a key's file is this machine's own, and so is a clock, which belongs to the key.
            if let seed = file[entry.id], seed.key == item.key || item.key == nil {
                (item.key, item.keyFile, item.clock) = (seed.key, seed.keyFile, seed.clock)
            }
            return (item, false, entry.at)
        }
        candidates += file.values.filter { entries[$0.id] == nil }.map { ($0, true, .oldest) }
        candidates.sort { left, right in
            if left.isFile != right.isFile { return right.isFile }
            return left.at != right.at ? left.at < right.at : left.item.id < right.item.id
        }
        var owners: [BeaconID: (id: String, isFile: Bool)] = [:]
        var items: [Item] = []
        var refusals: [Refusal] = []
        for candidate in candidates {
            let item = candidate.item
            if let shared = item.identities.first(where: { owners[$0] != nil }), let owner = owners[shared] {
                refusals.append(
                    Refusal(
                        id: item.id, owner: owner.id, identity: shared, isFile: candidate.isFile,
                        isOwnerFile: owner.isFile))
                continue
            }
            for identity in item.identities { owners[identity] = (item.id, candidate.isFile) }
            items.append(item)
        }
        return (items.sorted { $0.id < $1.id }, refusals.sorted { $0.id < $1.id })
    }

    /// The registry in force, with the regions of this program and the keys on this machine.
    public func registry(regions: [Region] = [], keys: [String: ItemKey] = [:]) -> Registry {
        Registry(items: checkEntries().items, regions: regions, keys: keys)
    }

    /// Differences between the items file and the topics that weren't returned before, in the order of their ids.
    public mutating func takeDifferences() -> [Difference] {
        var differences: [Difference] = []
        for (id, item) in file {
            guard let entry = entries[id], entry.content != .item(item.published), told[id] != entry else { continue }
            told[id] = entry
            differences.append(Difference(id: id, topic: entry))
        }
        return differences.sorted { $0.id < $1.id }
    }

    /// The changes to publish so that the broker holds this state, given the changes that it retains by id.
    ///
    /// Missing and older entries and tombstones, and the entries of the file; expired tombstones are to be cleared.
    /// Nothing is published for an item that is rejected, or whose retained config is later than the present entry.
    public func repairs(broker retained: [String: ItemChange], at now: Timestamp) -> Repairs {
        var repairs = Repairs()
        // Without a file none of its items can be refused.
        let refused = file.isEmpty ? [] : Set(checkEntries().refusals.filter(\.isFile).map(\.id))
        for id in Set(entries.keys).union(file.keys).subtracting(refused).sorted() {
            guard let entry = entry(id) else { continue }
            let isOver = entry.isExpired(at: now) && file[id] == nil
            guard let there = retained[id] else {
                if !isOver { repairs.put.append(entry) }
                continue
            }
            let dated = there.entry(at: there.at ?? .oldest)
            if isOver, dated == entry {
                repairs.clear.append(id)
            } else if dated.content == entry.content ? there.at == nil : entry.supersedes(dated) {
                repairs.put.append(entry)
            }
        }
        for (id, change) in retained where entry(id) == nil {
            if change.entry(at: change.at ?? .oldest).isExpired(at: now) { repairs.clear.append(id) }
        }
        repairs.clear.sort()
        return repairs
    }
}

extension Timestamp {
    /// The date of an undated entry: the Unix epoch.
    static let oldest = Timestamp(microseconds: 0)
}
