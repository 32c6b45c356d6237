/// The last gaps between a beacon's advertisements, in milliseconds.
struct GapRing: Sendable {
    /// The number of retained gaps: enough for a steady quantile, few enough that a change of mode is learned within
    /// seconds.
    static let memory = 16

    /// The oldest is overwritten first.
    private var gaps = InlineArray<16, Int32>(repeating: 0)
    /// Gaps learned since the start.
    private(set) var count = 0

    /// Returns true if reports so many microseconds apart are one advertising event, received on several channels or with
    /// a scan response. The shortest advertising interval is 20 ms (Core Vol 6 Part B 4.4.2.2.1).
    static func isSameEvent(_ gap: Int64) -> Bool { gap < 15_000 }

    mutating func append(_ milliseconds: Int32) {
        gaps[count % Self.memory] = milliseconds
        count += 1
    }

    /// The gaps, the oldest first.
    var recent: [Int32] {
        (max(0, count - Self.memory)..<count).map { gaps[$0 % Self.memory] }
    }

    /// The 30th percentile of the gaps, in milliseconds; 0 before the first.
    ///
    /// Lost advertisements double and treble a gap, so that the shorter ones give the interval as long as two of three
    /// arrive.
    var interval: Int32 {
        let kept = min(count, Self.memory)
        guard kept > 0 else { return 0 }
        // The five smallest of at most 16 suffice, inserted without a branch and without an allocation: this is
        // computed for every window.
        var least = InlineArray<5, Int32>(repeating: .max)
        for index in 0..<kept {
            var gap = gaps[index]
            for place in 0..<5 {
                let smaller = min(gap, least[place])
                gap = max(gap, least[place])
                least[place] = smaller
            }
        }
        return least[kept * 3 / 10]
    }
}
