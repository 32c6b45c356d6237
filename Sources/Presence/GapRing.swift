/// The last gaps between a beacon's advertisements, in milliseconds.
struct GapRing: Sendable {
    /// Gaps kept: enough for a steady quantile, few enough that a change of mode is learned within seconds.
    static let memory = 16
    /// Reports closer than this, in microseconds, are one advertising event: heard on several channels, or answered by a
    /// scan response. The shortest advertising interval is 20 ms (Core Vol 6 Part B 4.4.2.2.1).
    static let sameEvent: Int64 = 15_000

    /// The oldest is overwritten first.
    private var gaps = InlineArray<16, Int32>(repeating: 0)
    /// Gaps learned since the start.
    private(set) var count = 0

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
    /// Lost advertisements double and treble a gap, so that the shorter ones tell the interval as long as two of three
    /// arrive.
    var interval: Int32 {
        let kept = min(count, Self.memory)
        guard kept > 0 else { return 0 }
        var sorted = gaps
        for place in 1..<max(kept, 1) {
            let gap = sorted[place]
            var hole = place
            while hole > 0, sorted[hole - 1] > gap {
                sorted[hole] = sorted[hole - 1]
                hole -= 1
            }
            sorted[hole] = gap
        }
        return sorted[kept * 3 / 10]
    }
}
