internal import Bytes

/// A beacon's advertising interval, learned from the gaps between its reports.
struct Cadence: Sendable {
    /// The minimum number of gaps for an estimate.
    static let least = 8

    private var gaps = GapRing()
    private var last: Timestamp?

    /// Records a report.
    mutating func record(at time: Timestamp) {
        if let last {
            let gap = time.microseconds(since: last)
            if gap >= 0, GapRing.isSameEvent(gap) { return }
            if gap > 0 { gaps.append(Int32(clamping: gap / 1000)) }
        }
        last = time
    }

    /// Seconds between two advertisements; nil until enough gaps are known.
    var interval: Double? { gaps.count >= Self.least ? Double(gaps.interval) / 1000 : nil }
}
