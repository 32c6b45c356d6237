internal import Bytes

/// The check that the program's own status returns from the broker. MQTT 3.1.1 acknowledges a message that an access
/// list denied, and some brokers of MQTT 5 do: the publisher then believes that its messages are delivered, and none
/// is.
///
/// An earlier retained status proves nothing, since it may be from an earlier run. A status that returned is published
/// again each minute: a last will that a cluster delivers late may have replaced it without the knowledge of this
/// connection.
struct StatusWatch {
    /// The time within which it must have returned.
    static let patience: Duration = .seconds(3)
    /// The most extensions of that time while other messages wait before it, on a slow line.
    static let extensions = 10
    /// The time until it is published again, in both cases.
    static let pause: Duration = .seconds(60)

    /// The action that is due.
    enum Action { case sayAgain, tell, renewConnection }

    private enum State {
        case idle
        case waiting(until: MonotonicTime, extensions: Int, isSecond: Bool)
        case unheard(next: MonotonicTime)
        case heard(next: MonotonicTime)
    }

    private var state = State.idle
    /// True once it came back on this connection.
    private var hasComeBack = false
    /// True while it is known not to come back.
    private(set) var isUnheard = false

    /// The time of the next work for `advance`; nil if there is none.
    var nextDeadline: MonotonicTime? {
        switch state {
        case .idle: nil
        case .waiting(let due, _, _), .unheard(let due), .heard(let due): due
        }
    }

    /// Records a connection, with the status published.
    mutating func connected(at now: MonotonicTime) {
        hasComeBack = false
        state = .waiting(until: now + Self.patience, extensions: Self.extensions, isSecond: false)
    }

    /// Records that the connection is lost, or the status may not be read: the result is unknown.
    mutating func giveUp() { state = .idle }

    /// Records its return. Returns true if it was known not to return.
    mutating func recordReturn(at now: MonotonicTime) -> Bool {
        hasComeBack = true
        state = .heard(next: now + Self.pause)
        defer { isUnheard = false }
        return isUnheard
    }

    /// The action that is due now; `isSending` while messages wait that were queued before it or with it.
    mutating func advance(to now: MonotonicTime, isSending: Bool) -> Action? {
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
            // Where the session does not renew it now, the status is published again in a minute all the same.
            state = .heard(next: now + Self.pause)
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
