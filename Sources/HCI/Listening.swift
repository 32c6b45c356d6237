public import Bytes

/// That listening begins or ceases.
public enum ScanChange: Hashable, Sendable {
    /// Nothing is heard since then, which may be a while ago: a controller that went deaf says nothing.
    case stopped(Timestamp)
    /// Everything is heard since then.
    case resumed(Timestamp)
}

/// Whether it is listened, and the changes that nobody has taken yet.
struct Listening: Hashable, Sendable {
    /// Changes that wait; where there are more, two gaps become one.
    static let capacity = 64

    private(set) var isOn = false
    /// Since when nothing is heard; nil while it is listened.
    private(set) var deafSince: Timestamp?
    private(set) var changes: [ScanChange]

    /// Who has just begun doesn't listen yet.
    init(from start: Timestamp) {
        deafSince = start
        changes = [.stopped(start)]
    }

    mutating func stop(at time: Timestamp) {
        guard isOn else { return }
        isOn = false
        deafSince = time
        if changes.count >= Self.capacity, case .resumed = changes.last {
            changes.removeLast()
        } else {
            changes.append(.stopped(time))
        }
    }

    mutating func resume(at time: Timestamp) {
        guard !isOn else { return }
        isOn = true
        deafSince = nil
        changes.append(.resumed(time))
    }

    /// Nothing was heard from one moment to another, which is known afterwards.
    mutating func leaveOut(from start: Timestamp, to end: Timestamp) {
        guard isOn else { return }
        stop(at: start)
        resume(at: end)
    }

    mutating func take() -> ScanChange? { changes.isEmpty ? nil : changes.removeFirst() }
}
