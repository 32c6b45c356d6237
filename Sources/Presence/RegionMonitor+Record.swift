public import Bytes
public import Identity
internal import WireProtocol

extension RegionMonitor {
    /// A monitor that continues after an outage from its stored state: the outage is a gap in listening.
    ///
    /// Each region is reported once: unchanged (`determined`), or changed (`enter`, `exit`). Rows of regions that no
    /// longer exist or have other members are ignored, and returned as removed by the next ``takeChanges()``.
    public init(
        registry: Registry, at time: Timestamp, exitAfter: Duration? = nil, restoring record: PresenceRecord
    ) {
        self.registry = registry
        self.exitAfter = exitAfter
        clock = ListeningClock(at: time, listened: record.listened)
        regions = Self.watch(registry, exitAfter)
        // A clock that was set back during the outage must not put earlier packets into the future.
        let shift = min(0, time.microseconds(since: record.at))
        let line = { (time: Timestamp) in time.advanced(byMicroseconds: shift) }
        clock.begin(afterOutageFrom: line(record.at))
        let rows = Dictionary(record.beacons.map { ($0.id, $0) }) { first, _ in first }
        // In a stated order, so that a run can be repeated exactly.
        for row in record.beacons.prefix(Self.beaconCapacity) where slots[row.id] == nil {
            let item = registry.item(showing: row.id)
            let expected = item.flatMap { registry.items[Int($0)].expectedInterval }
            let beacon = WatchedBeacon(
                id: row.id, item: item, line: line(row.lastHeard), listened: min(row.listened, record.listened),
                rule: ExitRule(row.rule, expectedInterval: expected))
            slots[row.id] = Int32(beacons.count)
            beacons.append(beacon)
        }
        let places = Dictionary(regions.indices.map { (regions[$0].id, $0) }) { first, _ in first }
        var found: [(place: Int, row: PresenceRecord.Region)] = []
        for row in record.regions {
            guard let place = places[row.id] else {
                unsaved.removedRegions.append(row.id)
                continue
            }
            if regions[place].members == row.members { found.append((place, row)) }
        }
        // A beacon leaves its regions in the order of the registry.
        for (place, row) in found.sorted(by: { $0.place < $1.place }) { restoreRegion(row, place, line) }
        for row in record.beacons where rows[row.id] != nil && slots[row.id] == nil {
            unsaved.removedBeacons.append(row.id)
        }
        setWatches()
        awaitAll()
        for slot in beacons.indices { scheduleExit(slot) }
    }

    private mutating func restoreRegion(_ row: PresenceRecord.Region, _ place: Int, _ line: (Timestamp) -> Timestamp) {
        for id in row.inside {
            guard let slot = slots[id].map({ Int($0) }),
                !beacons[slot].memberships.contains(where: { $0.region == Int32(place) })
            else { continue }
            beacons[slot].memberships.append(.init(region: Int32(place), isInside: true))
            beacons[slot].insideCount += 1
            regions[place].inside.append(Int32(slot))
        }
        // The state inside is worthless without a beacon to wait for.
        guard row.state != .inside || !regions[place].inside.isEmpty else { return }
        regions[place].state = regions[place].inside.isEmpty ? row.state : .inside
        regions[place].since = row.since.map(line)
        regions[place].determinedAt = row.determinedAt.map(line)
        guard !regions[place].inside.isEmpty, let beacon = row.lastLeft, let time = row.lastLeftAt else { return }
        regions[place].lastLeft = (line(time), beacon, registry.item(showing: beacon))
    }

    /// The whole state to store.
    public var record: PresenceRecord {
        var record = PresenceRecord(at: clock.time(clock.stopped ?? clock.now), listened: clock.listened)
        record.regions = regions.map(makeRow)
        record.beacons = beacons.map(makeRow)
        return record
    }

    /// The changes since the last call, or since the start: rows that replace older ones of their keys.
    public mutating func takeChanges() -> PresenceRecord {
        var record = PresenceRecord(at: clock.time(clock.stopped ?? clock.now), listened: clock.listened)
        for place in regions.indices where regions[place].isDirty {
            regions[place].isDirty = false
            record.regions.append(makeRow(regions[place]))
        }
        for slot in unsaved.beacons where Int(slot) < beacons.count && beacons[Int(slot)].isDirty {
            beacons[Int(slot)].isDirty = false
            record.beacons.append(makeRow(beacons[Int(slot)]))
        }
        unsaved.beacons.removeAll(keepingCapacity: true)
        (record.removedRegions, record.removedBeacons) = (
            unsaved.removedRegions, unsaved.removedBeacons.filter { slots[$0] == nil }
        )
        unsaved.removedRegions = []
        unsaved.removedBeacons = []
        return record
    }

    private func makeRow(_ region: WatchedRegion) -> PresenceRecord.Region {
        var row = PresenceRecord.Region(
            id: region.id, members: region.members, state: region.state, since: region.since.map(clock.time),
            determinedAt: region.determinedAt.map(clock.time), inside: region.inside.map { beacons[Int($0)].id })
        row.lastLeft = region.lastLeft?.beacon
        row.lastLeftAt = region.lastLeft.map { clock.time($0.line) }
        return row
    }

    private func makeRow(_ beacon: WatchedBeacon) -> PresenceRecord.Beacon {
        PresenceRecord.Beacon(
            id: beacon.id, lastHeard: clock.time(beacon.last), listened: beacon.lastListened, rule: beacon.rule.record)
    }

    /// Makes room for one more beacon. Returns true if there is room.
    mutating func makeRoom() -> Bool {
        guard beacons.count >= Self.beaconCapacity else { return true }
        // Removes a share of them together, so that a flood of new identities doesn't sort the table for each.
        let idle = beacons.filter { $0.insideCount == 0 }.sorted { $0.last < $1.last }
        let leaving = Set(idle.prefix(max(1, Self.beaconCapacity / 16)).map(\.id))
        guard !leaving.isEmpty else { return false }
        evicted += UInt64(leaving.count)
        unsaved.removedBeacons += leaving
        retainBeacons { !leaving.contains($0.id) }
        return true
    }

    /// Retains the beacons for which `condition` holds, and renumbers them.
    mutating func retainBeacons(_ condition: (WatchedBeacon) -> Bool) {
        var moved = [Int32](repeating: -1, count: beacons.count)
        var kept: [WatchedBeacon] = []
        slots.removeAll(keepingCapacity: true)
        unsaved.beacons.removeAll(keepingCapacity: true)
        for (slot, beacon) in beacons.enumerated() where condition(beacon) {
            moved[slot] = Int32(kept.count)
            slots[beacon.id] = Int32(kept.count)
            if beacon.isDirty { unsaved.beacons.append(Int32(kept.count)) }
            kept.append(beacon)
        }
        let entries = deadlines.entries.filter(isValid)
        beacons = kept
        for place in regions.indices {
            regions[place].inside = regions[place].inside.map { moved[Int($0)] }.filter { $0 >= 0 }
        }
        deadlines = Deadlines()
        for entry in entries {
            let owner = entry.owner < 0 ? entry.owner : moved[Int(entry.owner)]
            if entry.owner < 0 || owner >= 0 { deadlines.push(.init(listened: entry.listened, owner: owner)) }
        }
    }
}
