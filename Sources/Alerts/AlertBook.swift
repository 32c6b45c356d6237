public import Bytes
internal import WireProtocol

/// The alerts of a node, or of a house: receives crossings and returns the notices to publish, with their times.
///
///     var book = AlertBook(rules: configuration.alerts)
///     let removed = book.restore(store.alerts(), at: now)       // once, after a start
///     let notices = book.receive(crossing)                      // for each crossing of an item
///     let due = book.advance(to: now)                           // at `nextDeadline`
///     store.write(book.snapshot)                                // where it differs from the last
///
/// Two departures count as common if their last packets, or the decisions of their exits, are within `grace` of each
/// other. An exit is decided an exit time after the last packet: if the caller sets the exit times (`setExitTime`), an
/// alert waits for as long as the other's exit could still be decided.
///
/// A departure during an outage counts as an exit; a start that finds an item outside doesn't.
public struct AlertBook: Sendable {
    /// The maximum number of silenced items and regions.
    public static let silenceBound = 1000

    /// The maximum number of items with an alert about clones in one run.
    static let cloneBound = 1000

    /// The rules.
    public private(set) var rules: [AlertRule]
    var states: [AlertState?]
    var items: [String: WhereaboutsRecord] = [:]
    private var exitTimes: [String: Duration] = [:]
    /// The ends of silences; some may have passed.
    public private(set) var silences: [Crossing.Subject: Timestamp] = [:]
    /// Notices that were due while the node was stopped are due at its start.
    private var floor = Timestamp(microseconds: .min)
    private var concerned: [String: [Int]]

    /// An empty book. Of two rules with one id the first counts.
    public init(rules: [AlertRule]) {
        self.rules = Self.distinct(rules)
        states = Array(repeating: nil, count: self.rules.count)
        concerned = Self.concerned(by: self.rules)
    }

    private static func distinct(_ rules: [AlertRule]) -> [AlertRule] {
        var ids: Set<String> = []
        return rules.filter { ids.insert($0.id).inserted }
    }

    private static func concerned(by rules: [AlertRule]) -> [String: [Int]] {
        var concerned: [String: [Int]] = [:]
        for (index, rule) in rules.enumerated() {
            for item in Set([rule.item] + rule.companions) { concerned[item, default: []].append(index) }
        }
        return concerned
    }

    /// Replaces the rules. Alerts go on whose rule has its kind and its item still, and is about the same; those of other
    /// rules are cleared.
    public mutating func use(rules: [AlertRule], at time: Timestamp) -> [AlertNotice] {
        var notices = processDue(before: time)
        let before = Dictionary(uniqueKeysWithValues: zip(self.rules, states).map { ($0.id, ($0, $1)) })
        self.rules = Self.distinct(rules + self.rules.filter { $0.kind == .cloned })
        concerned = Self.concerned(by: self.rules)
        states = self.rules.map { rule in
            before[rule.id].flatMap { old, state in old.isAbout(rule) ? state : nil }
        }
        let kept = Set(states.compactMap { $0?.alert })
        for case let state? in before.values.map(\.1) where state.told > 0 && !kept.contains(state.alert) {
            notices.append(Self.notice(state, .cleared(.removed), at: time))
        }
        items = items.filter { concerned[$0.key] != nil }
        exitTimes = exitTimes.filter { concerned[$0.key] != nil }
        return notices.sorted { ($0.at, $0.alert) < ($1.at, $1.alert) }
    }

    /// Adds the rule about an item's clones, unless it is there or there are too many.
    mutating func addCloneRule(_ item: String) {
        let rule = AlertRule(.cloned, item: item, companions: [], grace: .zero)
        guard !rules.contains(where: { $0.id == rule.id }),
            rules.count(where: { $0.kind == .cloned }) < Self.cloneBound
        else { return }
        concerned[item, default: []].append(rules.count)
        rules.append(rule)
        states.append(nil)
    }

    /// Records a crossing. Crossings of regions, and of items without a rule, are ignored.
    ///
    /// Notices that were due before it are returned first.
    public mutating func receive(_ crossing: Crossing) -> [AlertNotice] {
        var notices = processDue(before: crossing.at)
        guard case .item(let id) = crossing.subject, let indices = concerned[id] else { return notices }
        recordCrossing(crossing, of: id)
        for index in indices {
            switch rules[index].kind {
            case .leftBehind: leftBehind(index, id, crossing, &notices)
            case .gone, .leftHome: gone(index, id, crossing, &notices)
            case .inRoom, .notInRoom, .notHeard, .batteryLow, .cloned: break
            }
        }
        return notices
    }

    /// The indices of the rules that name an item.
    func rulesOf(_ item: String) -> [Int] { concerned[item] ?? [] }

    /// Advances the time, and returns the notices due at or before `time`.
    public mutating func advance(to time: Timestamp) -> [AlertNotice] {
        processDue(before: time.advanced(byMicroseconds: 1))
    }

    /// The time at which `advance` is to be called next; nil if no alert is pending.
    public var nextDeadline: Timestamp? {
        rules.indices.compactMap { dueTime($0) }.min()
    }

    /// Sets the silence after which an item's exit is decided.
    public mutating func setExitTime(_ duration: Duration, of item: String) {
        guard concerned[item] != nil else { return }
        exitTimes[item] = max(.zero, duration)
    }

    /// Adjusts to a caller's clock that was set forward by `delta`, or back if it is negative: pending
    /// alerts wait for as long as before, and later reported times are those of the new setting. Hours of the day are
    /// those of the clock.
    public mutating func clockStepped(by delta: Duration) {
        func moved(_ time: Timestamp) -> Timestamp { time.advanced(by: delta) }
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

    /// Silences an item or a region until `end`; a past time ends the silence. Returns false if the table is full. Ends
    /// of alerts are published nevertheless.
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

    /// Returns true if an item or a region is silenced. A region's silence applies to its reactions: alerts are of
    /// items.
    public func isSilenced(_ subject: Crossing.Subject, at time: Timestamp) -> Bool {
        silences[subject].map { time < $0 } ?? false
    }

    // MARK: Over a restart

    /// The state to store over a restart.
    public var snapshot: AlertSnapshot {
        AlertSnapshot(
            alerts: states.compactMap { $0 }, items: items.values.sorted { $0.item < $1.item },
            silences: silences.map { AlertSnapshot.Silence(subject: $0.key, until: $0.value) }
                .sorted { ($0.subject.id, $0.until) < ($1.subject.id, $1.until) })
    }

    /// The open alerts that were published, in the order of their rules.
    public var standing: [AlertState] { states.compactMap { $0 }.filter { $0.told > 0 } }

    /// The open alerts of an item, in that order; costs as much as the item's own rules.
    public func standing(of item: String) -> [AlertState] {
        rulesOf(item).compactMap { states[$0] }.filter { $0.item == item && $0.told > 0 }
    }

    /// Restores a stored state. Notices that fell due meanwhile are due now; alerts whose rule was removed or applies
    /// to another item or kind are cleared.
    public mutating func restore(_ snapshot: AlertSnapshot, at time: Timestamp) -> [AlertNotice] {
        floor = time
        for record in snapshot.items where concerned[record.item] != nil { items[record.item] = record }
        for silence in snapshot.silences { _ = self.silence(silence.subject, until: silence.until, at: time) }
        var notices: [AlertNotice] = []
        for record in snapshot.alerts {
            if record.kind == .cloned { addCloneRule(record.item) }
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

    /// The time of the next action for a rule: the end of its grace, or the next notice.
    private func dueTime(_ index: Int) -> Timestamp? {
        guard let state = states[index] else { return nil }
        let rule = rules[index]
        switch state.phase {
        case .pending:
            let others = rule.kind == .leftBehind ? [rule.item] : rule.companions
            let wait = others.filter { items[$0]?.isInside == true }.compactMap { exitTimes[$0] }.max() ?? .zero
            let heard = state.since.advanced(by: rule.grace).advanced(by: wait)
            return max(floor, heard, state.decided.advanced(by: rule.grace))
        case .open:
            guard let next = state.next else { return nil }
            let quiet = silences[.item(rule.item)] ?? next
            let earliest = max(floor, next, quiet)
            guard let hours = rule.hours else { return earliest }
            return hours.opening(from: earliest)
        }
    }

    mutating func processDue(before time: Timestamp) -> [AlertNotice] {
        var notices: [AlertNotice] = []
        for index in rules.indices {
            if let due = dueTime(index), due < time, states[index]?.phase == .pending {
                states[index]?.phase = .open
                states[index]?.next = due
            }
            if let due = dueTime(index), due < time { publishNotice(index, due, now: time, &notices) }
        }
        return notices.sorted { $0.at < $1.at }
    }

    private mutating func publishNotice(_ index: Int, _ due: Timestamp, now: Timestamp, _ notices: inout [AlertNotice])
    {
        guard var state = states[index] else { return }
        let rule = rules[index]
        // The call may be late, as after a suspend: the hours are checked at the time of publication.
        if let hours = rule.hours, !hours.contains(now.advanced(byMicroseconds: -1)) {
            states[index]?.next = hours.opening(from: now)
            return
        }
        state.told = min(state.told, ItemAlerts.countLimit - 1) + 1
        state.next = nil
        let isLast = rule.atMost.map { state.told >= $0 } ?? false
        if let interval = rule.interval, interval > .zero, !isLast {
            let next = due.advanced(by: interval)
            // One notice replaces several missed ones.
            state.next = next < now ? now.advanced(by: interval) : next
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
