internal import Bytes

/// The errors of nodes' clocks. From then on their intervals count by the time of arrival instead of their timestamps.
///
/// Messages that a network delayed are late for a moment, and no fault of a clock: a node must be off for a while.
struct NodeOffsets: Sendable {
    /// The time by which an interval may come before or after its end.
    static let tolerance: Duration = .seconds(2)
    /// The time for which a node must be off.
    static let patience: Duration = .seconds(3)
    /// The time after its end at which an interval comes over a good network.
    private static let usual: Duration = .milliseconds(150)
    /// The time by which a clock can be wrong: three thousand years.
    private static let bound: Duration = .seconds(100_000_000_000)
    /// Nodes whose offsets are known; the times of others are not corrected.
    private static let capacity = 1024

    private struct Offset {
        /// The time to be added to the node's times.
        var shift = Duration.zero
        /// The wall time since which it is off in spite of that.
        var offSince: Timestamp?
    }

    private var offsets: [String: Offset] = [:]

    /// The time to be added to a node's times, at most 10¹¹ s either way; zero if its clock is right.
    func shift(of node: String) -> Duration { offsets[node]?.shift ?? .zero }

    /// Checks an interval of a node that ended, by its own clock, at `end` and arrived at `time`. Returns the time by which the
    /// node is behind (ahead if negative), if that has been found just now.
    ///
    /// - Parameter length: the interval's length; intervals stay aligned.
    mutating func checkInterval(
        _ node: String, end: Timestamp, length: Duration, cameAt time: Timestamp, wall: Timestamp
    ) -> Duration? {
        let shift = shift(of: node)
        let lag = min(max(time.duration(since: end), -Self.bound), Self.bound) - shift
        guard lag.magnitude > Self.tolerance else {
            if shift == .zero { offsets[node] = nil } else { offsets[node]?.offSince = nil }
            return nil
        }
        guard offsets[node] != nil || offsets.count < Self.capacity else { return nil }
        let since = offsets[node]?.offSince ?? wall
        offsets[node, default: Offset()].offSince = since
        guard wall.duration(since: since) >= Self.patience, length > .zero else { return nil }
        let whole = shift + Self.roundedShift(lag - Self.usual, to: length)
        offsets[node] = whole.magnitude > Self.tolerance ? Offset(shift: whole) : nil
        return self.shift(of: node)
    }

    private static func roundedShift(_ value: Duration, to step: Duration) -> Duration {
        let half = value >= .zero ? step / 2 : -step / 2
        return step * ((value + half).microseconds / step.microseconds)
    }
}
