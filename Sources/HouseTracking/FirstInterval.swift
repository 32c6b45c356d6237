internal import Bytes

/// The first interval after a start, of which a part may have been told before anybody listened: what is missing of it would
/// look like silence, and put an item where it is heard faintly.
struct FirstInterval: Sendable {
    /// Intervals that are looked at; the first is among them.
    private static let capacity = 4

    /// What came of a node in an interval: its windows, and how many it says it told.
    private struct Word: Sendable {
        var windows = 0
        var told: Int?
    }

    private var words: [Timestamp: [Int: Word]] = [:]
    private var isOver = false

    /// Notes that a window of a node came, of the interval with this end.
    mutating func note(windowOf node: Int, _ end: Timestamp) {
        guard takes(end) else { return }
        words[end, default: [:]][node, default: Word()].windows += 1
    }

    /// Notes that a node's `scan` came, with how many windows it told of the interval.
    mutating func note(scanOf node: Int, windows: Int, _ end: Timestamp) {
        guard takes(end) else { return }
        words[end, default: [:]][node, default: Word()].told = windows
    }

    /// Whether an interval is the first, and not all was heard of it.
    ///
    /// - Parameter nodes: the nodes that are online, by index: all of them should have told. Asked for the first one alone.
    mutating func skips(_ end: Timestamp, online nodes: @autoclosure () -> [Int]) -> Bool {
        guard !isOver else { return false }
        let heard = words[end] ?? [:]
        (isOver, words) = (true, [:])
        return !nodes().allSatisfy { heard[$0]?.told != nil }
            || heard.values.contains { word in word.told.map { word.windows < $0 } ?? false }
    }

    private func takes(_ end: Timestamp) -> Bool { !isOver && (words[end] != nil || words.count < Self.capacity) }
}
