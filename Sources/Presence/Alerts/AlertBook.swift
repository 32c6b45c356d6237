public import Bytes

/// The alerts of a node: told who comes and goes, it says what is to be told of it and when.
///
///     var book = AlertBook(rules: configuration.alerts)
///     let removed = book.restore(store.alerts(), at: now)       // once, after a start
///     let notices = book.receive(crossing)                      // for each crossing of an item
///     let due = book.advance(to: now)                           // at `nextDeadline`
///     store.write(book.snapshot)                                // where it differs from the last
///
/// Those that leave one after the other leave together when their last packets, or the moments their exits were decided
/// at, lie within `grace` of each other. An exit is decided an exit time after the last packet: where the caller tells
/// the exit times (`setExitTime`), an alert waits for as long as the other's exit could still be decided.
///
/// A departure while nobody listened counts as an exit; a start that finds an item outside doesn't.
public struct AlertBook: Sendable {
    /// The most items and regions that are silenced at once.
    public static let silenceBound = 1000

    /// The rules.
    public let rules: [AlertRule]
    private var states: [AlertState?]
    private var items: [String: WhereaboutsRecord] = [:]
    private var exitTimes: [String: Int64] = [:]
    private var silences: [Crossing.Subject: Timestamp] = [:]
    /// What was due while the node was stopped is due at its start.
    private var floor = Timestamp(microseconds: .min)
    private let concerned: [String: [Int]]

    /// A book where nothing has happened. Of two rules with one id the first counts.
    public init(rules: [AlertRule]) {
        var ids: Set<String> = []
        self.rules = rules.filter { ids.insert($0.id).inserted }
        states = Array(repeating: nil, count: self.rules.count)
        var concerned: [String: [Int]] = [:]
        for (index, rule) in self.rules.enumerated() {
            for item in Set([rule.item] + rule.companions) { concerned[item, default: []].append(index) }
        }
        self.concerned = concerned
    }

    /// Takes a crossing. Crossings of regions, and of items that no rule names, are passed over.
    ///
    /// What was due before it is told first.
    public mutating func receive(_ crossing: Crossing) -> [AlertNotice] {
        var notices = settle(before: crossing.at)
        guard case .item(let id) = crossing.subject, let indices = concerned[id] else { return notices }
        note(crossing, of: id)
        for index in indices {
            switch rules[index].kind {
            case .leftBehind: leftBehind(index, id, crossing, &notices)
            case .gone: gone(index, id, crossing, &notices)
            }
        }
        return notices
    }

    /// Lets time pass: what is due at or before `time`.
    public mutating func advance(to time: Timestamp) -> [AlertNotice] {
        settle(before: time.advanced(byMicroseconds: 1))
    }

    /// When `advance` is to be called next; nil while nothing runs.
    public var nextDeadline: Timestamp? {
        rules.indices.compactMap { due($0) }.min()
    }

    /// Tells how long an item must be silent before its exit is decided, in microseconds.
    public mutating func setExitTime(_ microseconds: Int64, of item: String) {
        guard concerned[item] != nil else { return }
        exitTimes[item] = max(0, microseconds)
    }

    // MARK: Silence

    /// Tells nothing of an item or a region until `end`; a time that is past ends the silence. False where the table is
    /// full. What is cleared meanwhile is told all the same.
    public mutating func silence(_ subject: Crossing.Subject, until end: Timestamp, at time: Timestamp) -> Bool {
        silences = silences.filter { $0.value > time }
        guard end > time else {
            silences[subject] = nil
            return true
        }
        guard silences[subject] != nil || silences.count < Self.silenceBound else { return false }
        silences[subject] = end
        return true
    }

    /// Whether an item or a region is silenced. A region's silence is for its reactions: alerts are of items.
    public func isSilenced(_ subject: Crossing.Subject, at time: Timestamp) -> Bool {
        silences[subject].map { time < $0 } ?? false
    }

    // MARK: Over a restart

    /// What is to be remembered over a restart.
    public var snapshot: AlertSnapshot {
        AlertSnapshot(
            alerts: states.compactMap { $0 }, items: items.values.sorted { $0.item < $1.item },
            silences: silences.map { AlertSnapshot.Silence(subject: $0.key, until: $0.value) }
                .sorted { ($0.subject.id, $0.until) < ($1.subject.id, $1.until) })
    }

    /// The alerts that stand and were told, in the order of their rules.
    public var standing: [AlertState] { states.compactMap { $0 }.filter { $0.told > 0 } }

    /// Takes up what was remembered. What fell due meanwhile is due now; alerts whose rule has gone or is about something
    /// else are cleared.
    public mutating func restore(_ snapshot: AlertSnapshot, at time: Timestamp) -> [AlertNotice] {
        floor = time
        for record in snapshot.items where concerned[record.item] != nil { items[record.item] = record }
        for silence in snapshot.silences { _ = self.silence(silence.subject, until: silence.until, at: time) }
        var notices: [AlertNotice] = []
        for record in snapshot.alerts {
            let index = rules.firstIndex { $0.id == record.alert && $0.kind == record.kind && $0.item == record.item }
            if let index {
                states[index] = record
            } else if record.told > 0 {
                notices.append(Self.notice(record, .cleared(.removed), at: time))
            }
        }
        return notices
    }

    // MARK: Crossings

    private mutating func note(_ crossing: Crossing, of item: String) {
        var record = items[item] ?? WhereaboutsRecord(item: item, isInside: false)
        record.isInside = crossing.kind.isInside
        if crossing.kind == .exit {
            record.exited = crossing.at
            record.lastPacket = crossing.notBefore
        }
        items[item] = record
    }

    private mutating func leftBehind(
        _ index: Int, _ id: String, _ crossing: Crossing, _ notices: inout [AlertNotice]
    ) {
        let rule = rules[index]
        if id == rule.item {
            if !crossing.kind.isInside { clear(index, .left, at: crossing.at, &notices) }
        } else if crossing.kind.isInside {
            clear(index, .returned, at: crossing.at, &notices)
        } else if crossing.kind == .exit, states[index] == nil, items[rule.item]?.isInside == true,
            rule.companions.allSatisfy({ items[$0]?.isInside == false })
        {
            begin(index, crossing)
        }
    }

    private mutating func gone(_ index: Int, _ id: String, _ crossing: Crossing, _ notices: inout [AlertNotice]) {
        let rule = rules[index]
        if id == rule.item {
            if crossing.kind.isInside {
                clear(index, .returned, at: crossing.at, &notices)
            } else if crossing.kind == .exit, states[index] == nil {
                let isAlone = !rule.companions.contains { companion in
                    left(companion, with: crossing.notBefore, decided: crossing.at, within: rule.grace)
                }
                if isAlone { begin(index, crossing) }
            }
        } else if crossing.kind == .exit, let state = states[index],
            left(id, with: state.since, decided: state.decided, within: rule.grace)
        {
            clear(index, .together, at: crossing.at, &notices)
        }
    }

    /// Whether a companion left together with an item, and is still outside.
    private func left(
        _ companion: String, with lastPacket: Timestamp, decided: Timestamp, within grace: Int64
    ) -> Bool {
        guard let record = items[companion], !record.isInside, let exited = record.exited,
            let last = record.lastPacket
        else { return false }
        return exited.microseconds(since: decided).magnitude <= grace.magnitude
            || last.microseconds(since: lastPacket).magnitude <= grace.magnitude
    }

    private mutating func begin(_ index: Int, _ crossing: Crossing) {
        let rule = rules[index]
        states[index] = AlertState(
            alert: rule.id, kind: rule.kind, item: rule.item, phase: .pending, since: crossing.notBefore,
            decided: crossing.at)
    }

    private mutating func clear(
        _ index: Int, _ reason: AlertNotice.Reason, at time: Timestamp, _ notices: inout [AlertNotice]
    ) {
        guard let state = states[index] else { return }
        states[index] = nil
        if state.told > 0 { notices.append(Self.notice(state, .cleared(reason), at: time)) }
    }

    // MARK: Time

    /// When something is to be done for a rule: the end of its grace, or the next notice.
    private func due(_ index: Int) -> Timestamp? {
        guard let state = states[index] else { return nil }
        let rule = rules[index]
        switch state.phase {
        case .pending:
            let others = rule.kind == .leftBehind ? [rule.item] : rule.companions
            let wait = others.filter { items[$0]?.isInside == true }.compactMap { exitTimes[$0] }.max() ?? 0
            let heard = state.since.advanced(byMicroseconds: rule.grace).advanced(byMicroseconds: wait)
            return max(floor, heard, state.decided.advanced(byMicroseconds: rule.grace))
        case .open:
            guard let next = state.next else { return nil }
            let quiet = silences[.item(rule.item)] ?? next
            let earliest = max(floor, next, quiet)
            guard let hours = rule.hours else { return earliest }
            return hours.opening(from: earliest)
        }
    }

    private mutating func settle(before time: Timestamp) -> [AlertNotice] {
        var notices: [AlertNotice] = []
        for index in rules.indices {
            if let due = due(index), due < time, states[index]?.phase == .pending {
                states[index]?.phase = .open
                states[index]?.next = due
            }
            if let due = due(index), due < time { tell(index, due, now: time, &notices) }
        }
        return notices.sorted { $0.at < $1.at }
    }

    private mutating func tell(_ index: Int, _ due: Timestamp, now: Timestamp, _ notices: inout [AlertNotice]) {
        guard var state = states[index] else { return }
        let rule = rules[index]
        // Called late, as after a suspend: the hour that counts is the one in which it is told.
        if let hours = rule.hours, !hours.contains(now.advanced(byMicroseconds: -1)) {
            states[index]?.next = hours.opening(from: now)
            return
        }
        state.told += 1
        state.next = nil
        let isLast = rule.atMost.map { state.told >= $0 } ?? false
        if let interval = rule.interval, interval > 0, !isLast {
            let next = due.advanced(byMicroseconds: interval)
            // Of notices that were missed one is enough.
            state.next = next < now ? now.advanced(byMicroseconds: interval) : next
        }
        states[index] = state
        notices.append(Self.notice(state, .told(count: state.told), at: due))
    }

    private static func notice(
        _ state: AlertState, _ change: AlertNotice.Change, at time: Timestamp
    ) -> AlertNotice {
        AlertNotice(
            alert: state.alert, kind: state.kind, item: state.item, change: change, at: time, since: state.since)
    }
}
