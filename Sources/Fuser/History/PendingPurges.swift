internal import Bytes
internal import LongHistory

/// The deletions that PostgreSQL has yet to make, numbered in the order of their requests.
struct PendingPurges {
    /// A deletion with its number.
    typealias Entry = (number: UInt64, purge: HistoryPurge)

    /// The numbers of deletions, by item.
    private var numbers: [String: [HistoryPurge: UInt64]] = [:]
    /// The highest number.
    private var end: UInt64 = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// All deletions, in the order of their numbers.
    var inOrder: [Entry] {
        let entries: [Entry] = numbers.values.flatMap { purges in
            purges.map { (number: $0.value, purge: $0.key) }
        }
        return entries.sorted { $0.number < $1.number }
    }

    /// Adds a deletion; returns its number, nil if it waits already.
    mutating func add(_ purge: HistoryPurge) -> UInt64? {
        guard numbers[purge.item]?[purge] == nil else { return nil }
        restore(purge, as: end + 1)
        return end
    }

    /// Adds a deletion that has a number.
    mutating func restore(_ purge: HistoryPurge, as number: UInt64) {
        if numbers[purge.item, default: [:]].updateValue(number, forKey: purge) == nil { count += 1 }
        end = max(end, number)
    }

    /// Removes a deletion; returns its number, nil if it does not wait.
    mutating func remove(_ purge: HistoryPurge) -> UInt64? {
        guard let number = numbers[purge.item]?.removeValue(forKey: purge) else { return nil }
        if numbers[purge.item]?.isEmpty == true { numbers[purge.item] = nil }
        count -= 1
        return number
    }

    /// Removes the deletions of an item that one of all its rows includes; returns their numbers.
    mutating func removeIncluded(in whole: HistoryPurge) -> [UInt64] {
        var removed: [UInt64] = []
        for purge in Array((numbers[whole.item] ?? [:]).keys) where purge.before <= whole.before {
            if let number = remove(purge) { removed.append(number) }
        }
        return removed
    }
}
