internal import Bytes
internal import Identity
public import Presence
public import Sightings

/// Regions and proximity of one node: what is heard becomes crossings, and what stands retained of them.
struct NodePresence: Sendable {
    /// A beacon whose last window is older than this, in microseconds, is no longer said to be anywhere near.
    static let proximityMemory: Int64 = 300_000_000
    /// How often, in microseconds, beacons are looked through for such.
    static let proximityCheck: Int64 = 30_000_000

    private var monitor: RegionMonitor
    private var proximities = ProximityTable()
    private var transitions: [Transition] = []
    /// Items that were removed, whose proximity is to be withdrawn.
    private var removed: [String] = []
    private var checked: Timestamp

    /// - Parameter exitAfter: microseconds for regions without an exit time of their own; nil where that is learned.
    init(registry: Registry, at time: Timestamp, exitAfter: Int64?, restoring record: PresenceRecord?) {
        monitor =
            record.map { RegionMonitor(registry: registry, at: time, exitAfter: exitAfter, restoring: $0) }
            ?? RegionMonitor(registry: registry, at: time, exitAfter: exitAfter)
        checked = time
    }

    var nextDeadline: Timestamp? { monitor.nextDeadline }

    mutating func receive(_ hearing: Hearing) {
        guard !monitor.registry.regions.isEmpty else { return }
        monitor.receive(hearing, &transitions)
    }

    mutating func advance(to time: Timestamp) {
        monitor.advance(to: time, &transitions)
    }

    /// Nothing was listened to between two moments.
    mutating func gap(from start: Timestamp, to end: Timestamp) {
        monitor.gap(from: start, to: end, &transitions)
    }

    mutating func use(_ registry: Registry, at time: Timestamp) {
        let kept = Set(registry.items.map(\.id))
        removed += proximities.forget(monitor.registry.items.map(\.id).filter { !kept.contains($0) })
        monitor.use(registry, at: time, &transitions)
    }

    /// Gives regions without an exit time of their own another one; nil where that is to be learned.
    mutating func use(exitAfter: Int64?, at time: Timestamp) {
        monitor.use(exitAfter: exitAfter, at: time, &transitions)
    }

    /// Tells states anew: of the region at a place of the registry, or of all.
    mutating func determine(_ region: Int32?, at time: Timestamp) {
        monitor.requestState(of: region, at: time, &transitions)
    }

    /// Beacons that aren't items are no longer published: what stands of them is to be withdrawn. One that a region
    /// matches is told again with its next window.
    mutating func forgetStrangers() {
        let items = Set(monitor.registry.items.map(\.id))
        removed += proximities.forget(proximities.names.filter { !items.contains($0) })
    }

    /// Takes over what an earlier run has published of beacons, by their levels in topics. What names no item of the
    /// registry, and no beacon either, is withdrawn.
    mutating func inherit(_ names: [String], at time: Timestamp) {
        let items = Set(monitor.registry.items.map(\.id))
        for name in names {
            if items.contains(name) || BeaconID(name) != nil {
                proximities.inherit(name, at: time)
            } else {
                removed.append(name)
            }
        }
    }

    /// Goes on at an earlier time, as between two recordings: what lies between was not listened to.
    mutating func startAnew(at time: Timestamp) {
        monitor = RegionMonitor(
            registry: monitor.registry, at: time, exitAfter: monitor.exitAfter, restoring: monitor.record)
        checked = time
    }

    /// What a window says of its beacon's proximity; nil where that is nothing new.
    mutating func take(_ window: Window) -> (beacon: String, report: ProximityReport)? {
        proximities.take(window)
    }

    /// Beacons whose proximity is to be withdrawn.
    mutating func takeWithdrawn(at time: Timestamp) -> [String] {
        if time.microseconds(since: checked) >= Self.proximityCheck {
            checked = time
            removed += proximities.forget(before: time.advanced(byMicroseconds: -Self.proximityMemory))
        }
        defer { removed.removeAll() }
        return removed
    }

    /// Whether there is something to be told.
    var hasEvents: Bool { !transitions.isEmpty }

    /// What has happened since the last call.
    mutating func takeEffects(of node: String) -> NodeEffects {
        var effects = NodeEffects(record: monitor.takeChanges())
        for transition in transitions where transition.isNotified {
            var event = NodeEvent(
                node: node, epoch: "", seq: 0, at: transition.at, notBefore: transition.notBefore,
                kind: transition.kind)
            event.region = transition.regionID
            event.state = transition.state
            event.beacon = monitor.name(of: transition)
            effects.events.append(event)
        }
        transitions.removeAll(keepingCapacity: true)
        for place in monitor.takeChangedRegions() {
            effects.regions.append((monitor.registry.regions[Int(place)].id, monitor.report(of: place)))
        }
        return effects
    }

    /// How near beacons are.
    var nearness: [(beacon: String, report: ProximityReport)] { proximities.reports }

    /// How all regions stand.
    func reports() -> [(region: String, report: RegionReport)] {
        monitor.registry.regions.indices.map { (monitor.registry.regions[$0].id, monitor.report(of: Int32($0))) }
    }
}

/// What came of a stretch of time, to be kept and told.
public struct NodeEffects: Sendable {
    /// Events in their order; the ledger gives them epoch and seq.
    public var events: [NodeEvent] = []
    /// Regions that stand otherwise than before, retained.
    public var regions: [(region: String, report: RegionReport)] = []
    /// What is to be remembered over a restart.
    public var record: PresenceRecord

    /// Whether nothing is to be kept or told.
    public var isEmpty: Bool {
        events.isEmpty && regions.isEmpty && record.regions.isEmpty && record.beacons.isEmpty
            && record.removedRegions.isEmpty && record.removedBeacons.isEmpty
    }
}
