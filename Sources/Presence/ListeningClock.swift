internal import Bytes

/// A continuous time line with the listening time on it, by which silence is measured.
///
/// Times of the caller's clock are converted to the line, from which steps of the wall clock are removed.
struct ListeningClock: Sendable {
    /// The time on the line, in microseconds, up to which the clock was advanced.
    private(set) var now: Int64
    /// The time by which the caller's clock is ahead of the line.
    private(set) var offset: Int64 = 0
    /// Microseconds of the line that weren't listened to, so far.
    private(set) var missed: Int64
    /// The time at which listening stopped; nil while it continues.
    private(set) var stopped: Int64?
    /// The last gap in listening: its beginning on the line, and the listening time up to it.
    private(set) var lastGap: (start: Int64, listened: Int64)?

    /// A clock at a time of the caller's, with a total listening time.
    init(at time: Timestamp, listened: Int64 = 0) {
        now = time.microseconds
        missed = time.microseconds &- listened
    }

    /// Listening time in total, in microseconds.
    var listened: Int64 { (stopped ?? now) &- missed }

    func line(_ time: Timestamp) -> Int64 { time.advanced(byMicroseconds: -offset).microseconds }
    func time(_ line: Int64) -> Timestamp { Timestamp(microseconds: line).advanced(byMicroseconds: offset) }
    /// The time on the line at which the listening time is reached, without further gaps.
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

    /// Records an outage before the first moment, which began at `start`.
    mutating func begin(afterOutageFrom start: Int64) { lastGap = (start, listened) }
}
