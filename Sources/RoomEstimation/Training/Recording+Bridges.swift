internal import Bytes

extension Recording {
    /// The levels that nodes would have received between the packets of a slow beacon, for each hop: nothing if a
    /// packet was received, nor between two that lie further apart than `longest` seconds.
    ///
    /// The truth is known in each second, the levels once in five or fifty. From one packet to the next an item goes
    /// some way through the rooms; the seconds between are assumed to have levels of both, by nearness in time. For a
    /// node that received one of the two alone the nearer one decides. Only lessons are bridged: in use a gap is a gap.
    func bridges(longest: Double) -> [[Hop.Reading]] {
        var bridges = [[Hop.Reading]](repeating: [], count: hops.count)
        var before: Int?
        for after in hops.indices where !hops[after].readings.isEmpty {
            if let before, after - before > 1, Double(after - before) <= longest, isUnbroken(from: before, to: after) {
                for place in before + 1..<after {
                    bridges[place] = between(before, after, at: place)
                }
            }
            before = after
        }
        return bridges
    }

    /// True if no time was left out between two hops, as it is between two stays of a guide.
    private func isUnbroken(from: Int, to: Int) -> Bool {
        hops[to].end.seconds(since: hops[from].end).rounded() == Double(to - from)
    }

    private func between(_ before: Int, _ after: Int, at place: Int) -> [Hop.Reading] {
        let passed = Double(place - before) / Double(after - before)
        let (near, far) = passed < 0.5 ? (before, after) : (after, before)
        let share = min(passed, 1 - passed)
        return hops[near].readings.map { reading in
            var reading = reading
            if let other = hops[far].readings.first(where: { $0.node == reading.node }) {
                reading.level += share * (other.level - reading.level)
            }
            return reading
        }
    }
}
