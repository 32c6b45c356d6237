internal import Bytes

/// By how much nodes' clocks are wrong, so that what they tell can be taken for told when it comes.
///
/// What waited while a network stood still is late for a moment, and no fault of a clock: a node must be off for a while.
struct NodeOffsets: Sendable {
    /// Microseconds by which an interval may come before or after its end.
    static let tolerance: Int64 = 2_000_000
    /// Microseconds for which a node must be off.
    static let patience: Int64 = 3_000_000
    /// Microseconds after its end at which an interval comes over a good network.
    private static let usual: Int64 = 150_000
    /// Microseconds by which a clock can be wrong: three thousand years.
    private static let bound: Int64 = 100_000_000_000_000_000
    /// Nodes whose offsets are known; what others tell stands as it is.
    private static let capacity = 1024

    private struct Offset {
        /// Microseconds to be added to the node's times.
        var shift: Int64 = 0
        /// Since when, by the wall, it is off in spite of that.
        var offSince: Timestamp?
    }

    private var offsets: [String: Offset] = [:]

    /// Microseconds to be added to a node's times, at most 10¹⁷ either way; 0 where its clock is right.
    func shift(of node: String) -> Int64 { offsets[node]?.shift ?? 0 }

    /// Judges an interval of a node that ended, by its own clock, at `end` and came at `time`. Microseconds by which the
    /// node is behind (ahead where negative) where that has been found just now.
    ///
    /// - Parameter length: the interval's length in microseconds; intervals stay aligned.
    mutating func judge(
        _ node: String, end: Timestamp, length: Int64, cameAt time: Timestamp, wall: Timestamp
    ) -> Int64? {
        let shift = shift(of: node)
        let lag = min(max(time.microseconds(since: end), -Self.bound), Self.bound) - shift
        guard lag.magnitude > UInt64(Self.tolerance) else {
            if shift == 0 { offsets[node] = nil } else { offsets[node]?.offSince = nil }
            return nil
        }
        guard offsets[node] != nil || offsets.count < Self.capacity else { return nil }
        let since = offsets[node]?.offSince ?? wall
        offsets[node, default: Offset()].offSince = since
        guard wall.microseconds(since: since) >= Self.patience, length > 0 else { return nil }
        let whole = shift + Self.rounded(lag - Self.usual, to: length)
        offsets[node] = whole.magnitude > UInt64(Self.tolerance) ? Offset(shift: whole) : nil
        return self.shift(of: node)
    }

    private static func rounded(_ value: Int64, to step: Int64) -> Int64 {
        let half = value >= 0 ? step / 2 : -step / 2
        return (value + half) / step * step
    }
}
