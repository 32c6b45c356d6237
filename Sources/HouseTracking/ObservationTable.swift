internal import RoomEstimation

/// The windows of one interval: those of each item in the order of arrival.
///
/// One entry for each window, linked by item, in memory that is reused from one interval to the next: a full house has thousands
/// of windows a second.
struct ObservationTable: Sendable {
    /// One node's window of one item.
    struct Observation: Sendable {
        var node: Int
        var level: Double?
        var count: Int
        var expected: Double?
        var distance: Double?
        var epoch: String
        var seq: UInt64
        var length: Int64
    }

    private struct Entry: Sendable {
        var observation: Observation
        var item: Int32
        /// The next entry of the same item; `none` for its last.
        var next: Int32
    }

    private static let none: Int32 = -1
    private var entries: [Entry] = []
    /// The first and the last entry of each item, by its index.
    private var chains: [(first: Int32, last: Int32)] = []

    /// Number of windows in the table.
    var count: Int { entries.count }

    /// Adds a node's window of an item; false if the table already holds one of that node and item.
    mutating func add(_ observation: Observation, of item: Int) -> Bool {
        while chains.count <= item { chains.append((Self.none, Self.none)) }
        var place = chains[item].first
        while place != Self.none {
            if entries[Int(place)].observation.node == observation.node { return false }
            place = entries[Int(place)].next
        }
        let new = Int32(entries.count)
        entries.append(Entry(observation: observation, item: Int32(item), next: Self.none))
        if chains[item].last == Self.none {
            chains[item].first = new
        } else {
            entries[Int(chains[item].last)].next = new
        }
        chains[item].last = new
        return true
    }

    /// Copies the windows of an item into an array, replacing its contents.
    func copy(of item: Int, into observations: inout [Observation]) {
        observations.removeAll(keepingCapacity: true)
        guard item < chains.count else { return }
        var place = chains[item].first
        while place != Self.none {
            observations.append(entries[Int(place)].observation)
            place = entries[Int(place)].next
        }
    }

    /// Removes the windows of an item; their entries are skipped.
    mutating func removeObservations(of item: Int) {
        if item < chains.count { chains[item] = (Self.none, Self.none) }
    }

    /// Removes all entries and retains the memory.
    mutating func removeAll() {
        for entry in entries { chains[Int(entry.item)] = (Self.none, Self.none) }
        entries.removeAll(keepingCapacity: true)
    }
}
