internal import RoomEstimation

/// The windows of one interval: those of each item in the order of arrival.
///
/// A row a window, linked by item, in memory that is reused from one interval to the next: a full house has thousands
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

    private struct Row: Sendable {
        var hearing: Observation
        var item: Int32
        /// The next row of the same item; `none` for its last.
        var next: Int32
    }

    private static let none: Int32 = -1
    private var rows: [Row] = []
    /// The first and the last row of each item, by its index.
    private var chains: [(first: Int32, last: Int32)] = []

    /// Number of windows in the table.
    var count: Int { rows.count }

    /// Adds a node's window of an item; false if the table already holds one of that node and item.
    mutating func add(_ hearing: Observation, of item: Int) -> Bool {
        while chains.count <= item { chains.append((Self.none, Self.none)) }
        var row = chains[item].first
        while row != Self.none {
            if rows[Int(row)].hearing.node == hearing.node { return false }
            row = rows[Int(row)].next
        }
        let place = Int32(rows.count)
        rows.append(Row(hearing: hearing, item: Int32(item), next: Self.none))
        if chains[item].last == Self.none {
            chains[item].first = place
        } else {
            rows[Int(chains[item].last)].next = place
        }
        chains[item].last = place
        return true
    }

    /// Copies the windows of an item into an array, replacing its contents.
    func copy(of item: Int, into hearings: inout [Observation]) {
        hearings.removeAll(keepingCapacity: true)
        guard item < chains.count else { return }
        var row = chains[item].first
        while row != Self.none {
            hearings.append(rows[Int(row)].hearing)
            row = rows[Int(row)].next
        }
    }

    /// Removes the windows of an item; their rows are skipped.
    mutating func forget(_ item: Int) {
        if item < chains.count { chains[item] = (Self.none, Self.none) }
    }

    /// Removes all rows and retains the memory.
    mutating func removeAll() {
        for row in rows { chains[Int(row.item)] = (Self.none, Self.none) }
        rows.removeAll(keepingCapacity: true)
    }
}
