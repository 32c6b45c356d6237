internal import Bytes

/// One line of time without steps, and on it how long was listened: what silence is measured by.
///
/// Moments of the caller's clock become moments on the line, from which a step of the wall clock is taken out.
struct ListeningClock: Sendable {
    /// The moment on the line, in microseconds, up to which everything has been told.
    private(set) var now: Int64
    /// What the caller's clock is ahead of the line.
    private(set) var offset: Int64 = 0
    /// Microseconds of the line that weren't listened to, so far.
    private(set) var missed: Int64
    /// When listening stopped; nil while it goes on.
    private(set) var stopped: Int64?
    /// The last time that wasn't listened to: its begin on the line, and what had been listened by then.
    private(set) var lastGap: (start: Int64, listened: Int64)?

    /// A clock at a moment of the caller's, at which so much had been listened in all.
    init(at time: Timestamp, listened: Int64 = 0) {
        now = time.microseconds
        missed = time.microseconds &- listened
    }

    /// Microseconds that have been listened in all.
    var listened: Int64 { (stopped ?? now) &- missed }

    func line(_ time: Timestamp) -> Int64 { time.advanced(byMicroseconds: -offset).microseconds }
    func time(_ line: Int64) -> Timestamp { Timestamp(microseconds: line).advanced(byMicroseconds: offset) }
    /// When so much will have been listened in all, if nothing more is missed.
    func line(listened: Int64) -> Int64 {
        Timestamp(microseconds: listened).advanced(byMicroseconds: missed).microseconds
    }

    mutating func advance(to line: Int64) { now = max(now, line) }
    mutating func step(by delta: Int64) { offset &+= delta }

    mutating func stop(at line: Int64) {
        guard stopped == nil else { return }
        stopped = line
        lastGap = (line, line &- missed)
    }

    mutating func resume(at line: Int64) {
        guard let start = stopped else { return }
        missed &+= max(0, line &- start)
        stopped = nil
        now = max(now, line)
    }

    /// Time before the first moment that wasn't listened to: an outage that began at `start`.
    mutating func begin(afterOutageFrom start: Int64) { lastGap = (start, listened) }
}
