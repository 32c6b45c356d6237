internal import Bytes
internal import HCI
internal import WireProtocol

/// Makes events of what keeps a node's radio from hearing: an `alert` that names it, and `cleared` when it hears again.
///
/// What passes by itself within 2 s is told nobody; what the recovery ladder mended is, however fast it was. While an alert
/// stands each problem is told once. Of a radio that comes and goes for ever ten alerts are told at once, and one more every
/// five minutes; a problem that must wait for that is told if it still stands then.
///
/// It does no I/O and takes time as a parameter, which is the node's.
struct RadioEvents: Sendable {
    /// The id of its alerts.
    static let alert = "radio"
    /// Microseconds that a problem must last, if nothing is tried about it.
    static let patience: Int64 = 2_000_000
    /// Alerts that are told at once …
    static let burst = 10
    /// … and microseconds after which there may be one more.
    static let refill: Int64 = 300_000_000

    /// What was told, and stands.
    private struct Standing: Hashable {
        var problem: String
        /// How often it was told.
        var count: Int
        /// All problems that it was told for.
        var problems: Set<String>
    }

    /// What is not told yet.
    private struct Waiting: Hashable {
        var problem: String
        /// Since when nothing is heard.
        var since: Timestamp
        var due: Timestamp
    }

    private let node: String
    private var standing: Standing?
    private var waiting: Waiting?
    /// When as many alerts as at first may be told at once again.
    private var full = Timestamp(microseconds: .min / 2)
    private var events: [NodeEvent] = []
    private var written: String

    /// - Parameter text: what an earlier run remembered, as `take` gave it; its alert stands still.
    init(node: String, remembering text: String? = nil) {
        self.node = node
        written = text ?? ""
        let words = written.split(separator: " ")
        guard words.count == 2, let count = Int(words[1]), count > 0 else { return }
        let problem = String(words[0])
        standing = Standing(problem: problem, count: count, problems: [problem])
    }

    /// Whether there is something to be taken.
    var hasOutcome: Bool { !events.isEmpty || memory != written }

    /// Something has begun to keep it from hearing, or no longer does.
    mutating func receive(_ change: RadioChange) {
        switch change {
        case .failed(let fault, let since, let time):
            advance(to: time)
            guard standing?.problems.contains(fault.name) != true else {
                waiting = nil
                return
            }
            let due = waiting?.due ?? time.advanced(byMicroseconds: Self.patience)
            waiting = Waiting(problem: fault.name, since: waiting?.since ?? since, due: due)
        case .hears(let rung, let time):
            advance(to: time)
            if rung != nil { tellWaiting(at: time) }
            waiting = nil
            clear(rung?.name ?? "returned", at: time)
        }
    }

    /// Lets time pass.
    mutating func advance(to time: Timestamp) {
        guard let due = waiting?.due, due <= time else { return }
        tellWaiting(at: due)
        // What had to wait may be told by now.
        if let later = waiting?.due, later <= time { tellWaiting(at: later) }
    }

    /// The wall clock was set forward by so many microseconds, or back.
    mutating func clockStepped(by step: Int64) {
        full = full.advanced(byMicroseconds: step)
        guard let waited = waiting else { return }
        waiting?.since = waited.since.advanced(byMicroseconds: step)
        waiting?.due = waited.due.advanced(byMicroseconds: step)
    }

    /// Gives what is to be remembered once more with the next outcome, as for a store that begins anew.
    mutating func rememberAll() { if standing != nil { written = "" } }

    /// The events since the last call, and what is to be remembered from now on: nothing where it is empty, and nil where
    /// that is nothing new.
    mutating func take() -> (events: [NodeEvent], memory: String?) {
        defer {
            events.removeAll()
            written = memory
        }
        return (events, memory == written ? nil : memory)
    }

    // MARK: Pieces

    private var memory: String { standing.map { "\($0.problem) \($0.count)" } ?? "" }

    private mutating func tellWaiting(at time: Timestamp) {
        guard let waited = waiting else { return }
        let start = max(full, time)
        let ahead = start.microseconds(since: time) - Self.refill * Int64(Self.burst - 1)
        guard ahead <= 0 else {
            waiting?.due = time.advanced(byMicroseconds: ahead)
            return
        }
        full = start.advanced(byMicroseconds: Self.refill)
        waiting = nil
        let count = (standing?.count ?? 0) + 1
        let problems = (standing?.problems ?? []).union([waited.problem])
        standing = Standing(problem: waited.problem, count: count, problems: problems)
        var event = event(.alert, waited.problem, at: time)
        event.notBefore = min(waited.since, time)
        event.count = count
        events.append(event)
    }

    private mutating func clear(_ reason: String, at time: Timestamp) {
        guard let told = standing else { return }
        standing = nil
        var event = event(.cleared, told.problem, at: time)
        event.reason = reason
        events.append(event)
    }

    private func event(_ kind: NodeEvent.Kind, _ problem: String, at time: Timestamp) -> NodeEvent {
        var event = NodeEvent(node: node, epoch: "", seq: 0, at: time, notBefore: time, kind: kind)
        (event.alert, event.rule) = (Self.alert, problem)
        return event
    }
}
