internal import Alerts
internal import Bytes
internal import HouseTracking
internal import WireProtocol

/// Words of warning, and what beacons say of themselves.
extension FuserPipeline {
    /// Tells what has become of alerts.
    mutating func warn(at wall: Timestamp, _ outbox: inout [Message]) {
        // Until nodes are heard again it isn't known on which clock they live.
        guard !household.isWaiting else { return }
        alerts.advance(to: clock.time(atWall: wall))
        guard alerts.hasNotices else { return }
        let (notices, items) = alerts.takeNotices()
        for notice in notices {
            guard serves(notice.item) else {
                held.hold(notice)
                continue
            }
            effects.events.append(.init(item: notice.item, event: event(notice)))
        }
        for item in items where serves(item) {
            let standing = alerts.standing(of: item).map { state in
                ItemAlerts.Alert(id: state.alert, rule: state.kind.rawValue, since: state.since, count: state.told)
            }
            let told = ItemAlerts(fuser: household.settings.fuser, alerts: standing)
            retained.retain(
                behindEvents: topics.itemAlert(item), standing.isEmpty ? [] : payload { told.write(to: &$0) })
        }
    }

    /// Names items that alerts are about and nobody registered: nothing would ever be told of them.
    mutating func judgeAlerts() {
        let unknown = alerts.concerned.filter { isNowhere($0) && !persons.contains($0) }.sorted()
        guard !unknown.isEmpty else { return }
        diagnostics.warn(
            "items of alerts", "alerts are about items that nobody registered: \(unknown.joined(separator: ", "))")
    }

    /// Takes what the broker retains of the alerts about an item, from another fuser or an earlier run.
    mutating func hear(alertsIn message: Message, of item: String, at wall: Timestamp) throws(PayloadFault) {
        let word = message.payload.isEmpty ? nil : try ItemAlerts(payload: message.payload.span)
        if message.retained, let teller = word?.fuser,
            teller == household.settings.fuser || formerFusers.contains(teller)
        {
            retained.inherit(message.topic)
        }
        // Of one that has gone it counts for whoever finds it.
        let isFound = message.retained && word?.fuser != household.settings.fuser
        alerts.hear(word, of: item, counts: !serves(item) || isFound, at: clock.time(atWall: wall))
        guard !message.retained, serves(item), alerts.concerned.contains(item) else { return }
        if let publisher = word?.fuser, publisher != household.settings.fuser { contestedAlerts.insert(item) }
    }

    /// Holds the alerts about an item back for so many microseconds; 0 ends that.
    mutating func silence(_ item: String, for duration: Int64, at wall: Timestamp) throws(CommandFault)
        -> FuserAnswer
    {
        let now = clock.time(atWall: wall)
        guard alerts.silence(item, until: now.advanced(byMicroseconds: duration), at: now) else {
            throw .failed("\(AlertBook.silenceBound) items are silenced, and there is no room for more")
        }
        return .done
    }

    /// Takes what a window brought of an item's beacon itself.
    mutating func note(_ readings: Telemetry, _ window: Window, of item: String, _ outbox: inout [Message]) {
        guard !readings.isEmpty else { return }
        if let millivolts = readings.batteryMillivolts, !household.isWaiting {
            alerts.receive(millivolts: millivolts, of: item, at: window.to)
        }
        guard serves(item), let latest = telemetry.take(readings, of: item, at: window.to) else { return }
        let told = payload { latest.write(to: &$0, at: window.to, node: window.node) }
        noteReadings(told, of: item)
        outbox.append(
            Message(topic: topics.itemTelemetry(item), payload: told, qos: .atLeastOnce, retained: true))
    }

    /// Notices of newly served shards of which no event was heard.
    ///
    /// - Parameter ends: the last signs of life of fusers that have gone, by their names.
    mutating func takeHeld(of shards: ShardSet, ends: [String: Timestamp]) -> [HeldNotice] {
        held.take { shards.contains(Topics.shardNumber(of: $0)) }.map { notice in
            guard let publisher = household.teller(of: notice.item) else {
                return HeldNotice(notice: notice, isCutShort: true)
            }
            let end = ends[publisher]?.advanced(byMicroseconds: -Household.handover)
            return HeldNotice(notice: notice, isCutShort: end.map { notice.at > $0 } ?? false)
        }
    }

    /// Publishes once more what stands of items whose retained alerts another fuser wrote over.
    mutating func repeatContestedAlerts(_ outbox: inout [Message]) {
        guard !household.isWaiting else { return }
        for item in contestedAlerts.sorted() where serves(item) {
            let topic = topics.itemAlert(item)
            outbox.append(retained[topic] ?? .clearing(topic))
        }
        contestedAlerts.removeAll()
    }

    private mutating func event(_ notice: AlertNotice) -> ItemEvent {
        let (seq, itemSeq) = household.countEvent(of: notice.item, at: notice.at)
        var kind = ItemEvent.Kind.alert
        var (count, reason): (Int?, String?) = (nil, nil)
        switch notice.change {
        case .told(let times): count = times
        case .cleared(let why): (kind, reason) = (.cleared, why.rawValue)
        }
        // Two fusers with one rule tell one alert under one id.
        let id = ItemEvent.id(
            item: notice.item, kind: kind, room: notice.alert, node: reason ?? "",
            epoch: "\(notice.since.microseconds)", seq: UInt64(count ?? 0))
        var event = ItemEvent(
            fuser: household.settings.fuser, epoch: household.settings.epoch, seq: seq, itemSeq: itemSeq, id: id,
            at: notice.at, notBefore: min(notice.since, notice.at), kind: kind, room: nil, previous: nil)
        (event.alert, event.rule) = (notice.alert, notice.kind.rawValue)
        (event.count, event.reason) = (count, reason)
        return event
    }
}
