internal import Batteries
internal import Bytes
internal import HouseTracking
internal import Identity
internal import Metrics
internal import WireProtocol

/// The batteries of items: what their transmitters say of them, and when each is to be changed.
final class BatteryPublisher: FuserComponent {
    /// Items whose batteries are watched; later ones are left out and counted.
    var capacity = 20_000
    /// The time between two estimates of items that are not heard.
    private static let pause = Duration.hours(1)

    /// The battery of an item.
    private struct Watched {
        var history: BatteryHistory
        var cell: BatteryCell
        var estimate: BatteryEstimate?
        /// True if a grade was published, or would have been by the fuser that serves the item.
        var isReported = false
        var isUnstored = false
    }

    /// True if items are labels of metrics.
    private let showsItems: Bool
    private var batteries: [String: Watched] = [:]
    /// Items whose state is to be deleted.
    private var gone: Set<String> = []
    /// Items whose retained report another fuser overwrote while this one served.
    private var overwritten: Set<String> = []
    /// The time between two scans of any node beyond which nothing listened.
    private static let gap = Duration.minutes(10)
    /// The time in which nodes have listened without a pause, in this run; nil before.
    private var listening: ClosedRange<Timestamp>?
    /// The time of the next estimate of all items.
    private var due: Timestamp?
    /// Windows, readings and reports since the start that were left out for want of room.
    private var dropped: UInt64 = 0

    /// The batteries that an earlier run stored, by their items.
    init(remembering rows: [String: String] = [:], showsItems: Bool = false) {
        self.showsItems = showsItems
        for (item, text) in rows where batteries.count < capacity {
            guard let history = BatteryHistory(text: text) else { continue }
            batteries[item] = Watched(history: history, cell: .cr2032)
        }
    }

    // MARK: Messages

    func receive(_ message: HouseMessage, _ turn: Turn) {
        switch message {
        case .scan: noteScan(at: turn.time)
        case .battery(let report?, let item, let message): receive(report, of: item, message, turn)
        case .battery, .nodeStatus, .nodeInfo, .nodeRemoved, .window, .nodeEvent, .commandResult, .entry, .location,
            .itemEvent, .alerts, .room, .telemetry, .occupancy, .lesson, .plan, .external:
            break
        }
    }

    private func noteScan(at time: Timestamp) {
        if listening == nil { due = time }
        guard let before = listening, before.upperBound <= time, time.duration(since: before.upperBound) <= Self.gap
        else { return listening = time...time }
        listening = before.lowerBound...time
    }

    /// The history of a battery that another fuser or an earlier run followed, and this one did not.
    private func receive(_ report: BatteryReport, of item: String, _ message: Message, _ turn: Turn) {
        if !message.retained, report.fuser != turn.identity.name, turn.serves(item) { overwritten.insert(item) }
        guard let until = report.until, watch(item, turn) else { return }
        batteries[item]?.history.adopt(
            levels: report.levels, until: until, since: report.since, isPercent: report.percent != nil)
        if batteries[item]?.isReported == false { estimate(item, turn) }
    }

    /// Returns true if an item's battery is watched; false, and counted, if there is no room for it.
    private func watch(_ item: String, _ turn: Turn) -> Bool {
        if batteries[item] != nil { return true }
        guard !turn.persons.isPerson(item) else { return false }
        guard batteries.count < capacity else {
            dropped += 1
            return false
        }
        batteries[item] = Watched(history: BatteryHistory(), cell: cell(of: item, turn))
        return true
    }

    private func cell(of item: String, _ turn: Turn) -> BatteryCell {
        BatteryCell(tags: turn.items.entry(item)?.item?.tags ?? [])
    }

    // MARK: Facts

    func windowAccepted(_ window: Window, of item: String, isRegistered: Bool, _ turn: Turn) {
        let known = batteries.index(forKey: item)
        guard let place = known ?? (isRegistered ? addPlace(for: item, turn) : nil) else { return }
        let length = window.to.duration(since: window.from).seconds
        let interval = window.expected.flatMap { $0 > 0 ? length / $0 : nil }
        // In its place: a copy of the history would be dear.
        let isNew = batteries.values[place].history.hear(
            from: window.node, level: window.rssi?.mean, interval: interval, at: turn.time)
        if isNew { estimate(item, turn) }
    }

    /// Adds a battery to those that are watched; nil if there is no room for it.
    private func addPlace(for item: String, _ turn: Turn) -> Dictionary<String, Watched>.Index? {
        watch(item, turn) ? batteries.index(forKey: item) : nil
    }

    func readingsReceived(_ readings: Telemetry, in window: Window, of item: String, _ turn: Turn) {
        guard let reading = BatteryReading(readings), watch(item, turn), let cell = batteries[item]?.cell else {
            return
        }
        if batteries[item]?.history.record(reading, at: turn.time, cell: cell) == true { estimate(item, turn) }
    }

    func entryChanged(of item: String, _ turn: Turn) {
        guard batteries[item] != nil else { return }
        batteries[item]?.cell = cell(of: item, turn)
        if batteries[item]?.isReported == true { estimate(item, turn) }
    }

    func shardsTakenOver(_ handover: Handover, _ turn: Turn) {
        for item in batteries.keys.sorted() where handover.new.contains(level: item) { publish(item, turn) }
    }

    func messagesOverwritten(beside peers: [String: ShardSet], _ turn: Turn) {
        for item in overwritten.sorted() where turn.serves(item) {
            turn.publication.repeatMessage(turn.identity.topics.itemBattery(item))
        }
        overwritten.removeAll()
    }

    func deviceAdded(ofItem item: String, _ turn: Turn) {
        if isReported(item) { turn.publication.repeatMessage(turn.identity.topics.itemBattery(item)) }
    }

    // MARK: Estimates

    /// Estimates the batteries of items that are not heard; those that are heard are estimated at each full hour.
    func advance(_ turn: Turn) {
        guard let due, turn.time >= due, !turn.tracker.isWaiting else { return }
        self.due = turn.time.advanced(by: Self.pause)
        for item in batteries.keys.sorted() { estimate(item, turn) }
    }

    func nextDeadline(_ house: FuserHouse) -> Timestamp? {
        house.tracker.isWaiting ? nil : due.flatMap { house.time.wallTime(at: $0) }
    }

    private func estimate(_ item: String, _ turn: Turn) {
        guard var battery = batteries[item], !turn.items.isWithdrawn(item) else { return }
        _ = battery.history.advance(to: turn.time)
        if battery.estimate == nil { battery.cell = cell(of: item, turn) }
        let estimate = BatteryEstimate(
            battery.history, cell: battery.cell, at: turn.time,
            listening: listening ?? turn.time...turn.time)
        if estimate.reason == .silent { battery.history.noteSilence() }
        battery.isUnstored = battery.isUnstored || battery.estimate != estimate
        battery.estimate = estimate
        let wasReported = battery.isReported
        // Nothing is published of an item that says nothing of its battery, unless its cadence does.
        battery.isReported = wasReported || estimate.reason != .noReadings
        batteries[item] = battery
        publish(item, turn)
        if battery.isReported != wasReported { turn.emit { $0.entitiesChanged(of: item, turn) } }
    }

    private func publish(_ item: String, _ turn: Turn) {
        guard turn.serves(item), let battery = batteries[item], battery.isReported, let estimate = battery.estimate,
            !turn.items.isWithdrawn(item)
        else { return }
        let report = BatteryReport(estimate, battery.history, fuser: turn.identity.name)
        turn.publication.retain(
            turn.identity.topics.itemBattery(item), turn.publication.payload { report.write(to: &$0) })
    }

    // MARK: Calls of the pipeline

    func eraseData(_ erasure: Erasure, _ turn: Turn) -> PurgeReport {
        var report = PurgeReport()
        let item = erasure.item
        guard erasure.isWhole else {
            if let moment = erasure.moment, batteries[item] != nil {
                batteries[item]?.history.forget(before: moment)
                batteries[item]?.isUnstored = true
                estimate(item, turn)
            }
            return report
        }
        guard !turn.persons.isPerson(item), !turn.persons.isUnnamed(item, turn) else { return report }
        overwritten.remove(item)
        if batteries.removeValue(forKey: item) != nil { gone.insert(item) }
        report.messages = turn.publication.clear(answer: turn.identity.topics.itemBattery(item), in: erasure, turn)
        return report
    }

    func store(in effects: inout FuserEffects, _ request: StoreRequest, _ turn: Turn) {
        guard request.remembers else { return }
        effects.goneBatteries = gone.sorted()
        gone.removeAll()
        for (item, battery) in batteries where battery.isUnstored || (request.isLast && battery.isReported) {
            effects.batteries[item] = battery.history.text
            batteries[item]?.isUnstored = false
        }
    }

    func storeEverything(_ turn: Turn) {
        for item in batteries.keys { batteries[item]?.isUnstored = true }
    }

    // MARK: Answers

    /// True if there are readings of an item's battery.
    func hasHistory(of item: String) -> Bool { batteries[item] != nil }

    /// True if a report of an item's battery is published.
    func isReported(_ item: String) -> Bool { batteries[item]?.isReported ?? false }

    // MARK: Diagnostics

    /// Warns of what was left out since the start, to a power of ten.
    func warnOfDropped(in diagnostics: Diagnostics) {
        guard dropped > 0 else { return }
        diagnostics.warn(
            ofOngoing: "batteries left out",
            """
            left out of batteries so far: \(Diagnostics.power(of: dropped)) or more windows, readings and reports \
            of more items than there is room for
            """)
    }

    /// The metrics of batteries.
    var metrics: [MetricFamily] {
        let known = batteries.lazy.filter(\.value.isReported)
        let counts = Dictionary(grouping: known.compactMap(\.value.estimate), by: \.grade)
        let grades = BatteryReport.Grade.allCases.map { ($0.rawValue, Double(counts[$0]?.count ?? 0)) }
        var families: [MetricFamily] = [
            .gauges("whereabouts_batteries", "Batteries of items by the urgency of a change.", by: "grade", grades),
            .counter(
                "whereabouts_battery_messages_dropped_total",
                "Windows, readings and reports that were left out, since there was no room for their item's battery.",
                dropped),
        ]
        guard showsItems else { return families }
        let items = known.sorted { $0.key < $1.key }
        families.append(
            .gauges(
                "whereabouts_item_battery_volts", "The voltage of an item's battery.", by: "item",
                items.compactMap { item, battery in
                    guard let estimate = battery.estimate, estimate.cell != .percent else { return nil }
                    return estimate.level.map { (item, $0 / 1000) }
                }))
        families.append(
            .gauges(
                "whereabouts_item_battery_charge_ratio", "The charge of an item's battery, as it sends it.", by: "item",
                items.compactMap { item, battery in
                    guard let estimate = battery.estimate, estimate.cell == .percent else { return nil }
                    return estimate.level.map { (item, $0 / 100) }
                }))
        families.append(
            .gauges(
                "whereabouts_item_battery_remaining_seconds", "The time that an item's battery is estimated to last.",
                by: "item",
                items.compactMap { item, battery in battery.estimate?.trend.map { (item, $0.days * 86_400) } }))
        return families
    }
}

extension BatteryReport {
    /// The report of an estimate.
    fileprivate init(_ estimate: BatteryEstimate, _ history: BatteryHistory, fuser: String) {
        self.init(fuser: fuser, grade: estimate.grade, reason: estimate.reason, cell: estimate.cell.rawValue)
        let level = estimate.level.map { Int($0.rounded()) }
        if estimate.cell == .percent { percent = level } else { millivolts = level }
        (days, daysLow, daysHigh) = (estimate.trend?.days, estimate.trend?.low, estimate.trend?.high)
        (since, silentSince) = (history.since, estimate.silentSince)
        (until, levels) = history.dailyLevels
    }
}
