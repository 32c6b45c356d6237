public import Bytes
public import WireProtocol

/// The alerts of a fuser: receives its answers about items, and returns the notices to publish.
///
/// It does no I/O and its methods have the time as a parameter. Items without a rule cost a look-up in a set.
public struct HouseAlerts: Sendable {
    private var book: AlertBook
    /// The items that rules name.
    public private(set) var concerned: Set<String>
    /// The items with a rule.
    public private(set) var warnedOf: Set<String>
    private var remembered: AlertSnapshot?
    private var states: [String: Location.State] = [:]
    /// The broker's retained alerts of each item with a rule, from any fuser.
    private var words: [String: ItemAlerts] = [:]
    /// Items with retained alerts that are not adopted yet.
    private var unadopted: Set<String> = []
    /// Alerts that this fuser published, and another may have cleared during an absence.
    private var doubted: Set<String> = []
    private var notices: [AlertNotice] = []
    private var written: String
    private var isChanged = false
    /// The time at which `advance` is to be called next; nil if no alert is pending.
    public private(set) var nextDeadline: Timestamp?

    /// Alerts in their initial state; `text` is the stored state of an earlier run.
    public init(rules: [AlertRule] = [], awayAfter: Duration = .minutes(1), remembering text: String? = nil) {
        book = AlertBook(rules: rules)
        (concerned, warnedOf) = Self.subjects(of: rules)
        // The common departure of another item may be detected later by this time.
        for item in concerned { book.setExitTime(awayAfter, of: item) }
        remembered = (text.flatMap { AlertMemory(text: $0) } ?? AlertMemory()).alerts
        written = text ?? AlertMemory().text
    }

    private static func subjects(of rules: [AlertRule]) -> (concerned: Set<String>, warnedOf: Set<String>) {
        (Set(rules.flatMap { [$0.item] + $0.companions }), Set(rules.map(\.item)))
    }

    /// Replaces the rules. Alerts of rules that stay go on, those of others are cleared. The caller passes on the present
    /// answers of `concerned` once more.
    public mutating func use(rules: [AlertRule], awayAfter: Duration, at time: Timestamp) {
        // Before the first moment all state is still to be restored.
        if remembered == nil { addNotices(book.use(rules: rules, at: time)) } else { book = AlertBook(rules: rules) }
        (concerned, warnedOf) = Self.subjects(of: book.rules)
        for item in concerned { book.setExitTime(awayAfter, of: item) }
        states = states.filter { concerned.contains($0.key) }
        words = words.filter { concerned.contains($0.key) }
        unadopted.formIntersection(concerned)
        addNotices([])
    }

    /// Sets the silence after which an item has left.
    public mutating func setExitTime(_ duration: Duration, of item: String) {
        if concerned.contains(item) { book.setExitTime(duration, of: item) }
    }

    /// Restores the stored state at the first moment; calls after the first do nothing.
    public mutating func begin(at time: Timestamp) {
        guard let snapshot = remembered else { return }
        remembered = nil
        addNotices(book.restore(snapshot, at: time))
        noteCloneRules()
        // Open alerts are published again, since the broker may have lost them.
        touched.formUnion(book.standing.map(\.item))
        handOver()
        adopt(at: time)
    }

    /// Receives an item's answer, which may be unchanged; `heard` is its last packet.
    public mutating func receive(_ location: Location, of item: String, heard: Timestamp) {
        guard concerned.contains(item) else { return }
        begin(at: location.at)
        let before = states.updateValue(location.state, forKey: item) ?? .unknown
        guard location.state != .unknown else { return }
        if before == .unknown {
            let crossing = Crossing.Kind.determined(isInside: location.state != .away)
            addNotices(book.receive(Crossing(.item(item), crossing, at: location.at)))
        }
        addNotices(book.recordRoom(item, in: location.room, since: location.since, at: location.at))
        let silence = location.state == .present ? nil : heard
        addNotices(book.recordSilence(item, silentSince: silence, at: location.at))
    }

    /// Receives an item's event.
    public mutating func receive(_ event: ItemEvent, of item: String) {
        guard concerned.contains(item) else { return }
        let kind: Crossing.Kind
        switch event.kind {
        case .arrived: kind = .enter
        case .left: kind = .exit
        case .moved, .alert, .cleared: return
        }
        addNotices(book.receive(Crossing(.item(item), kind, at: event.at, notBefore: event.notBefore)))
    }

    /// Receives the voltage of a battery.
    public mutating func receive(millivolts: Int, of item: String, at time: Timestamp) {
        guard concerned.contains(item) else { return }
        begin(at: time)
        addNotices(book.recordVoltage(item, millivolts: millivolts, at: time))
    }

    /// Receives a suspicion that several transmitters send an item's identity, or its end.
    public mutating func receive(areClonesSuspected: Bool, of item: String, at time: Timestamp) {
        begin(at: time)
        guard areClonesSuspected || concerned.contains(item) else { return }
        addNotices(book.recordClones(item, areSuspected: areClonesSuspected, at: time))
        noteCloneRules()
    }

    /// Ends the alerts about clones of an earlier run, except those of some items.
    public mutating func endClones(except suspected: Set<String>, at time: Timestamp) {
        for state in book.standing where state.kind == .cloned && !suspected.contains(state.item) {
            addNotices(book.recordClones(state.item, areSuspected: false, at: time))
        }
    }

    /// Rules about clones come with the first suspicion.
    private mutating func noteCloneRules() {
        for rule in book.rules where rule.kind == .cloned { watch(rule.item) }
    }

    private mutating func watch(_ item: String) {
        concerned.insert(item)
        warnedOf.insert(item)
    }

    /// Advances the time.
    public mutating func advance(to time: Timestamp) {
        begin(at: time)
        guard let nextDeadline, time >= nextDeadline else { return }
        addNotices(book.advance(to: time))
    }

    /// Silences an item until `end`. Returns false if too many are silenced.
    public mutating func silence(_ item: String, until end: Timestamp, at time: Timestamp) -> Bool {
        begin(at: time)
        defer { addNotices([]) }
        return book.silence(.item(item), until: end, at: time)
    }

    /// The ends of silences; some may have passed.
    public var silences: [Crossing.Subject: Timestamp] { book.silences }

    /// Removes an item; its open alerts and its silence are over.
    public mutating func forget(_ item: String, at time: Timestamp) {
        // A silence needs no rule.
        guard concerned.contains(item) || hasSilence(of: item) else { return }
        begin(at: time)
        states[item] = nil
        addNotices(book.forget(item, at: time))
    }

    private func hasSilence(of item: String) -> Bool {
        book.silences[.item(item)] != nil || remembered?.silences.contains { $0.subject == .item(item) } == true
    }

    /// Receives the broker's retained alerts about an item; nil if there are none.
    ///
    /// - Parameter counts: True if they are authoritative, as for a fuser that follows another or succeeds it.
    public mutating func receiveRetained(_ word: ItemAlerts?, of item: String, counts: Bool, at time: Timestamp) {
        if let word, word.alerts.contains(where: { $0.rule == AlertRule.Kind.cloned.rawValue }) { watch(item) }
        guard concerned.contains(item) else { return }
        words[item] = word
        guard counts else { return }
        unadopted.insert(item)
        adopt(at: time)
    }

    /// Becomes inactive: another fuser clears the open alerts from now on, perhaps unnoticed.
    public mutating func handOver() { doubted.formUnion(book.standing.map(\.alert)) }

    /// Receives another fuser's event of an alert, which becomes open as published there, even if its retained message
    /// never arrives.
    ///
    /// - Parameter isFollowed: True if the other fuser serves the item; else its event is late, and changes only the
    ///   number of times that an open alert was published.
    public mutating func receiveEvent(_ event: ItemEvent, of item: String, isFollowed: Bool, at time: Timestamp) {
        if event.rule == AlertRule.Kind.cloned.rawValue { watch(item) }
        guard concerned.contains(item), event.kind == .alert, let alert = event.alert, let count = event.count,
            let kind = event.rule.flatMap({ AlertRule.Kind(rawValue: $0) })
        else { return }
        begin(at: time)
        let state = book.state(of: alert)
        guard isFollowed || state.map({ $0.told < count }) ?? false else { return }
        let word = AlertWord(alert: alert, kind: kind, since: event.notBefore, count: count)
        book.adopt([word], of: item, at: time, apart: ItemEvent.coincidence)
        doubted.remove(alert)
        touched.insert(item)
        addNotices([])
    }

    /// Becomes active for items: alerts that are open here, and that the previous fuser had cleared, are over.
    ///
    /// The alerts that are open afterwards were published as an event, or are with this.
    ///
    /// - Parameter heldNotices: Notices without a received event.
    public mutating func takeOver(_ heldNotices: [HeldNotice], at time: Timestamp, where isOurs: (String) -> Bool) {
        let held = unpublished(heldNotices)
        doubted.subtract(held.map(\.alert))
        for state in book.standing where doubted.contains(state.alert) && isOurs(state.item) {
            doubted.remove(state.alert)
            guard !(words[state.item]?.alerts.contains { $0.id == state.alert } ?? false) else { continue }
            book.drop(state.alert)
            touched.insert(state.item)
        }
        addHeld(first: held)
        // Open alerts are published again, and ended ones that the other fuser retained are cleared.
        touched.formUnion(book.standing.map(\.item))
        touched.formUnion(words.keys.filter(isOurs))
        addNotices([])
    }

    /// Those of held notices that no fuser has published.
    ///
    /// A retained message is published after its events: its alerts were published. Alerts that are open here and
    /// missing in it were not published. The other fuser may have known better about ended alerts, unless it had no
    /// time.
    private func unpublished(_ held: [HeldNotice]) -> [AlertNotice] {
        var isChosen = held.map(\.isCutShort)
        var last: [String: Int] = [:]
        for (index, entry) in held.enumerated() {
            let notice = entry.notice
            let word = words[notice.item]?.alerts.first { word in
                word.id == notice.alert
                    && word.since.duration(since: notice.since).magnitude <= ItemEvent.coincidence
            }
            switch notice.change {
            case .told(let count):
                if let word, word.count >= count {
                    isChosen[index] = false
                } else if let state = book.state(of: notice.alert), state.told >= count, state.since == notice.since {
                    last[notice.alert] = index
                }
            case .cleared: isChosen[index] = isChosen[index] || word != nil
            }
        }
        // One repetition replaces several that no fuser published.
        for index in last.values { isChosen[index] = true }
        return held.indices.filter { isChosen[$0] }.map { held[$0].notice }
    }

    /// Adopts the alerts that others published, as soon as the stored state of an earlier run is known.
    private mutating func adopt(at time: Timestamp) {
        guard remembered == nil, !unadopted.isEmpty else { return }
        for item in unadopted {
            let told = (words[item]?.alerts ?? []).compactMap { alert in
                AlertRule.Kind(rawValue: alert.rule).map { kind in
                    AlertWord(alert: alert.id, kind: kind, since: alert.since, count: alert.count)
                }
            }
            book.adopt(told, of: item, at: time, apart: ItemEvent.coincidence)
            touched.insert(item)
        }
        unadopted.removeAll()
        addNotices([])
    }

    /// Items with open alerts to publish.
    public private(set) var touched: Set<String> = []

    /// The changes of alerts since the last call, and the items with open alerts to publish again.
    public mutating func takeNotices() -> (notices: [AlertNotice], items: [String]) {
        defer { (notices, touched) = ([], []) }
        return (notices, touched.sorted())
    }

    /// A Boolean value that is true if `takeNotices` has something to return.
    public var hasNotices: Bool { !touched.isEmpty }

    /// The state to store from now on; nil if it is unchanged.
    public mutating func takeMemory() -> String? {
        guard isChanged else { return nil }
        isChanged = false
        let text = AlertMemory(book.snapshot).text
        guard text != written else { return nil }
        written = text
        return text
    }

    /// Marks the stored state as changed, so that it is returned again.
    public mutating func rememberAll() { (written, isChanged) = ("", true) }

    /// Publishes notices that were held, except those of alerts that are known to have ended before they were due.
    private mutating func addHeld(first held: [AlertNotice]) {
        var ends: [String: Timestamp] = [:]
        for notice in notices {
            if case .cleared = notice.change { ends[notice.alert] = min(notice.at, ends[notice.alert] ?? notice.at) }
        }
        notices.insert(contentsOf: held.filter { held in ends[held.alert].map { held.at < $0 } ?? true }, at: 0)
        touched.formUnion(held.map(\.item))
    }

    /// The open alerts about an item that were published.
    public func standing(of item: String) -> [AlertState] { book.standing(of: item) }

    private mutating func addNotices(_ more: [AlertNotice]) {
        isChanged = true
        nextDeadline = book.nextDeadline
        notices += more
        for notice in more { touched.insert(notice.item) }
    }
}
