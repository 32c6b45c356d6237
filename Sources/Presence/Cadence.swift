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
        // The few smallest are picked out of a copy: sorting an array would allocate for every window.
        var rest = gaps
        let count = min(heard, Self.memory)
        let rank = count * 3 / 10
        for place in 0...rank {
            var least = place
            for index in place + 1..<count where rest[index] < rest[least] { least = index }
            rest.swapAt(place, least)
        }
        return Double(rest[rank]) / 1000
    }
}
