internal import Bytes

/// Finds the gap of a process that wasn't run for a while: the kernel retains the first events until its buffer is
/// full, and retains none if the whole machine was suspended.
struct Stall: Hashable, Sendable {
    /// The time after which a process that wasn't run may have missed events; a silence of this length
    /// within that time counts as missed.
    static let least: Duration = .milliseconds(1500)

    /// The time until which everything was received; nil while nothing can have been missed.
    private var heard: Timestamp?

    /// The process runs again. Everything until `heard` was received, and the waiting events are read from now on.
    mutating func begin(_ heard: Timestamp) { self.heard = max(heard, self.heard ?? heard) }

    /// Receives the time of an event, or of the end of the waiting ones; returns the gap before it if it is long.
    mutating func hole(until moment: Timestamp) -> (from: Timestamp, to: Timestamp)? {
        guard let since = heard else { return nil }
        heard = max(since, moment)
        return moment.duration(since: since) > Self.least ? (since, moment) : nil
    }

    /// The waiting events were read.
    mutating func end() { heard = nil }
}
