public import Bytes

/// The alerts of a node, or of a house: told who comes and goes, it says what is to be told of it and when.
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
    var states: [AlertState?]
    var items: [String: WhereaboutsRecord] = [:]
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
            case .gone, .leftHome: gone(index, id, crossing, &notices)
            case .inRoom, .notInRoom, .notHeard, .batteryLow: break
            }
        }
        return notices
    }

    /// The places of the rules that name an item.
    func rulesOf(_ item: String) -> [Int] { concerned[item] ?? [] }

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

    /// Says that the caller's clock was set forward by so many microseconds, or back where they are negative: everything
    /// that waits goes on waiting as long as before, and moments told from then on are those of the new setting. Hours of
    /// the day are those that the clock shows.
    public mutating func clockStepped(by delta: Int64) {
        func moved(_ time: Timestamp) -> Timestamp { time.advanced(byMicroseconds: delta) }
        floor = moved(floor)
        silences = silences.mapValues(moved)
        for index in states.indices {
            guard var state = states[index] else { continue }
            (state.since, state.decided, state.next) = (moved(state.since), moved(state.decided), state.next.map(moved))
            states[index] = state
        }
        items = items.mapValues { record in
            var record = record
            (record.exited, record.lastPacket) = (record.exited.map(moved), record.lastPacket.map(moved))
            return record
        }
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

    /// Those about an item, in that order; costs what the item's own rules cost.
    public func standing(of item: String) -> [AlertState] {
        rulesOf(item).compactMap { states[$0] }.filter { $0.item == item && $0.told > 0 }
    }

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

    mutating func settle(before time: Timestamp) -> [AlertNotice] {
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

    static func notice(
        _ state: AlertState, _ change: AlertNotice.Change, at time: Timestamp
    ) -> AlertNotice {
        AlertNotice(
            alert: state.alert, kind: state.kind, item: state.item, change: change, at: time, since: state.since)
    }
}
