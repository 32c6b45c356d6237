internal import Alerts
internal import Bytes
internal import CloneDetection
internal import Configuration
internal import HouseTracking
internal import WireProtocol

/// The alerts of the house: their events, and what is retained of them.
final class AlertPublisher: FuserComponent {
    private var alerts: HouseAlerts
    /// Alerts that fell due while another fuser was to publish them.
    private var held = HeldNotices()
    /// Those of newly served shards, between release and takeover.
    private var due: [HeldNotice] = []
    /// The evidence of alerts about clones that stand or have just been cleared.
    private var cloned: [String: String] = [:]
    /// Items whose retained alerts another fuser overwrote while this one served.
    private var overwritten: Set<String> = []
    /// The times of purges whose alerts' ends are to be published: no record keeps them.
    private var purged: [String: Timestamp] = [:]

    init(_ alerts: HouseAlerts) { self.alerts = alerts }

    // MARK: Messages

    func receive(_ message: HouseMessage, _ turn: Turn) {
        switch message {
        case .location(.other(let location), let item, _): receive(location, of: item, turn)
        case .itemEvent(let event, let item):
            guard event.fuser != turn.identity.name else { return }
            let isServed = turn.serves(item)
            held.receiveEvent(event)
            if event.isReplayed {
                // The open alerts are retained, and only the last move tells where the item is.
                let known =
                    turn.persons.isPerson(item) ? turn.tracker.eventCount(of: item) : turn.tracker.moveCount(of: item)
                let isLast = event.itemSeq >= known
                if isLast, event.kind.isMove, !isServed { alerts.receive(event, of: item) }
                return
            }
            alerts.receiveEvent(event, of: item, isFollowed: !isServed, at: turn.time)
            if !isServed { alerts.receive(event, of: item) }
        case .alerts(let published, let item, let message):
            let isOwn = published?.fuser == turn.identity.name
            // Those of a fuser that has gone count for whoever finds them.
            let isFound = message.retained && !isOwn
            alerts.receiveRetained(published, of: item, counts: !turn.serves(item) || isFound, at: turn.time)
            guard !message.retained, published != nil, !isOwn, turn.serves(item), alerts.concerned.contains(item) else {
                return
            }
            overwritten.insert(item)
        case .location, .nodeStatus, .nodeInfo, .nodeRemoved, .scan, .window, .nodeEvent, .commandResult, .entry, .room,
            .telemetry, .battery, .occupancy, .lesson, .plan, .external:
            break
        }
    }

    /// A standby knows the alerts as well, and those of items that another fuser tracks.
    private func receive(_ location: Location, of item: String, _ turn: Turn) {
        guard !turn.serves(item) else { return }
        if location.isPerson || turn.persons.isPerson(item) {
            guard turn.persons.isPerson(item), location.fuser != turn.identity.name else { return }
            return alerts.receive(location, of: item, heard: turn.persons.lastHeard(of: item, turn) ?? location.at)
        }
        let heard = turn.follows(item) ? turn.tracker.lastHeard(of: item) : nil
        alerts.receive(location, of: item, heard: heard ?? location.at)
    }

    // MARK: Facts

    func outcomePublished(_ outcome: Household.Outcome, _ turn: Turn) {
        switch outcome {
        case .location(let item, let location):
            alerts.receive(location, of: item, heard: turn.persons.lastHeard(of: item, turn) ?? location.at)
        case .event(let item, let event): alerts.receive(event, of: item)
        case .occupancy, .stay, .lessonAdded, .lessonUndone: break
        }
    }

    func readingsReceived(_ readings: Telemetry, in window: Window, of item: String, _ turn: Turn) {
        guard let millivolts = readings.batteryMillivolts, !turn.tracker.isWaiting else { return }
        alerts.receive(millivolts: millivolts, of: item, at: window.to)
    }

    func clonesChanged(of item: String, _ evidence: CloneEvidence?, _ turn: Turn) {
        let isNew = !alerts.warnedOf.contains(item)
        cloned[item] = evidence?.text
        alerts.receive(areClonesSuspected: evidence != nil, of: item, at: turn.time)
        if isNew, evidence != nil { turn.emit { $0.entitiesChanged(of: item, turn) } }
    }

    func clonesKnown(_ suspected: Set<String>, _ turn: Turn) {
        alerts.endClones(except: suspected, at: turn.time)
    }

    func exitTimeChanged(_ exitTime: Duration, of item: String, _ turn: Turn) {
        alerts.setExitTime(exitTime, of: item)
    }

    func shardsReleased(_ handover: Handover, _ turn: Turn) {
        due = takeHeld(handover, turn)
        if !handover.lost.isEmpty { alerts.handOver() }
    }

    func shardsTakenOver(_ handover: Handover, _ turn: Turn) {
        let new = handover.new
        alerts.takeOver(due, at: turn.time) { new.contains(Topics.shardNumber(of: $0)) }
        due = []
    }

    /// The notices of newly served shards of which no event was received.
    private func takeHeld(_ handover: Handover, _ turn: Turn) -> [HeldNotice] {
        let new = handover.new
        return held.takeNotices { new.contains(Topics.shardNumber(of: $0)) }.map { notice in
            guard let publisher = turn.tracker.publisher(of: notice.item) else {
                return HeldNotice(notice: notice, isCutShort: true)
            }
            let end = handover.ends[publisher]?.advanced(by: -Household.handover)
            return HeldNotice(notice: notice, isCutShort: end.map { notice.at > $0 } ?? false)
        }
    }

    func messagesOverwritten(beside peers: [String: ShardSet], _ turn: Turn) {
        guard !turn.tracker.isWaiting else { return }
        for item in overwritten.sorted() where turn.serves(item) { repeatMessage(of: item, turn) }
        overwritten.removeAll()
    }

    /// Names items that alerts are about and nobody registered: nothing would ever be published of them.
    func confirmationEnded(_ turn: Turn) {
        let unknown = alerts.concerned.filter { item in
            !turn.items.isRegistered(item) && turn.tracker.lastHeard(of: item) == nil && !turn.persons.isPerson(item)
        }.sorted()
        guard !unknown.isEmpty else { return }
        turn.diagnostics.warn(
            "items of alerts", "alerts are about items that nobody registered: \(unknown.joined(separator: ", "))",
            about: unknown)
    }

    /// Applies other rules, and looks at the answers that stand: a condition may hold already.
    func configurationChanged(from old: FuserConfiguration, to new: FuserConfiguration, _ turn: Turn) {
        guard (old.alerts, old.awayAfter) != (new.alerts, new.awayAfter) else { return }
        alerts.use(rules: new.alerts, awayAfter: new.awayAfter, at: turn.time)
        guard !turn.tracker.isWaiting else { return }
        for item in alerts.concerned.sorted() {
            guard let location = turn.publication.location(of: item) else { continue }
            alerts.receive(location, of: item, heard: turn.persons.lastHeard(of: item, turn) ?? location.at)
        }
    }

    func deviceAdded(ofItem item: String, _ turn: Turn) {
        if alerts.warnedOf.contains(item) { repeatMessage(of: item, turn) }
    }

    // MARK: Calls of the pipeline

    /// True if `advance` publishes what messages have made due.
    func isDue(_ turn: Turn) -> Bool { !turn.tracker.isWaiting && alerts.hasNotices }

    /// Publishes what has become of alerts.
    func advance(_ turn: Turn) {
        // Until nodes are heard again it is not known on which clock they live.
        guard !turn.tracker.isWaiting else { return }
        alerts.advance(to: turn.time)
        defer { purged.removeAll() }
        guard alerts.hasNotices else { return }
        let (notices, items) = alerts.takeNotices()
        for notice in notices {
            let isKept = purged[notice.item].map { notice.at > $0 } ?? true
            if turn.serves(notice.item) {
                turn.publication.addEvent(makeEvent(notice, turn), of: notice.item, isKept: isKept)
            } else if isKept {
                held.holdNotice(notice)
            }
        }
        for item in items where turn.serves(item) { publishAlerts(item, turn) }
    }

    func nextDeadline(_ house: FuserHouse) -> Timestamp? {
        house.tracker.isWaiting ? nil : alerts.nextDeadline.flatMap { house.time.wallTime(at: $0) }
    }

    func eraseData(_ erasure: Erasure, _ turn: Turn) -> PurgeReport {
        var report = PurgeReport()
        guard erasure.isWhole else { return report }
        _ = held.takeNotices { $0 == erasure.item }
        cloned[erasure.item] = nil
        if erasure.isPurge { purged[erasure.item] = turn.time }
        alerts.forget(erasure.item, at: turn.time)
        report.messages = turn.publication.clear(
            answer: turn.identity.topics.itemAlert(erasure.item), in: erasure, turn)
        return report
    }

    func store(in effects: inout FuserEffects, _ request: StoreRequest, _ turn: Turn) {
        effects.alerts = alerts.takeMemory()
    }

    func storeEverything(_ turn: Turn) { alerts.rememberAll() }

    // MARK: Answers

    /// The items that alerts are about.
    var subjects: Set<String> { alerts.warnedOf }

    /// Silences the alerts about an item until `end`; false if too many items are silenced.
    func silence(_ item: String, until end: Timestamp, at time: Timestamp) -> Bool {
        alerts.silence(item, until: end, at: time)
    }

    /// The ends of silences; some may have passed.
    var silences: [Crossing.Subject: Timestamp] { alerts.silences }

    // MARK: Publishing

    private func publishAlerts(_ item: String, _ turn: Turn) {
        let standing = alerts.standing(of: item).map { state in
            ItemAlerts.Alert(
                id: state.alert, rule: state.kind.rawValue, since: state.since, count: state.told,
                evidence: state.kind == .cloned ? cloned[item] : nil)
        }
        let message = ItemAlerts(fuser: turn.identity.name, alerts: standing)
        let payload = standing.isEmpty ? [] : turn.publication.payload { message.write(to: &$0) }
        turn.publication.retain(behindEvents: turn.identity.topics.itemAlert(item), payload)
    }

    private func repeatMessage(of item: String, _ turn: Turn) {
        turn.publication.repeatMessage(turn.identity.topics.itemAlert(item))
    }

    private func makeEvent(_ notice: AlertNotice, _ turn: Turn) -> ItemEvent {
        let (seq, itemSeq) = turn.tracker.countEvent(of: notice.item, isCounted: false, at: notice.at)
        var kind = ItemEvent.Kind.alert
        var (count, reason): (Int?, String?) = (nil, nil)
        switch notice.change {
        case .told(let times): count = times
        case .cleared(let why): (kind, reason) = (.cleared, why.rawValue)
        }
        // Two fusers with one rule publish one alert under one id.
        let id = ItemEvent.id(
            item: notice.item, kind: kind, room: notice.alert, node: reason ?? "",
            epoch: "\(notice.since.microseconds)", seq: UInt64(count ?? 0))
        var event = ItemEvent(
            fuser: turn.identity.name, epoch: turn.identity.epoch, seq: seq, itemSeq: itemSeq, id: id, at: notice.at,
            notBefore: min(notice.since, notice.at), kind: kind, room: nil, previous: nil)
        (event.alert, event.rule) = (notice.alert, notice.kind.rawValue)
        (event.count, event.reason) = (count, reason)
        if notice.kind == .cloned, kind == .alert { event.evidence = cloned[notice.item] }
        return event
    }
}
