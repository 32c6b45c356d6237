internal import Alerts
internal import Bytes
internal import Configuration
internal import Identity
internal import Presence
internal import WireProtocol

/// Regions and proximity of one node: crossings, retained states, and reactions.
struct NodePresence: Sendable {
    /// The age of a beacon's last window, after which its proximity expires.
    static let proximityMemory: Duration = .minutes(5)
    /// The interval between searches for such beacons.
    static let proximityCheck: Duration = .seconds(30)

    private var monitor: RegionMonitor
    private var reactions: NodeReactions
    private var proximities = ProximityTable()
    private var transitions: [Transition] = []
    /// Removed items, with a proximity to withdraw.
    private var removed: [String] = []
    private var checked: Timestamp
    /// The implicit regions of the items with alerts.
    private var alertPlaces: [(place: Int32, item: String)] = []

    /// - Parameter exitAfter: the time for regions without an exit time of their own; nil to learn it.
    init(
        registry: Registry, reactions: NodeReactions, at time: Timestamp, exitAfter: Duration?,
        restoring record: PresenceRecord?
    ) {
        self.reactions = reactions
        monitor =
            record.map { RegionMonitor(registry: registry, at: time, exitAfter: exitAfter, restoring: $0) }
            ?? RegionMonitor(registry: registry, at: time, exitAfter: exitAfter)
        checked = time
        self.reactions.begin(at: time)
        let registered = Set(registry.items.map(\.id))
        self.reactions.forget(reactions.alertItems.filter { !registered.contains($0) }, at: time)
        findAlertPlaces()
        updateExitTimes()
    }

    var nextDeadline: Timestamp? {
        guard let due = reactions.nextDeadline else { return monitor.nextDeadline }
        return min(due, monitor.nextDeadline ?? due)
    }

    mutating func receive(_ sighting: Sighting) {
        guard !monitor.registry.regions.isEmpty else { return }
        monitor.receive(sighting, &transitions)
    }

    mutating func advance(to time: Timestamp) {
        monitor.advance(to: time, &transitions)
        if !transitions.isEmpty { deriveEffects() }
        guard let due = reactions.nextDeadline, due <= time else { return }
        updateExitTimes()
        reactions.advance(to: time)
    }

    /// Passes the current exit times of the alerts' items to the alerts: while an exit may still be decided, no item
    /// counts as left alone.
    mutating func updateExitTimes() {
        guard !alertPlaces.isEmpty else { return }
        reactions.setExitTimes(
            alertPlaces.compactMap { alert in monitor.exitTime(of: alert.place).map { (alert.item, $0) } })
    }

    /// Finds the implicit regions of the items with alerts.
    private mutating func findAlertPlaces() {
        let items = Set(reactions.alertItems)
        alertPlaces = monitor.registry.regions.enumerated().compactMap { place, region in
            guard let item = Region.implicitItem(of: region.id), items.contains(item) else { return nil }
            return (Int32(place), item)
        }
    }

    /// Records a gap between two moments.
    mutating func gap(from start: Timestamp, to end: Timestamp) {
        monitor.gap(from: start, to: end, &transitions)
    }

    mutating func stopListening(at time: Timestamp) { monitor.stopListening(at: time, &transitions) }
    mutating func resumeListening(at time: Timestamp) { monitor.resumeListening(at: time, &transitions) }

    mutating func rememberAll() {
        monitor.rememberAll()
        reactions.rememberAll()
    }

    /// Records that the wall clock was set forward by `step`, or back if negative.
    mutating func clockStepped(by step: Duration) {
        deriveEffects()
        monitor.clockStepped(by: step)
        reactions.clockStepped(by: step)
        proximities.clockStepped(by: step)
        checked = checked.advanced(by: step)
    }

    mutating func use(_ registry: Registry, at time: Timestamp) {
        deriveEffects()
        let kept = Set(registry.items.map(\.id))
        let gone = monitor.registry.items.map(\.id).filter { !kept.contains($0) }
        removed += proximities.forget(gone)
        // Messages of a beacon under its own id are replaced by those of the item from now on.
        removed += proximities.forget(registry.items.flatMap { $0.identities.map(\.text) })
        reactions.forget(gone, at: time)
        monitor.use(registry, at: time, &transitions)
        findAlertPlaces()
    }

    /// Applies other alerts and reactions. What goes on under a rule or a reaction that stays, goes on.
    mutating func use(rules: [AlertRule], reactions changed: [Reactions], at time: Timestamp) {
        deriveEffects()
        let known = Set(reactions.alertItems)
        reactions.use(rules: rules, reactions: changed, at: time)
        findAlertPlaces()
        // An item that is watched already crosses no border because an alert is about it from now on.
        for (place, item) in alertPlaces where !known.contains(item) {
            let state = monitor.report(of: place).state
            if state != .unknown { reactions.determine(item, isInside: state == .inside, at: time) }
        }
        updateExitTimes()
    }

    /// Regions, and implicit ones of the items of alerts and reactions.
    func watched(beside regions: [Region]) -> [Region] { reactions.watched(beside: regions) }

    /// Sets the exit time of regions without one of their own; nil to learn it.
    mutating func use(exitAfter: Duration?, at time: Timestamp) {
        monitor.use(exitAfter: exitAfter, at: time, &transitions)
    }

    /// Publishes states again: of the region at a place of the registry, or of all.
    mutating func determine(_ region: Int32?, at time: Timestamp) {
        monitor.requestState(of: region, at: time, &transitions)
    }

    /// Withdraws the messages of beacons that aren't items. One that a region matches is published again with its next
    /// window.
    mutating func forgetStrangers() {
        let items = Set(monitor.registry.items.map(\.id))
        removed += proximities.forget(proximities.names.filter { !items.contains($0) })
    }

    /// Takes over an earlier run's messages of beacons, by their levels in topics. One that is neither an item of the
    /// registry nor a beacon is withdrawn.
    mutating func adoptProximities(_ names: [String], at time: Timestamp) {
        let items = Set(monitor.registry.items.map(\.id))
        for name in names {
            if items.contains(name) || BeaconID(name) != nil {
                proximities.adoptBeacon(name, at: time)
            } else {
                removed.append(name)
            }
        }
    }

    /// Continues at an earlier time, as between two recordings: the time between wasn't listened to.
    mutating func startAnew(at time: Timestamp) {
        monitor = RegionMonitor(
            registry: monitor.registry, at: time, exitAfter: monitor.exitAfter, restoring: monitor.record)
        checked = time
    }

    /// The proximity of a window's beacon; nil if it is unchanged.
    mutating func receive(_ window: Window) -> (beacon: String, report: ProximityReport)? {
        proximities.receive(window)
    }

    /// Beacons with a proximity to withdraw.
    mutating func takeWithdrawn(at time: Timestamp) -> [String] {
        if time.duration(since: checked) >= Self.proximityCheck {
            checked = time
            removed += proximities.forget(before: time.advanced(by: -Self.proximityMemory))
        }
        defer { removed.removeAll() }
        return removed
    }

    /// True if there is something to publish.
    var hasEvents: Bool { !transitions.isEmpty || reactions.hasOutcome }

    /// The effects since the last call, in the interval of this number.
    mutating func takeEffects(of interval: UInt64) -> NodeEffects {
        deriveEffects()
        var effects = NodeEffects(record: monitor.takeChanges())
        effects.interval = interval
        let outcome = reactions.takeOutcome()
        (effects.events, effects.actions, effects.memory) = (outcome.events, outcome.actions, outcome.memory)
        var changed = Set(monitor.takeChangedRegions())
        if !outcome.items.isEmpty {
            for (place, region) in monitor.registry.regions.enumerated() {
                if case .item(let id) = region.members, outcome.items.contains(id) { changed.insert(Int32(place)) }
            }
        }
        effects.regions = changed.sorted().compactMap(report)
        return effects
    }

    /// The proximity of beacons.
    var nearness: [(beacon: String, report: ProximityReport)] { proximities.reports }

    /// The states of all regions.
    func reports() -> [(region: String, report: RegionReport)] {
        monitor.registry.regions.indices.compactMap { report(of: Int32($0)) }
    }

    /// All subjects that can be silenced: the items with alerts and reactions, and the regions.
    var subjects: [Crossing.Subject] {
        Set(reactions.items + reactions.alertItems).sorted().map { .item($0) }
            + monitor.registry.regions.map(\.id).filter { Region.implicitItem(of: $0) == nil }.map { .region($0) }
    }

    /// Silences an item or a region. Throws if there is none of that id, or too many are silenced.
    mutating func silence(
        _ subject: Crossing.Subject, for duration: Duration, at time: Timestamp
    ) throws(CommandFault) {
        switch subject {
        case .item(let id):
            guard monitor.registry.items.contains(where: { $0.id == id }) || reactions.items.contains(id) else {
                throw .failed("there is no item '\(id)' here")
            }
        case .region(let id):
            guard monitor.registry.regions.contains(where: { $0.id == id }) else {
                throw .failed("there is no region '\(id)' here")
            }
        }
        guard reactions.silence(subject, until: time.advanced(by: duration), at: time) else {
            throw .failed(
                "\(AlertBook.silenceBound) items and regions are silenced already; wait, or end some with for: 0")
        }
    }

    /// Records an offer that could not be made, for the rest of the visit.
    mutating func delay(_ attempt: OfferAttempt, because reason: String, at time: Timestamp) {
        reactions.delay(attempt, because: reason, at: time)
    }

    /// The offers that could not be made so far, with the reasons.
    var offerProblems: [String] { reactions.offerProblems }

    // MARK: Pieces

    /// A region's report; nil for a region that isn't published.
    private func report(of place: Int32) -> (region: String, report: RegionReport)? {
        let region = monitor.registry.regions[Int(place)]
        guard Region.implicitItem(of: region.id) == nil else { return nil }
        var report = monitor.report(of: place)
        if case .item(let item) = region.members { report.alerts = reactions.standing(of: item) }
        return (region.id, report)
    }

    /// Derives the effects of transitions while the registry that they refer to is current.
    private mutating func deriveEffects() {
        for transition in transitions { reactions.receive(makeCrossing(transition)) }
        transitions.removeAll(keepingCapacity: true)
    }

    private func makeCrossing(_ transition: Transition) -> NodeCrossing {
        let kind: Crossing.Kind =
            switch transition.kind {
            case .enter: .enter
            case .exit: .exit
            case .determined, .proximity, .alert, .cleared: .determined(isInside: transition.state == .inside)
            }
        let implicit = Region.implicitItem(of: transition.regionID)
        let subject = implicit.map { Crossing.Subject.item($0) } ?? .region(transition.regionID)
        var crossing = NodeCrossing(
            crossing: Crossing(subject, kind, at: transition.at, notBefore: transition.notBefore))
        if transition.item != nil { crossing.item = monitor.name(of: transition) }
        guard implicit == nil, transition.isNotified else { return crossing }
        var event = NodeEvent(
            node: reactions.node, epoch: "", seq: 0, at: transition.at, notBefore: transition.notBefore,
            kind: transition.kind)
        event.region = transition.regionID
        event.state = transition.state
        event.beacon = monitor.name(of: transition)
        crossing.event = event
        return crossing
    }
}
