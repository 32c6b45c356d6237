internal import RoomEstimation

/// What nodes said of items in one interval: of each item in the order in which it came.
///
/// A row a window, linked by item, in memory that serves one interval after the other: a full house has thousands a second.
struct HearingTable: Sendable {
    /// What one node said of one item.
    struct Hearing: Sendable {
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
        var hearing: Hearing
        var item: Int32
        /// The row of the same item that came next; `none` for its last.
        var next: Int32
    }

    private static let none: Int32 = -1
    private var rows: [Row] = []
    /// The first and the last row of each item, by its index.
    private var chains: [(first: Int32, last: Int32)] = []

    /// How many windows it holds.
    var count: Int { rows.count }

    /// Adds what a node said of an item; false where that node said something of it before.
    mutating func add(_ hearing: Hearing, of item: Int) -> Bool {
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

    /// Puts what was said of an item into an array, in place of what that held.
    func copy(of item: Int, into hearings: inout [Hearing]) {
        hearings.removeAll(keepingCapacity: true)
        guard item < chains.count else { return }
        var row = chains[item].first
        while row != Self.none {
            hearings.append(rows[Int(row)].hearing)
            row = rows[Int(row)].next
        }
    }

    /// Forgets what was said of an item; its rows are passed over.
    mutating func forget(_ item: Int) {
        if item < chains.count { chains[item] = (Self.none, Self.none) }
    }

    /// Forgets all, and keeps the memory.
    mutating func removeAll() {
        for row in rows { chains[Int(row.item)] = (Self.none, Self.none) }
        rows.removeAll(keepingCapacity: true)
    }
}
