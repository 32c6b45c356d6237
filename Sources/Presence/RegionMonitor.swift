public import Bytes
public import Identity
public import WireProtocol

/// Watches regions by the received reports: reports every crossing exactly once, and no other.
///
///     var monitor = RegionMonitor(registry: registry, at: now, restoring: store.record)
///     monitor.receive(sighting, &transitions)             // every report, in the order of its time
///     monitor.advance(to: now, &transitions)             // at `nextDeadline` at the latest: exits come from timers
///     monitor.gap(from: stopped, to: resumed, &transitions)
///     for place in monitor.takeChangedRegions() { publish(monitor.report(of: place)) }
///     store.write(monitor.takeChanges())
///
/// Time is the caller's wall clock, as one line that must not step by itself. If the wall clock was set forward or back
/// by d, the caller calls ``clockStepped(by:)`` before it gives a time of the new setting (a clock that counts
/// suspended time, such as CLOCK_BOOTTIME, reveals the step). Silence is measured as if the clock had not been set, and
/// later reported times are those of the new setting. Time that otherwise goes back is held.
///
/// Silence counts only while the node listens. Time without listening (another use of the radio, a broken adapter, a
/// suspended machine, the outage before a restart) moves every deadline.
public struct RegionMonitor: Sendable {
    /// The maximum number of watched beacons. Of those outside all regions the least recently received ones are
    /// evicted; while all are inside, a further one is rejected.
    public static let beaconCapacity = 8192

    /// The registry in force.
    public internal(set) var registry: Registry {
        didSet { setWatches() }
    }
    /// Beacons rejected for lack of room, by reports.
    public internal(set) var refused: UInt64 = 0
    /// Beacons evicted for others.
    public internal(set) var evicted: UInt64 = 0

    /// The silence after which regions are left that have no exit time of their own; nil if that is
    /// learned.
    public internal(set) var exitAfter: Duration?
    var clock: ListeningClock
    var regions: [WatchedRegion]
    var beacons: [WatchedBeacon] = []
    var slots: [BeaconID: Int32] = [:]
    var deadlines = Deadlines()
    /// A Boolean value that is true if any region watches addresses, or web addresses: most nodes have none.
    var watchesAddresses = false
    var watchesURLs = false
    /// The time of the last report, on the line.
    var lastHeard = Timestamp(microseconds: .min)
    /// Changes that were not returned yet: slots of changed beacons, and removed regions and beacons.
    var unsaved: (beacons: [Int32], removedRegions: [String], removedBeacons: [BeaconID]) = ([], [], [])

    /// A monitor that begins to listen at `time`; no region's state is known.
    ///
    /// - Parameter exitAfter: the time for regions without an exit time of their own; nil if that is learned.
    public init(registry: Registry, at time: Timestamp, exitAfter: Duration? = nil) {
        self.registry = registry
        self.exitAfter = exitAfter
        clock = ListeningClock(at: time)
        regions = Self.watch(registry, exitAfter)
        setWatches()
        awaitAll()
    }

    mutating func setWatches() {
        watchesAddresses = registry.regionIndex.watchesAddresses
        watchesURLs = registry.regionIndex.watchesURLs
    }

    static func watch(_ registry: Registry, _ exitAfter: Duration?) -> [WatchedRegion] {
        let items = Dictionary(registry.items.map { ($0.id, $0) }) { first, _ in first }
        return registry.regions.map { WatchedRegion($0, exitAfter: $0.exitAfter ?? exitAfter, items: items) }
    }

    /// Beacons that are watched, inside and outside.
    public var beaconCount: Int { beacons.count }

    // MARK: Time

    /// The time at which `advance` must be called at the latest; nil while no deadline is pending.
    public var nextDeadline: Timestamp? {
        guard clock.stopped == nil, let first = deadlines.first else { return nil }
        return clock.time(clock.line(listened: first.listened))
    }

    /// Advances the time: due transitions are appended to `transitions`.
    public mutating func advance(to time: Timestamp, _ transitions: inout [Transition]) {
        advance(toLine: clock.line(time), &transitions)
    }

    /// Records a gap in listening from one moment to another, which doesn't count as silence.
    ///
    /// To be called as soon as it is over, or by ``stopListening(at:_:)`` as soon as it begins: an exit that was due in
    /// an unrecorded gap has been reported.
    public mutating func gap(from start: Timestamp, to end: Timestamp, _ transitions: inout [Transition]) {
        stopListening(at: start, &transitions)
        resumeListening(at: end, &transitions)
    }

    /// Records that listening stops; no deadline is due until ``resumeListening(at:_:)``.
    public mutating func stopListening(at time: Timestamp, _ transitions: inout [Transition]) {
        // A report proves that the node was listening.
        let line = max(clock.line(time), lastHeard)
        advance(toLine: line, &transitions)
        clock.stop(at: line)
    }

    /// Records that listening resumes.
    public mutating func resumeListening(at time: Timestamp, _ transitions: inout [Transition]) {
        clock.resume(at: clock.line(time))
        advance(to: time, &transitions)
    }

    /// Adjusts to a caller's clock that was set forward by `delta`, or back if it is negative: it is
    /// ahead by them from now on.
    public mutating func clockStepped(by delta: Duration) {
        clock.step(by: delta)
        for place in regions.indices { regions[place].isChanged = true }
        rememberAll()
    }

    /// Marks the whole state as changed, since an earlier one was lost: the next ``takeChanges()`` returns all of it.
    public mutating func rememberAll() {
        for place in regions.indices { regions[place].isDirty = true }
        for slot in beacons.indices { markDirty(slot) }
    }

    mutating func advance(toLine line: Timestamp, _ transitions: inout [Transition]) {
        if clock.stopped == nil {
            while let first = deadlines.first {
                let due = clock.line(listened: first.listened)
                guard due <= line else { break }
                for entry in takeFirstDeadlines() {
                    if entry.owner < 0 {
                        expire(region: Int(-1 - entry.owner), entry, due, &transitions)
                    } else {
                        expire(beacon: Int(entry.owner), entry, &transitions)
                    }
                }
            }
        }
        clock.advance(to: line)
    }

    /// Removes all entries of the earliest deadline. Regions come first, then beacons by their ids: a restart numbers
    /// their slots anew.
    private mutating func takeFirstDeadlines() -> [Deadlines.Entry] {
        let entries = deadlines.popFirst()
        guard entries.count > 1 else { return entries }
        let ofBeacons = entries.filter { $0.owner >= 0 && isValid($0) }
            .map { (entry: $0, id: beacons[Int($0.owner)].id.text) }
            .sorted { $0.id < $1.id }
        return entries.filter { $0.owner < 0 } + ofBeacons.map(\.entry)
    }

    // MARK: Asking

    /// Reports regions' states again, as after a start: immediately if they are known, else as soon as they are.
    ///
    /// `region` is an index of the registry's regions; nil for all of them.
    public mutating func requestState(of region: Int32? = nil, at time: Timestamp, _ transitions: inout [Transition]) {
        advance(to: time, &transitions)
        for place in regions.indices where region == nil || region == Int32(place) {
            guard regions[place].state != .unknown, !regions[place].isAwaited else { continue }
            let slot = regions[place].inside.first.map { Int($0) }
            reportState(place, by: slot, at: clock.now, &transitions)
        }
    }

    /// The report of a region.
    public func report(of region: Int32) -> RegionReport {
        let watched = regions[Int(region)]
        var exitAfter = watched.exitAfter ?? .zero
        var names: [String] = []
        var report = RegionReport(exitAfter: 0)
        for slot in watched.inside {
            let beacon = beacons[Int(slot)]
            names.append(name(of: beacon.id, item: beacon.item))
            guard watched.exitAfter == nil else { continue }
            exitAfter = max(exitAfter, beacon.rule.exitAfter)
            if beacon.rule.isTooSlow { report.problem = .cadenceTooSlow }
        }
        names.sort()
        report.exitAfter = (exitAfter > .zero ? exitAfter : watched.patience).seconds
        report.state = watched.state
        report.since = watched.since.map(clock.time)
        report.determinedAt = watched.determinedAt.map(clock.time)
        report.count = names.count
        report.beacons = Array(names.prefix(RegionReport.beaconBound))
        return report
    }

    /// The name of a transition's beacon in topics and events: its item's id, or else its canonical id.
    public func name(of transition: Transition) -> String? {
        transition.beacon.map { name(of: $0, item: transition.item) }
    }

    func name(of beacon: BeaconID, item: Int32?) -> String {
        self.item(item)?.id ?? beacon.text
    }

    /// The item at an index of the registry; nil beyond, as for one of an older registry.
    func item(_ place: Int32?) -> Item? {
        guard let place, registry.items.indices.contains(Int(place)) else { return nil }
        return registry.items[Int(place)]
    }

    /// The indices of the regions whose report has changed since the last call: state, beacons inside, or problem.
    public mutating func takeChangedRegions() -> [Int32] {
        var changed: [Int32] = []
        for place in regions.indices where regions[place].isChanged {
            regions[place].isChanged = false
            changed.append(Int32(place))
        }
        return changed
    }
}
