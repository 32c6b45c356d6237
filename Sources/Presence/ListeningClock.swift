internal import Bytes

/// A moment in listening time: the total time for which a node had listened by then.
///
/// It stands still while the node doesn't listen. Silence is the difference of two such moments.
public struct ListeningTime: Comparable, Hashable, Sendable {
    /// The total in microseconds.
    public var microseconds: Int64

    /// The moment at so many microseconds of listening in total.
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// The moment before any listening.
    public static let zero = ListeningTime(microseconds: 0)
    /// A moment that is never reached.
    static let distantFuture = ListeningTime(microseconds: .max)

    /// This moment after further listening; it stops at the ends of what can be represented.
    func advanced(by duration: Duration) -> ListeningTime {
        ListeningTime(microseconds: Timestamp(microseconds: microseconds).advanced(by: duration).microseconds)
    }

    /// Microseconds of listening from `earlier` to this moment: for each packet, without a division.
    func microseconds(since earlier: ListeningTime) -> Int64 { microseconds &- earlier.microseconds }

    /// The listening time from `earlier` to this moment.
    func duration(since earlier: ListeningTime) -> Duration {
        .microseconds(microseconds) - .microseconds(earlier.microseconds)
    }

    /// Returns true if `left` is the earlier moment.
    public static func < (left: ListeningTime, right: ListeningTime) -> Bool { left.microseconds < right.microseconds }
}

/// A continuous time line with the listening time on it, by which silence is measured.
///
/// Times of the caller's clock are converted to the line, from which steps of the wall clock are removed.
struct ListeningClock: Sendable {
    /// The time on the line up to which the clock was advanced.
    private(set) var now: Timestamp
    /// The caller's time at the line's zero: it differs from zero after steps of the caller's clock.
    private var zero = Timestamp(microseconds: 0)
    /// The time on the line at which listening would have begun, had it gone on without a gap since.
    private(set) var origin: Timestamp
    /// The time on the line at which listening stopped; nil while it continues.
    private(set) var stopped: Timestamp?
    /// The last gap in listening: its beginning on the line, and the listening time up to it.
    private(set) var lastGap: (start: Timestamp, listened: ListeningTime)?

    /// A clock at a time of the caller's, with a total listening time.
    init(at time: Timestamp, listened: ListeningTime = .zero) {
        now = time
        origin = Self.origin(at: time, listened)
    }

    /// The origin of a line on which `listened` is reached at `line`.
    static func origin(at line: Timestamp, _ listened: ListeningTime) -> Timestamp {
        Timestamp(microseconds: line.microseconds &- listened.microseconds)
    }

    /// The total listening time.
    var listened: ListeningTime { listenedTime(at: stopped ?? now) }

    private func listenedTime(at line: Timestamp) -> ListeningTime {
        ListeningTime(microseconds: line.microseconds &- origin.microseconds)
    }

    /// The time on the line at a time of the caller's.
    func line(_ time: Timestamp) -> Timestamp { Timestamp(microseconds: time.microseconds(since: zero)) }
    /// The caller's time at a time on the line.
    func time(_ line: Timestamp) -> Timestamp { line.advanced(byMicroseconds: zero.microseconds) }
    /// The time on the line at which the listening time is reached, without further gaps.
    func line(listened: ListeningTime) -> Timestamp { origin.advanced(byMicroseconds: listened.microseconds) }

    mutating func advance(to line: Timestamp) { now = max(now, line) }
    mutating func step(by delta: Duration) { zero = zero.advanced(by: delta) }

    mutating func stop(at line: Timestamp) {
        guard stopped == nil else { return }
        stopped = line
        lastGap = (line, listenedTime(at: line))
    }

    mutating func resume(at line: Timestamp) {
        guard let start = stopped else { return }
        origin = Timestamp(microseconds: origin.microseconds &+ max(0, line.microseconds &- start.microseconds))
        stopped = nil
        now = max(now, line)
    }

    /// Records an outage before the first moment, which began at `start`.
    mutating func begin(afterOutageFrom start: Timestamp) { lastGap = (start, listened) }
}
