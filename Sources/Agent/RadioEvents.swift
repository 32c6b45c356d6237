internal import Bytes
internal import HCI
internal import WireProtocol

/// The events about faults of a node's radio: an `alert` with the fault, and `cleared` when it receives again.
///
/// A fault that passes by itself within 2 s is not published; one that a recovery step ended is, however short it was.
/// While an alert is open each problem is published once. For a radio that fails repeatedly, ten alerts are published
/// at once, and one more every five minutes; a problem that must wait is published if it still exists then.
///
/// It does no I/O and has time as a parameter, which is the node's.
struct RadioEvents: Sendable {
    /// The id of its alerts.
    static let alert = "radio"
    /// The time that a problem must last, if no recovery is attempted.
    static let patience: Duration = .seconds(2)

    /// The open alert, as published.
    private struct Standing: Hashable {
        var problem: String
        /// The number of its publications.
        var count: Int
        /// All problems that it was published for.
        var problems: Set<String>
    }

    /// A problem that isn't published yet.
    private struct Waiting: Hashable {
        var problem: String
        /// The time since which nothing is received.
        var since: Timestamp
        var due: Timestamp
    }

    private let node: String
    private var standing: Standing?
    private var waiting: Waiting?
    /// The limit on alerts.
    private var limit = TokenBucket<Timestamp>(burst: 10, interval: .minutes(5))
    private var events: [NodeEvent] = []
    private var written: String

    /// - Parameter text: the state of an earlier run, as returned by `take`; its alert is still open.
    init(node: String, remembering text: String? = nil) {
        self.node = node
        written = text ?? ""
        let words = written.split(separator: " ")
        guard words.count == 2, let count = Int(words[1]), count > 0 else { return }
        let problem = String(words[0])
        standing = Standing(problem: problem, count: count, problems: [problem])
    }

    /// True if there are results to return.
    var hasOutcome: Bool { !events.isEmpty || memory != written }

    /// Processes the beginning or end of a fault.
    mutating func receive(_ change: RadioChange) {
        switch change {
        case .failed(let fault, let since, let time):
            advance(to: time)
            guard standing?.problems.contains(fault.name) != true else {
                waiting = nil
                return
            }
            let due = waiting?.due ?? time.advanced(by: Self.patience)
            waiting = Waiting(problem: fault.name, since: waiting?.since ?? since, due: due)
        case .hears(let rung, let time):
            advance(to: time)
            if rung != nil { publishWaiting(at: time) }
            waiting = nil
            clearProblem(rung?.name ?? "returned", at: time)
        }
    }

    /// Carries out the steps that are due at `time`.
    mutating func advance(to time: Timestamp) {
        guard let due = waiting?.due, due <= time else { return }
        publishWaiting(at: due)
        // A waiting problem may be due by now.
        if let later = waiting?.due, later <= time { publishWaiting(at: later) }
    }

    /// Records that the wall clock was set forward by `step`, or back if negative.
    mutating func clockStepped(by step: Duration) {
        limit.clockStepped(by: step)
        guard let waited = waiting else { return }
        waiting?.since = waited.since.advanced(by: step)
        waiting?.due = waited.due.advanced(by: step)
    }

    /// Makes the next outcome contain the state again, as for a new store.
    mutating func rememberAll() { if standing != nil { written = "" } }

    /// The events since the last call, and the new state to persist: empty for none, nil if it is unchanged.
    mutating func takeEvents() -> (events: [NodeEvent], memory: String?) {
        defer {
            events.removeAll()
            written = memory
        }
        return (events, memory == written ? nil : memory)
    }

    // MARK: Pieces

    private var memory: String { standing.map { "\($0.problem) \($0.count)" } ?? "" }

    private mutating func publishWaiting(at time: Timestamp) {
        guard let waited = waiting else { return }
        let chance = limit.nextChance(from: time)
        guard limit.take(at: time) else {
            waiting?.due = chance
            return
        }
        waiting = nil
        let count = (standing?.count ?? 0) + 1
        let problems = (standing?.problems ?? []).union([waited.problem])
        standing = Standing(problem: waited.problem, count: count, problems: problems)
        var event = makeEvent(.alert, waited.problem, at: time)
        event.notBefore = min(waited.since, time)
        event.count = count
        events.append(event)
    }

    private mutating func clearProblem(_ reason: String, at time: Timestamp) {
        guard let published = standing else { return }
        standing = nil
        var event = makeEvent(.cleared, published.problem, at: time)
        event.reason = reason
        events.append(event)
    }

    private func makeEvent(_ kind: NodeEvent.Kind, _ problem: String, at time: Timestamp) -> NodeEvent {
        var event = NodeEvent(node: node, epoch: "", seq: 0, at: time, notBefore: time, kind: kind)
        (event.alert, event.rule) = (Self.alert, problem)
        return event
    }
}
