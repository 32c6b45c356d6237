/// Whether one's own status comes back from the broker. MQTT 3.1.1 acknowledges a message that an access list denied,
/// and some brokers of MQTT 5 do: then the publisher takes itself for heard, and nobody hears it.
///
/// What was retained before proves nothing, since an earlier run may have said it. A status that came back is published again
/// each minute: a last will that a cluster delivers late may have replaced it without this connection's knowledge. Times are
/// nanoseconds of a clock that is never set.
struct StatusWatch {
    /// Until it must have come back …
    static let patience: Int64 = 3_000_000_000
    /// … looked at anew so often while other messages wait before it, on a slow line.
    static let extensions = 10
    /// Until it is published again, whether it came back or not.
    static let pause: Int64 = 60_000_000_000

    /// What is to be done.
    enum Action { case sayAgain, tell, renewConnection }

    private enum State {
        case idle
        case waiting(until: Int64, extensions: Int, isSecond: Bool)
        case unheard(next: Int64)
        case heard(next: Int64)
    }

    private var state = State.idle
    /// Whether it came back on this connection.
    private var hasComeBack = false
    /// Whether it is known not to come back.
    private(set) var isUnheard = false

    /// When `advance` has something to do; nil where nothing is open.
    var nextDeadline: Int64? {
        switch state {
        case .idle: nil
        case .waiting(let due, _, _), .unheard(let due), .heard(let due): due
        }
    }

    /// A connection was made, and the status said.
    mutating func connected(at now: Int64) {
        hasComeBack = false
        state = .waiting(until: now + Self.patience, extensions: Self.extensions, isSecond: false)
    }

    /// The connection is lost, or the status may not be read: nothing can be known.
    mutating func giveUp() { state = .idle }

    /// It came back. Whether it was known not to.
    mutating func heard(at now: Int64) -> Bool {
        hasComeBack = true
        state = .heard(next: now + Self.pause)
        defer { isUnheard = false }
        return isUnheard
    }

    /// What is to be done now; `isSending` while messages wait that were given before it, or with it.
    mutating func advance(to now: Int64, isSending: Bool) -> Action? {
        guard let due = nextDeadline, now >= due else { return nil }
        switch state {
        case .idle: return nil
        case .waiting(_, let extensions, let isSecond) where isSending && extensions > 0:
            state = .waiting(until: now + Self.patience, extensions: extensions - 1, isSecond: isSecond)
            return nil
        case .waiting(_, let extensions, isSecond: false):
            state = .waiting(until: now + Self.patience, extensions: extensions, isSecond: true)
            return .sayAgain
        case .waiting where hasComeBack:
            // It did on this connection: a subscription that stalled is mended by a new one.
            state = .idle
            return .renewConnection
        case .waiting:
            state = .unheard(next: now + Self.pause)
            if isUnheard { return nil }
            isUnheard = true
            return .tell
        case .unheard:
            state = .unheard(next: now + Self.pause)
            return .sayAgain
        case .heard:
            state = .waiting(until: now + Self.patience, extensions: Self.extensions, isSecond: false)
            return .sayAgain
        }
    }
}
