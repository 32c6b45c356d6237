internal import Bytes
internal import Identity
internal import WireProtocol

extension RegionMonitor {
    /// Records that a beacon is in a region. Otherwise it would have been missed after `patience`.
    mutating func enter(_ slot: Int, _ membership: Int, _ patience: Duration, _ transitions: inout [Transition]) {
        let place = Int(beacons[slot].memberships[membership].region)
        let wasInside = beacons[slot].memberships[membership].isInside
        if !wasInside {
            beacons[slot].memberships[membership].isInside = true
            beacons[slot].insideCount += 1
            regions[place].inside.append(Int32(slot))
            markChanged(region: place)
        }
        switch regions[place].state {
        case .inside:
            if regions[place].isAwaited { reportState(place, by: slot, at: clock.now, &transitions) }
        case .unknown:
            regions[place].state = .inside
            regions[place].since = clock.now
            reportState(place, by: slot, at: clock.now, &transitions)
        case .outside:
            let notBefore = earliestArrival(place, patience)
            regions[place].state = .inside
            regions[place].since = clock.now
            reportCrossing(
                place, .enter, beacons[slot].id, beacons[slot].item, at: clock.now, notBefore: notBefore, &transitions)
        }
    }

    /// The earliest possible arrival of a beacon that is received now: the beginning of the last gap in listening, if
    /// it might have arrived then unnoticed.
    private func earliestArrival(_ place: Int, _ patience: Duration) -> Timestamp {
        guard let gap = clock.lastGap, clock.listened.duration(since: gap.listened) < patience else {
            return clock.now
        }
        return min(max(gap.start, regions[place].since ?? gap.start), clock.now)
    }

    /// Records that a beacon is out of a region, by a timer or because the region no longer watches it.
    mutating func recordExit(_ slot: Int, _ membership: Int, at line: Timestamp, _ transitions: inout [Transition]) {
        let beacon = beacons[slot]
        let place = Int(beacon.memberships[membership].region)
        beacons[slot].memberships[membership].isInside = false
        beacons[slot].insideCount -= 1
        markDirty(slot)
        regions[place].inside.removeAll { $0 == Int32(slot) }
        markChanged(region: place)
        let last = beacon.memberships[membership].lastShown?.line ?? beacon.last
        if regions[place].lastLeft.map({ $0.line <= last }) ?? true {
            regions[place].lastLeft = (last, beacon.id, beacon.item)
        }
        guard regions[place].inside.isEmpty else { return }
        let left = regions[place].lastLeft ?? (last, beacon.id, beacon.item)
        regions[place].lastLeft = nil
        regions[place].state = .outside
        regions[place].since = line
        reportCrossing(place, .exit, left.beacon, left.item, at: line, notBefore: min(left.line, line), &transitions)
    }

    /// Handles a beacon's deadline. If the beacon was received since, the next one is set.
    mutating func expire(beacon slot: Int, _ entry: Deadlines.Entry, _ transitions: inout [Transition]) {
        guard isValid(entry) else { return }
        beacons[slot].deadline = .distantFuture
        // In reverse, since memberships that are no longer valid are removed.
        for place in beacons[slot].memberships.indices.reversed() where beacons[slot].memberships[place].isInside {
            let due = exitDeadline(beacons[slot], beacons[slot].memberships[place])
            guard due <= entry.listened else { continue }
            recordExit(slot, place, at: clock.line(listened: due), &transitions)
            if beacons[slot].memberships[place].lastShown != nil { beacons[slot].memberships.remove(at: place) }
        }
        scheduleExit(slot)
    }

    /// Handles the deadline at which a region is determined to be empty.
    mutating func expire(
        region place: Int, _ entry: Deadlines.Entry, _ due: Timestamp, _ transitions: inout [Transition]
    ) {
        guard isValid(entry), regions[place].inside.isEmpty else { return }
        if regions[place].state == .unknown {
            regions[place].state = .outside
            regions[place].since = due
        }
        reportState(place, by: nil, at: due, &transitions)
    }

    /// Waits for the determination of every region's state.
    mutating func awaitAll() {
        for place in regions.indices where regions[place].isAwaited { awaitState(region: place) }
    }

    mutating func awaitState(region place: Int) {
        regions[place].isAwaited = true
        regions[place].deadline = clock.listened.advanced(by: regions[place].patience)
        deadlines.push(Deadlines.Entry(listened: regions[place].deadline, owner: -1 - Int32(place)))
    }

    // MARK: Reporting

    mutating func reportState(_ place: Int, by slot: Int?, at line: Timestamp, _ transitions: inout [Transition]) {
        regions[place].isAwaited = false
        regions[place].determinedAt = line
        markChanged(region: place)
        transitions.append(
            Transition(
                kind: .determined, state: regions[place].state, region: Int32(place), regionID: regions[place].id,
                beacon: slot.map { beacons[$0].id }, item: slot.flatMap { beacons[$0].item }, at: clock.time(line),
                notBefore: clock.time(line), isNotified: true))
    }

    private mutating func reportCrossing(
        _ place: Int, _ kind: NodeEvent.Kind, _ beacon: BeaconID, _ item: Int32?, at line: Timestamp,
        notBefore: Timestamp,
        _ transitions: inout [Transition]
    ) {
        if regions[place].isAwaited { regions[place].determinedAt = line }
        regions[place].isAwaited = false
        markChanged(region: place)
        transitions.append(
            Transition(
                kind: kind, state: regions[place].state, region: Int32(place), regionID: regions[place].id,
                beacon: beacon, item: item, at: clock.time(line), notBefore: clock.time(notBefore),
                isNotified: kind == .enter ? regions[place].notifyOnEntry : regions[place].notifyOnExit))
    }

    mutating func markChanged(region place: Int) {
        regions[place].isChanged = true
        regions[place].isDirty = true
    }

    mutating func markRegions(of slot: Int) {
        for membership in beacons[slot].memberships { regions[Int(membership.region)].isChanged = true }
    }

    mutating func markDirty(_ slot: Int) {
        guard !beacons[slot].isDirty else { return }
        beacons[slot].isDirty = true
        unsaved.beacons.append(Int32(slot))
    }
}
