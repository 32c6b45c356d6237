internal import Alerts
internal import Bytes
internal import Configuration
internal import Crypto
internal import Identity
internal import System
internal import WireProtocol

/// The results of a node's crossings: their events, the alerts, and the reactions.
///
///     var reactions = NodeReactions(node: "kitchen", rules: …, reactions: …, remembering: store.memory)
///     reactions.begin(at: now)                           // once
///     reactions.receive(crossing)                        // each, in the order of their time
///     reactions.advance(to: now)                         // at `nextDeadline`
///     let outcome = reactions.take()                     // to be stored in one transaction, then published and done
///
/// It does no I/O and has time as a parameter. A reaction to a region or an item is carried out at most once: a node
/// that is killed between the storing and the reaction doesn't repeat it after its restart.
struct NodeReactions: Sendable {
    /// The results of a period of time.
    struct Outcome: Sendable {
        /// Events in their order; the ledger numbers them.
        var events: [NodeEvent] = []
        /// The actions, in order.
        var actions: [NodeAction] = []
        /// Items with a change of their open alerts.
        var items: Set<String> = []
        /// The new state to persist; nil if it is unchanged.
        var memory: String?
    }

    /// The node.
    let node: String
    /// The items that must be watched, in order.
    private(set) var items: [String]
    /// Those with alerts, which need their exit times.
    private(set) var alertItems: [String]
    /// The time for the next call of `advance`; nil while nothing waits.
    private(set) var nextDeadline: Timestamp?
    /// True if there are results to return.
    private(set) var hasOutcome = false

    private var reactions: [Crossing.Subject: Reactions]
    private var book: AlertBook
    private var ledger: VisitLedger
    private var remembered: AlertSnapshot
    private var written: String
    private var outcome = Outcome()
    private var retries = OfferRetries()

    /// Reactions of a node that hasn't begun.
    ///
    /// - Parameter text: the state of an earlier run, as returned in ``Outcome/memory``.
    init(node: String, rules: [AlertRule] = [], reactions: [Reactions] = [], remembering text: String? = nil) {
        self.node = node
        self.reactions = Self.bySubject(reactions)
        let memory = text.flatMap { AlertMemory(text: $0) } ?? AlertMemory()
        // A visit is of no use to a subject without offers.
        let offering = Set(reactions.filter(\.makesOffers).map(\.subject))
        ledger = VisitLedger(memory.visits.filter { offering.contains($0.subject) })
        remembered = memory.alerts
        written = text ?? ""
        book = AlertBook(rules: rules)
        (items, alertItems) = Self.watchedItems(rules, reactions)
    }

    /// Replaces rules and reactions. Alerts, silences, visits and offers that are still configured go on.
    mutating func use(rules: [AlertRule], reactions: [Reactions], at time: Timestamp) {
        self.reactions = Self.bySubject(reactions)
        (items, alertItems) = Self.watchedItems(rules, reactions)
        recordNotices(book.use(rules: rules, at: time), notBefore: time)
        let offering = Set(reactions.filter(\.makesOffers).map(\.subject))
        ledger = VisitLedger(ledger.snapshot.filter { offering.contains($0.subject) })
        retries.removeAll { !ledger.isOwed($0.name, to: $0.subject, isOfExit: $0.isOfExit) }
        markChanged()
    }

    /// Records where an item is that alerts are about from now on.
    mutating func determine(_ item: String, isInside: Bool, at time: Timestamp) {
        recordNotices(
            book.receive(Crossing(.item(item), .determined(isInside: isInside), at: time)), notBefore: time)
        markChanged()
    }

    private static func bySubject(_ reactions: [Reactions]) -> [Crossing.Subject: Reactions] {
        Dictionary(reactions.map { ($0.subject, $0) }) { first, _ in first }
    }

    /// The items that must be watched, and those of them with alerts, in order.
    private static func watchedItems(
        _ rules: [AlertRule], _ reactions: [Reactions]
    ) -> (all: [String], withAlerts: [String]) {
        let alertItems = Set(rules.flatMap { [$0.item] + $0.companions })
        let reacting = reactions.compactMap { if case .item(let id) = $0.subject { id } else { nil } }
        return (alertItems.union(reacting).sorted(), alertItems.sorted())
    }

    /// Regions, and implicit ones of all items that must be watched. An item's exit time is that of the user's region
    /// of it.
    func watched(beside regions: [Region]) -> [Region] {
        let given = Dictionary(regions.map { ($0.members, $0.exitAfter) }) { first, _ in first }
        return regions + items.map { Region.implicit(item: $0, exitAfter: given[.item($0)] ?? nil) }
    }

    /// Restores the persisted state at the first moment.
    mutating func begin(at time: Timestamp) {
        recordNotices(book.restore(remembered, at: time), notBefore: time)
        remembered = AlertSnapshot()
        restoreOffers(at: time)
        markChanged()
    }

    /// Records an offer that could not be made: it is made later if the visit lasts.
    mutating func delay(_ attempt: OfferAttempt, because reason: String, at time: Timestamp) {
        ledger.owe(attempt.name, to: attempt.subject, isOfExit: attempt.isOfExit)
        guard ledger.isOwed(attempt.name, to: attempt.subject, isOfExit: attempt.isOfExit) else { return }
        retries.add(attempt, because: reason, at: time)
        markChanged()
    }

    /// The offers that could not be made so far, with the reasons.
    var offerProblems: [String] { retries.problems }

    /// Sets the silence of items before their exits are decided.
    mutating func setExitTimes(_ times: [(item: String, time: Duration)]) {
        for time in times { book.setExitTime(time.time, of: time.item) }
        findDeadline()
    }

    /// Processes a crossing, after the steps that were due before it.
    mutating func receive(_ crossed: NodeCrossing) {
        let crossing = crossed.crossing
        recordNotices(book.advance(to: crossing.at.advanced(by: .microseconds(-1))), notBefore: crossing.at)
        if let event = crossed.event { outcome.events.append(event) }
        recordNotices(book.receive(crossing), notBefore: crossing.notBefore)
        react(to: crossing, item: crossed.item)
        retryOffers(at: crossing.at)
        markChanged()
    }

    /// Removes items that are no longer registered, with their alerts.
    mutating func forget(_ items: some Sequence<String>, at time: Timestamp) {
        for item in items { recordNotices(book.forget(item, at: time), notBefore: time) }
        markChanged()
    }

    /// Records that the wall clock was set forward by `step`, or back if negative.
    mutating func clockStepped(by step: Duration) {
        book.clockStepped(by: step)
        retries.clockStepped(by: step)
        markChanged()
    }

    /// Carries out the steps that are due at `time`.
    mutating func advance(to time: Timestamp) {
        recordNotices(book.advance(to: time), notBefore: time)
        retryOffers(at: time)
        markChanged()
    }

    /// Silences an item or a region until `end`. Returns false if too many are silenced.
    mutating func silence(_ subject: Crossing.Subject, until end: Timestamp, at time: Timestamp) -> Bool {
        guard book.silence(subject, until: end, at: time) else { return false }
        markChanged()
        return true
    }

    /// The open alerts about an item that were published.
    func standing(of item: String) -> [String] {
        book.standing(of: item).map(\.alert)
    }

    /// Makes the next outcome contain the whole state, as for a new store.
    mutating func rememberAll() {
        written = ""
        hasOutcome = true
    }

    /// The results since the last call.
    mutating func takeOutcome() -> Outcome {
        guard hasOutcome else { return Outcome() }
        hasOutcome = false
        let memory = AlertMemory(book.snapshot, ledger.snapshot).text
        if memory != written, !written.isEmpty || memory != AlertMemory().text {
            written = memory
            outcome.memory = memory
        }
        defer { outcome = Outcome() }
        return outcome
    }

    // MARK: Pieces

    private mutating func markChanged() {
        hasOutcome = true
        findDeadline()
    }

    private mutating func findDeadline() {
        nextDeadline = [book.nextDeadline, retries.nextDeadline].compactMap { $0 }.min()
    }

    /// Makes the waiting offers of visits that last, and drops those of visits that are over.
    private mutating func retryOffers(at time: Timestamp) {
        retries.removeAll { !ledger.isOwed($0.name, to: $0.subject, isOfExit: $0.isOfExit) }
        for attempt in retries.takeDue(at: time, unless: { book.isSilenced($0, at: time) })
        where ledger.retry(attempt.name, to: attempt.subject, isOfExit: attempt.isOfExit) {
            outcome.actions.append(.offer(attempt))
        }
    }

    /// Restores the waiting offers of an earlier run for visits that last.
    private mutating func restoreOffers(at time: Timestamp) {
        for visit in ledger.snapshot {
            guard let reactions = reactions[visit.subject] else { continue }
            let kinds: [Crossing.Kind] = visit.hasEnded ? [.exit] : [.enter, .determined(isInside: true)]
            for kind in kinds {
                let crossing = Crossing(visit.subject, kind, at: visit.since)
                for case .offer(let offer) in reactions.reactions(to: kind) {
                    let attempt = makeAttempt(offer, at: crossing, item: nil)
                    guard ledger.isOwed(attempt.name, to: attempt.subject, isOfExit: attempt.isOfExit) else { continue }
                    retries.add(attempt, because: "that failed before the restart", at: time)
                }
            }
        }
    }

    private func makeAttempt(_ offer: Offer, at crossing: Crossing, item: String?) -> OfferAttempt {
        // The persisted state doesn't contain its text, which may be private.
        let name = SHA256.hex(offer.id, digits: 16)
        var offer = offer
        if case .program(let command) = offer.way {
            offer.way = .program(ReactionValues(crossing, item: item).expand(command))
        }
        return OfferAttempt(
            offer: offer, name: name, subject: crossing.subject, isOfExit: crossing.kind == .exit,
            label: "on_\(crossing.kind.word) of \(crossing.subject.id): offer")
    }

    private mutating func recordNotices(_ notices: [AlertNotice], notBefore: Timestamp) {
        for notice in notices {
            outcome.items.insert(notice.item)
            outcome.events.append(NodeEvent(notice, node: node, notBefore: notBefore))
        }
    }

    private mutating func react(to crossing: Crossing, item: String?) {
        guard let reactions = reactions[crossing.subject] else { return }
        if reactions.makesOffers { ledger.receive(crossing) }
        guard !book.isSilenced(crossing.subject, at: crossing.at) else { return }
        let values = ReactionValues(crossing, item: item)
        let cause = "on_\(crossing.kind.word) of \(crossing.subject.id)"
        for reaction in reactions.reactions(to: crossing.kind) {
            switch reaction {
            case .publish(let publication): outcome.actions.append(.publish(publication.message(values)))
            case .run(let command):
                outcome.actions.append(.run(values.expand(command), label: "\(cause): \(command.program)"))
            case .offer(let offer):
                let attempt = makeAttempt(offer, at: crossing, item: item)
                guard ledger.makes(attempt.name, at: crossing) else { continue }
                outcome.actions.append(.offer(attempt))
            }
        }
    }
}

extension NodeEvent {
    /// The event of a notice. The earliest possible time of a clearing is `notBefore`.
    fileprivate init(_ notice: AlertNotice, node: String, notBefore: Timestamp) {
        let kind: Kind
        var earliest = notice.since
        var (count, reason): (Int?, String?) = (nil, nil)
        switch notice.change {
        case .told(let times): (kind, count) = (.alert, times)
        case .cleared(let why): (kind, earliest, reason) = (.cleared, notBefore, why.rawValue)
        }
        self.init(
            node: node, epoch: "", seq: 0, at: notice.at, notBefore: min(earliest, notice.at), kind: kind)
        alert = notice.alert
        rule = notice.kind.rawValue
        item = notice.item
        self.count = count
        self.reason = reason
    }
}

extension Reactions {
    /// True if there is an offer among them.
    fileprivate var makesOffers: Bool {
        (onDetermined + onEnter + onExit).contains { if case .offer = $0 { true } else { false } }
    }
}
