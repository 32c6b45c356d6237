internal import Bytes

/// The first interval after a start. Part of it may have been published before this fuser subscribed. The missing part
/// would look like silence, and would move an item to a room in which it is received faintly.
struct FirstInterval: Sendable {
    /// Intervals that are examined; the first is among them.
    private static let capacity = 4

    /// The windows received from a node in an interval, and the number that its `scan` reports.
    private struct Word: Sendable {
        var windows = 0
        var told: Int?
    }

    private var words: [Timestamp: [Int: Word]] = [:]
    private var isOver = false

    /// Counts a window of a node in the interval with this end.
    mutating func note(windowOf node: Int, _ end: Timestamp) {
        guard takes(end) else { return }
        words[end, default: [:]][node, default: Word()].windows += 1
    }

    /// Records a node's `scan`, with the number of windows that it reports for the interval.
    mutating func note(scanOf node: Int, windows: Int, _ end: Timestamp) {
        guard takes(end) else { return }
        words[end, default: [:]][node, default: Word()].told = windows
    }

    /// True if an interval is the first and not all of it was received.
    ///
    /// - Parameter nodes: the nodes that are online, by index: all of them should have published. Evaluated for the
    ///   first interval alone.
    mutating func skips(_ end: Timestamp, online nodes: @autoclosure () -> [Int]) -> Bool {
        guard !isOver else { return false }
        let heard = words[end] ?? [:]
        (isOver, words) = (true, [:])
        return !nodes().allSatisfy { heard[$0]?.told != nil }
            || heard.values.contains { word in word.told.map { word.windows < $0 } ?? false }
    }

    private func takes(_ end: Timestamp) -> Bool { !isOver && (words[end] != nil || words.count < Self.capacity) }
}
