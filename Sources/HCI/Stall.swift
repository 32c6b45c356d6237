internal import Bytes

/// Finds what was missed by a process that wasn't run for a while: the kernel keeps what came first, until its buffer is
/// full, and where the whole machine stood still there was nothing to keep.
struct Stall: Hashable, Sendable {
    /// A process that wasn't run for so many microseconds may have missed something; a silence as long within that time is
    /// taken for it.
    static let least: Int64 = 1_500_000

    /// Until when everything was heard; nil while nothing can have been missed.
    private var heard: Timestamp?

    /// It is run again. Everything was heard until a moment, and what waits is read from now on.
    mutating func begin(_ heard: Timestamp) { self.heard = max(heard, self.heard ?? heard) }

    /// An event, or the end of what waited: gives the time before it in which nothing was heard, if that is long.
    mutating func hole(until moment: Timestamp) -> (from: Timestamp, to: Timestamp)? {
        guard let since = heard else { return nil }
        heard = max(since, moment)
        return moment.microseconds(since: since) > Self.least ? (since, moment) : nil
    }

    /// What waited was read.
    mutating func end() { heard = nil }
}
