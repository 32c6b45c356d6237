public import Bytes
public import WireProtocol

/// What a fuser warns of: told what it tells of items, it says what is wrong with them.
///
/// It does no I/O and takes time as a parameter. Items that no rule names cost a look into a set.
public struct HouseAlerts: Sendable {
    private var book: AlertBook
    /// The items that rules name.
    public let concerned: Set<String>
    /// The items of which something can be warned.
    public let warnedOf: Set<String>
    private var remembered: AlertSnapshot?
    private var states: [String: Location.State] = [:]
    /// What the broker retains of each item that a rule names, whoever said it.
    private var words: [String: ItemAlerts] = [:]
    /// Items of which that is yet to be made one's own.
    private var unadopted: Set<String> = []
    /// Alerts that this one told, and another may have cleared while it was off.
    private var doubted: Set<String> = []
    private var notices: [AlertNotice] = []
    private var written: String
    private var isChanged = false
    /// When `advance` is to be called next; nil while nothing runs.
    public private(set) var nextDeadline: Timestamp?

    /// Alerts that have heard of nothing yet; `text` is what an earlier run remembered.
    public init(rules: [AlertRule] = [], awayAfter: Int64 = 60_000_000, remembering text: String? = nil) {
        book = AlertBook(rules: rules)
        concerned = Set(rules.flatMap { [$0.item] + $0.companions })
        warnedOf = Set(rules.map(\.item))
        // One that left with another may be found to have left so much later.
        for item in concerned { book.setExitTime(awayAfter, of: item) }
        remembered = (text.flatMap { AlertMemory(text: $0) } ?? AlertMemory()).alerts
        written = text ?? AlertMemory().text
    }

    /// Tells after how many microseconds of silence an item has left.
    public mutating func setExitTime(_ microseconds: Int64, of item: String) {
        if concerned.contains(item) { book.setExitTime(microseconds, of: item) }
    }

    /// Takes up at the first moment what was remembered; calls after the first do nothing.
    public mutating func begin(at time: Timestamp) {
        guard let snapshot = remembered else { return }
        remembered = nil
        take(book.restore(snapshot, at: time))
        // What stands is told anew as it stands, since the broker may have lost it.
        touched.formUnion(book.standing.map(\.item))
        handOver()
        adopt(at: time)
    }

    /// Takes an item's answer, which may be the same as before; `heard` is its last packet.
    public mutating func receive(_ location: Location, of item: String, heard: Timestamp) {
        guard concerned.contains(item) else { return }
        begin(at: location.at)
        let before = states.updateValue(location.state, forKey: item) ?? .unknown
        guard location.state != .unknown else { return }
        if before == .unknown {
            let crossing = Crossing.Kind.determined(isInside: location.state != .away)
            take(book.receive(Crossing(.item(item), crossing, at: location.at)))
        }
        take(book.place(item, in: location.room, since: location.since, at: location.at))
        let silence = location.state == .present ? nil : heard
        take(book.hearing(item, silentSince: silence, at: location.at))
    }

    /// Takes an item's event.
    public mutating func receive(_ event: ItemEvent, of item: String) {
        guard concerned.contains(item) else { return }
        let kind: Crossing.Kind
        switch event.kind {
        case .arrived: kind = .enter
        case .left: kind = .exit
        case .moved, .alert, .cleared: return
        }
        take(book.receive(Crossing(.item(item), kind, at: event.at, notBefore: event.notBefore)))
    }

    /// Takes what a battery has.
    public mutating func receive(millivolts: Int, of item: String, at time: Timestamp) {
        guard concerned.contains(item) else { return }
        begin(at: time)
        take(book.battery(item, millivolts: millivolts, at: time))
    }

    /// Lets time pass.
    public mutating func advance(to time: Timestamp) {
        begin(at: time)
        guard let nextDeadline, time >= nextDeadline else { return }
        take(book.advance(to: time))
    }

    /// Keeps an item quiet until `end`. False where too many are silenced.
    public mutating func silence(_ item: String, until end: Timestamp, at time: Timestamp) -> Bool {
        begin(at: time)
        defer { take([]) }
        return book.silence(.item(item), until: end, at: time)
    }

    /// Forgets what was known of an item; what stands about it is over.
    public mutating func forget(_ item: String, at time: Timestamp) {
        guard concerned.contains(item) else { return }
        begin(at: time)
        states[item] = nil
        take(book.forget(item, at: time))
    }

    /// Takes what the broker retains of the alerts about an item from now on; nil where that is nothing.
    ///
    /// - Parameter counts: whether that is what stands, as for one who follows another or comes after it.
    public mutating func hear(_ word: ItemAlerts?, of item: String, counts: Bool, at time: Timestamp) {
        guard concerned.contains(item) else { return }
        words[item] = word
        guard counts else { return }
        unadopted.insert(item)
        adopt(at: time)
    }

    /// Ceases to speak: what stands is another's to clear from now on, and that may happen unheard.
    public mutating func handOver() { doubted.formUnion(book.standing.map(\.alert)) }

    /// Takes another fuser's event of an alert: it stands as that one published it, though its retained word may never come.
    ///
    /// - Parameter isFollowed: whether the other fuser serves the item; else its event is late, and changes nothing but how
    ///   often an alert that stands here was published.
    public mutating func hear(_ event: ItemEvent, of item: String, isFollowed: Bool, at time: Timestamp) {
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
        take([])
    }

    /// Begins to speak for items: what stood about them here, and the one before had cleared, is over.
    ///
    /// What stands afterwards was published as an event, or is with this.
    ///
    /// - Parameter heldNotices: notices of which no event was heard.
    public mutating func takeOver(_ heldNotices: [HeldNotice], at time: Timestamp, where isOurs: (String) -> Bool) {
        let held = unpublished(heldNotices)
        doubted.subtract(held.map(\.alert))
        for state in book.standing where doubted.contains(state.alert) && isOurs(state.item) {
            doubted.remove(state.alert)
            guard !(words[state.item]?.alerts.contains { $0.id == state.alert } ?? false) else { continue }
            book.drop(state.alert)
            touched.insert(state.item)
        }
        tell(first: held)
        // What stands is told anew, and what the other retained and is over is cleared.
        touched.formUnion(book.standing.map(\.item))
        touched.formUnion(words.keys.filter(isOurs))
        take([])
    }

    /// Those of held notices that nobody has published.
    ///
    /// A retained word is published behind its event: what it lists was published. What it doesn't list was not where it
    /// stands here; of what is over the other fuser may have known better, unless it had no time.
    private func unpublished(_ held: [HeldNotice]) -> [AlertNotice] {
        var isChosen = held.map(\.isCutShort)
        var last: [String: Int] = [:]
        for (index, entry) in held.enumerated() {
            let notice = entry.notice
            let word = words[notice.item]?.alerts.first { word in
                word.id == notice.alert
                    && word.since.microseconds(since: notice.since).magnitude <= UInt64(ItemEvent.coincidence)
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
        // Of repetitions that nobody wanted to publish one is enough.
        for index in last.values { isChosen[index] = true }
        return held.indices.filter { isChosen[$0] }.map { held[$0].notice }
    }

    /// Makes one's own what others told, once it is known what an earlier run remembered.
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
        take([])
    }

    /// Items whose standing alerts are to be told.
    public private(set) var touched: Set<String> = []

    /// What became of alerts since the last time, and the items whose standing ones are to be told anew.
    public mutating func takeNotices() -> (notices: [AlertNotice], items: [String]) {
        defer { (notices, touched) = ([], []) }
        return (notices, touched.sorted())
    }

    /// Whether `takeNotices` has something.
    public var hasNotices: Bool { !touched.isEmpty }

    /// What is to be remembered from now on; nil where that is nothing new.
    public mutating func takeMemory() -> String? {
        guard isChanged else { return nil }
        isChanged = false
        let text = AlertMemory(book.snapshot).text
        guard text != written else { return nil }
        written = text
        return text
    }

    /// Gives what is to be remembered once more.
    public mutating func rememberAll() { (written, isChanged) = ("", true) }

    /// Has notices told that were held back, but what was over before it fell due, as is known by now.
    private mutating func tell(first held: [AlertNotice]) {
        var ends: [String: Timestamp] = [:]
        for notice in notices {
            if case .cleared = notice.change { ends[notice.alert] = min(notice.at, ends[notice.alert] ?? notice.at) }
        }
        notices.insert(contentsOf: held.filter { held in ends[held.alert].map { held.at < $0 } ?? true }, at: 0)
        touched.formUnion(held.map(\.item))
    }

    /// The alerts about an item that stand and were told.
    public func standing(of item: String) -> [AlertState] { book.standing(of: item) }

    private mutating func take(_ more: [AlertNotice]) {
        isChanged = true
        nextDeadline = book.nextDeadline
        notices += more
        for notice in more { touched.insert(notice.item) }
    }
}
