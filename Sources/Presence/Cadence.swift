internal import Bytes

/// How often a beacon speaks, learned from the gaps between its reports.
struct Cadence: Sendable {
    /// Gaps kept: enough for a steady quantile, few enough that a change of mode is learned within seconds.
    static let memory = 16
    /// Gaps needed before anything is said.
    static let least = 8
    /// Reports closer than this, in microseconds, are one advertising event: heard on several channels, or answered by a
    /// scan response. The shortest advertising interval is 20 ms (Core Vol 6 Part B 4.4.2.2.1).
    static let sameEvent: Int64 = 15_000

    /// Gaps in milliseconds, the oldest overwritten first.
    private var gaps = InlineArray<16, Int32>(repeating: 0)
    private var heard = 0
    private var last: Timestamp?

    /// Takes a report into account.
    mutating func record(at time: Timestamp) {
        if let last {
            let gap = time.microseconds(since: last)
            if gap >= 0, gap < Self.sameEvent { return }
            if gap > 0 {
                gaps[heard % Self.memory] = Int32(clamping: gap / 1000)
                heard += 1
            }
        }
        last = time
    }

    /// Seconds between two advertisements; nil until enough gaps are known.
    ///
    /// The 30th percentile of the gaps: lost advertisements double and treble a gap, so that the shorter ones tell the
    /// interval as long as two of three arrive.
    var interval: Double? {
        guard heard >= Self.least else { return nil }
        // The five smallest of at most 16 tell it, sunk into place without a branch and without an allocation: this is
        // asked for every window.
        let count = min(heard, Self.memory)
        var least = InlineArray<5, Int32>(repeating: .max)
        for index in 0..<count {
            var gap = gaps[index]
            for place in 0..<5 {
                let smaller = min(gap, least[place])
                gap = max(gap, least[place])
                least[place] = smaller
            }
        }
        return Double(least[count * 3 / 10]) / 1000
    }
}
