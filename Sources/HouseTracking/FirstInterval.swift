internal import Bytes

/// The first interval after a start. Part of it may have been published before this fuser subscribed. The missing part
/// would look like silence, and would move an item to a room in which it is received faintly.
struct FirstInterval: Sendable {
    /// Intervals that are examined; the first is among them.
    private static let capacity = 4

    /// The windows received from a node in an interval, and the number that its `scan` reports.
    private struct Reception: Sendable {
        var windows = 0
        var expected: Int?
    }

    private var receptions: [Timestamp: [Int: Reception]] = [:]
    private var isOver = false

    /// Counts a window of a node in the interval with this end.
    mutating func countWindow(of node: Int, _ end: Timestamp) {
        guard isExamined(end) else { return }
        receptions[end, default: [:]][node, default: Reception()].windows += 1
    }

    /// Records a node's `scan`, with the number of windows that it reports for the interval.
    mutating func recordScan(of node: Int, windows: Int, _ end: Timestamp) {
        guard isExamined(end) else { return }
        receptions[end, default: [:]][node, default: Reception()].expected = windows
    }

    /// True if an interval is the first and not all of it was received.
    ///
    /// - Parameter nodes: the nodes that are online, by index: all of them should have published. Evaluated for the
    ///   first interval alone.
    mutating func isIncomplete(_ end: Timestamp, online nodes: @autoclosure () -> [Int]) -> Bool {
        guard !isOver else { return false }
        let received = receptions[end] ?? [:]
        (isOver, receptions) = (true, [:])
        return !nodes().allSatisfy { received[$0]?.expected != nil }
            || received.values.contains { node in node.expected.map { node.windows < $0 } ?? false }
    }

    private func isExamined(_ end: Timestamp) -> Bool {
        !isOver && (receptions[end] != nil || receptions.count < Self.capacity)
    }
}
