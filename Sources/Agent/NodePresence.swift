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

    init(registry: Registry, at time: Timestamp, restoring record: PresenceRecord?) {
        monitor =
            record.map { RegionMonitor(registry: registry, at: time, restoring: $0) }
            ?? RegionMonitor(registry: registry, at: time)
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

    mutating func stopListening(at time: Timestamp) { monitor.stopListening(at: time, &transitions) }
    mutating func resumeListening(at time: Timestamp) { monitor.resumeListening(at: time, &transitions) }

    /// The wall clock was set forward by so many microseconds, or back.
    mutating func clockStepped(by step: Int64) {
        monitor.clockStepped(by: step)
        proximities.clockStepped(by: step)
        checked = checked.advanced(byMicroseconds: step)
    }

    mutating func use(_ registry: Registry, at time: Timestamp) {
        let kept = Set(registry.items.map(\.id))
        removed += proximities.forget(monitor.registry.items.map(\.id).filter { !kept.contains($0) })
        monitor.use(registry, at: time, &transitions)
    }

    /// Goes on at an earlier time, as between two recordings: what lies between was not listened to.
    mutating func startAnew(at time: Timestamp) {
        monitor = RegionMonitor(registry: monitor.registry, at: time, restoring: monitor.record)
        checked = time
    }

    /// What a window says of its beacon's proximity; nil where that is nothing new.
    mutating func take(_ window: Window) -> (beacon: String, report: ProximityReport)? {
        proximities.take(window)
    }

    /// Beacons whose proximity is to be withdrawn.
    mutating func forgetSilent(at time: Timestamp) -> [String] {
        defer { removed.removeAll() }
        guard time.microseconds(since: checked) >= Self.proximityCheck else { return removed }
        checked = time
        return removed + proximities.forget(before: time.advanced(byMicroseconds: -Self.proximityMemory))
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
