internal import Bytes

/// The events that the kernel dropped, summed over the sockets of a scanner.
struct LossCount: Sendable {
    /// The interval between readings of a socket's counter.
    private static let interval: Duration = .seconds(1)

    private var before: UInt64 = 0
    private var here: UInt64 = 0
    private var nextReading = Timestamp(microseconds: 0)

    /// The number of events since the start.
    var count: UInt64 { before + here }

    /// Reads the counter of the open socket, if that is due; nil if the kernel doesn't count.
    mutating func readCounter(at now: Timestamp, _ read: () -> UInt64?) {
        guard now >= nextReading else { return }
        nextReading = now.advanced(by: Self.interval)
        here = read() ?? 0
    }

    /// Adds the last count of a socket that is closed.
    mutating func addLastCount(_ last: UInt64?) {
        before += last ?? here
        here = 0
    }
}
