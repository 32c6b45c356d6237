internal import Bytes

/// Notices that wait to be read, at most `bound`; further ones are dropped.
struct NoticeQueue: Sendable {
    /// The most notices that wait.
    static let bound = 64

    private var notices: [RadioNotice] = []
    private var lastText = ""

    /// Adds a notice.
    mutating func append(_ level: RadioNotice.Level, _ subject: String, _ text: String) {
        guard notices.count < Self.bound else { return }
        lastText = text
        notices.append(RadioNotice(level: level, subject: subject, text: text))
    }

    /// Adds a notice unless its text repeats the previous one.
    mutating func appendNew(_ level: RadioNotice.Level, _ subject: String, _ text: String) {
        if text != lastText { append(level, subject, text) }
    }

    /// Removes and returns all notices.
    mutating func takeAll() -> [RadioNotice] {
        defer { notices.removeAll() }
        return notices
    }
}

/// The faults and notices of a radio that wait to be read, and its present fault.
struct RadioJournal: Sendable {
    /// The most changes that wait to be read; beyond it the oldest are dropped.
    static let changeBound = 64

    var notices = NoticeQueue()
    /// The present fault; nil if there is none.
    private(set) var problem: RadioFault?
    private var changes: [RadioChange] = []
    /// True if the radio has listened at least once.
    private var hasListened = false

    /// Records a fault once, until it is a different one; nothing was received since `start`.
    mutating func recordFault(_ fault: RadioFault, since start: Timestamp, at now: Timestamp) {
        guard problem != fault else { return }
        problem = fault
        append(.failed(fault, since: min(start, now), at: now))
        notices.append(.warning, "radio", "\(fault); \(fault.mend)")
    }

    /// Records that the radio receives, by the step that helped. Returns true if that ends a fault, or is the first time.
    mutating func recordReception(after rung: RecoveryLadder.Rung?, at now: Timestamp) -> Bool {
        guard problem != nil || !hasListened else { return false }
        problem = nil
        hasListened = true
        append(.hears(after: rung, at: now))
        return true
    }

    /// Removes and returns all changes.
    mutating func takeChanges() -> [RadioChange] {
        defer { changes.removeAll() }
        return changes
    }

    private mutating func append(_ change: RadioChange) {
        if changes.count >= Self.changeBound { changes.removeFirst() }
        changes.append(change)
    }
}
