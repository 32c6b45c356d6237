/// Deadlines in their order: a binary heap.
///
/// A deadline isn't moved if it changes: the owner remembers the valid one, and ignores the others.
struct Deadlines: Sendable {
    struct Entry: Sendable {
        /// The listening time at which it is due.
        var listened: ListeningTime
        /// A beacon's slot, or −1 − a region's index.
        var owner: Int32
    }

    private(set) var entries: [Entry] = []

    var first: Entry? { entries.first }

    mutating func push(_ entry: Entry) {
        entries.append(entry)
        var child = entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard Self.isEarlier(entries[child], entries[parent]) else { return }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    /// Removes all entries of the earliest deadline, in the order of their owners.
    mutating func popFirst() -> [Entry] {
        var first: [Entry] = []
        while let entry = entries.first, entry.listened == first.first?.listened ?? entry.listened {
            removeFirst()
            first.append(entry)
        }
        return first
    }

    /// Removes the first entry.
    private mutating func removeFirst() {
        let last = entries.removeLast()
        if entries.isEmpty { return }
        entries[0] = last
        var parent = 0
        while true {
            var least = parent
            let children = 2 * parent + 1..<min(2 * parent + 3, max(entries.count, 2 * parent + 1))
            for child in children where Self.isEarlier(entries[child], entries[least]) { least = child }
            if least == parent { return }
            entries.swapAt(parent, least)
            parent = least
        }
    }

    /// Orders equal deadlines by regions, then by slots, so that a run can be repeated exactly.
    private static func isEarlier(_ left: Entry, _ right: Entry) -> Bool {
        left.listened != right.listened ? left.listened < right.listened : left.owner < right.owner
    }
}
