public import Bytes

/// The beginning or end of a time of listening.
public enum ScanChange: Hashable, Sendable {
    /// Nothing was received since this moment, which may be a while ago: a deaf controller doesn't report that it is.
    case stopped(Timestamp)
    /// Everything is received from this moment on.
    case resumed(Timestamp)
}

/// The listening state, with its changes that wait to be read.
struct Listening: Hashable, Sendable {
    /// The most changes that wait; beyond it, two gaps become one.
    static let capacity = 64

    private(set) var isOn = false
    /// The time since which nothing is received; nil during listening.
    private(set) var deafSince: Timestamp?
    private(set) var changes: [ScanChange]

    /// A new instance doesn't listen yet.
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

    /// Records a gap that became known afterwards.
    mutating func leaveOut(from start: Timestamp, to end: Timestamp) {
        guard isOn else { return }
        stop(at: start)
        resume(at: end)
    }

    mutating func takeChange() -> ScanChange? { changes.isEmpty ? nil : changes.removeFirst() }
}
