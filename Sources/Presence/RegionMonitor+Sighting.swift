internal import Bytes
internal import Identity

extension RegionMonitor {
    /// Records a report, after the deadlines before it. Reports arrive in the order of their time; an earlier one
    /// counts as if it arrived now.
    public mutating func receive(_ sighting: Sighting, _ transitions: inout [Transition]) {
        let line = max(clock.line(sighting.time), clock.now)
        if clock.stopped != nil { clock.resume(at: line) }
        advance(toLine: line, &transitions)
        lastHeard = line
        guard let slot = slots[sighting.beacon.id] else { return addBeacon(sighting, &transitions) }
        recordSighting(Int(slot), sighting, &transitions)
    }

    private mutating func recordSighting(_ slot: Int, _ sighting: Sighting, _ transitions: inout [Transition]) {
        let (line, listened) = (clock.now, clock.listened)
        let known = beacons[slot].hasShown(sighting, addressesMatter: watchesAddresses, urlsMatter: watchesURLs)
        let exitTime = beacons[slot].rule.exitMicroseconds
        let wasTooSlow = beacons[slot].rule.isTooSlow
        // If a part of it was missed, the length of the beacon's silence is unknown.
        let isWhole = clock.origin == ListeningClock.origin(at: beacons[slot].last, beacons[slot].lastListened)
        let gap = listened.microseconds(since: beacons[slot].eventListened)
        beacons[slot].rule.recordPacket(after: isWhole ? gap : nil, rssi: sighting.rssi, listened: listened)
        if !known { updateMemberships(slot, sighting) }
        if !GapRing.isSameEvent(gap) || !isWhole { beacons[slot].eventListened = listened }
        beacons[slot].last = line
        beacons[slot].lastListened = listened
        if !beacons[slot].isDirty { markDirty(slot) }
        if beacons[slot].rule.isTooSlow != wasTooSlow { markRegions(of: slot) }
        let mayEnter = !known || Int(beacons[slot].insideCount) < beacons[slot].memberships.count
        if mayEnter {
            for place in beacons[slot].memberships.indices where beacons[slot].memberships[place].lastShown == nil {
                enter(slot, place, .microseconds(exitTime), &transitions)
            }
        }
        // A packet alone moves every exit to a later time; the deadline that is set finds the new time as soon as it is
        // reached.
        if mayEnter || beacons[slot].rule.exitMicroseconds < exitTime { scheduleExit(slot) }
    }

    /// Adds a beacon that isn't watched yet; most are in no region, and add no state.
    private mutating func addBeacon(_ sighting: Sighting, _ transitions: inout [Transition]) {
        guard isWatched(sighting) else { return }
        let item = sighting.beacon.item
        let expected = self.item(item)?.expectedInterval
        var beacon = WatchedBeacon(
            id: sighting.beacon.id, item: item, line: clock.now, listened: clock.listened,
            rule: ExitRule(expectedInterval: expected))
        for slot in lesserIdentities(sighting) { beacon.adoptIdentities(beacons[slot]) }
        beacon.show(sighting)
        let places = beacon.regions(registry.regionIndex)
        guard !places.isEmpty else { return }
        guard beacons.count < Self.beaconCapacity || makeRoom() else {
            refused += 1
            return
        }
        beacon.memberships = places.map { WatchedBeacon.Membership(region: $0) }
        beacon.rule.recordPacket(after: nil, rssi: sighting.rssi, listened: clock.listened)
        let slot = beacons.count
        beacons.append(beacon)
        slots[beacon.id] = Int32(slot)
        markDirty(slot)
        for place in beacons[slot].memberships.indices {
            enter(slot, place, beacons[slot].rule.exitAfter, &transitions)
        }
        for other in lesserIdentities(sighting) { removeIdentity(other, &transitions) }
        scheduleExit(slot)
    }

    /// Returns true if any region watches an identity of a report.
    private func isWatched(_ sighting: Sighting) -> Bool {
        let index = registry.regionIndex
        // The resolver has checked the naming identity already, by the same registry.
        if sighting.beacon.isWatched { return true }
        if let item = sighting.beacon.item, index.isWatched(item: item) { return true }
        if let url = sighting.url, index.watchesURLs, index.isWatched(url) { return true }
        if let frame = sighting.frames.0, frame != sighting.beacon.id, index.isWatched(frame) { return true }
        if let frame = sighting.frames.1, frame != sighting.beacon.id, index.isWatched(frame) { return true }
        guard index.watchesAddresses, let address = sighting.address else { return false }
        return index.isWatched(BeaconID(address))
    }

    /// Looks up the regions of a beacon's present identities. A region that watched an earlier one waits from then on.
    private mutating func updateMemberships(_ slot: Int, _ sighting: Sighting) {
        beacons[slot].show(sighting)
        let places = beacons[slot].regions(registry.regionIndex)
        let old = beacons[slot].memberships
        var memberships = places.map { WatchedBeacon.Membership(region: $0) }
        for membership in old {
            if let place = places.firstIndex(of: membership.region) {
                memberships[place].isInside = membership.isInside
            } else if membership.isInside {
                var membership = membership
                // The earlier identities of a restored beacon aren't known: they are not shown now.
                membership.lastShown = membership.lastShown ?? (beacons[slot].last, beacons[slot].lastListened)
                memberships.append(membership)
            }
        }
        beacons[slot].memberships = memberships.sorted { $0.region < $1.region }
    }

    /// The slots under which the transmitter of a report was watched by identities that no longer name it.
    private func lesserIdentities(_ sighting: Sighting) -> [Int] {
        guard let address = sighting.address else { return [] }
        var found: [Int] = []
        for case let id? in [sighting.frames.0, sighting.frames.1, BeaconID(address)] {
            guard id != sighting.beacon.id, let slot = slots[id], beacons[Int(slot)].address == address else {
                continue
            }
            found.append(Int(slot))
        }
        return found
    }

    /// Removes a transmitter's lesser identity, which must not stay inside until its exit time ends. The better one has
    /// just entered all of its regions.
    private mutating func removeIdentity(_ slot: Int, _ transitions: inout [Transition]) {
        for place in beacons[slot].memberships.indices where beacons[slot].memberships[place].isInside {
            recordExit(slot, place, at: clock.now, &transitions)
        }
    }

    /// Ensures that a beacon's deadline isn't too late; one that is too early is corrected at its time.
    mutating func scheduleExit(_ slot: Int) {
        guard beacons[slot].insideCount > 0 else { return }
        let due = nextExit(slot)
        guard due < beacons[slot].deadline else { return }
        beacons[slot].deadline = due
        deadlines.push(Deadlines.Entry(listened: due, owner: Int32(slot)))
        if deadlines.entries.count > 4 * (beacons.count + regions.count) + 64 { rebuildDeadlines() }
    }

    /// The earliest exit of a beacon from any region that contains it.
    func nextExit(_ slot: Int) -> ListeningTime {
        let beacon = beacons[slot]
        var due = ListeningTime.distantFuture
        for membership in beacon.memberships where membership.isInside {
            due = min(due, exitDeadline(beacon, membership))
        }
        return due
    }

    /// The time between the last packet and the decision of a region's exit if no other packet arrives: the longest of
    /// its beacons inside, gaps in listening included. Nil if none is inside.
    public func exitTime(of region: Int32) -> Duration? {
        let times = regions[Int(region)].inside.compactMap { slot -> Duration? in
            let beacon = beacons[Int(slot)]
            guard let membership = beacon.memberships.first(where: { $0.region == region }) else { return nil }
            let last = membership.lastShown?.line ?? beacon.last
            return clock.line(listened: exitDeadline(beacon, membership)).duration(since: last)
        }
        return times.max()
    }

    func exitDeadline(_ beacon: WatchedBeacon, _ membership: WatchedBeacon.Membership) -> ListeningTime {
        let last = membership.lastShown?.listened ?? beacon.lastListened
        return last.advanced(by: regions[Int(membership.region)].exitAfter ?? beacon.rule.exitAfter)
    }

    /// Removes deadlines that are no longer valid.
    mutating func rebuildDeadlines() {
        let old = deadlines.entries
        deadlines = Deadlines()
        for entry in old where isValid(entry) { deadlines.push(entry) }
    }

    func isValid(_ entry: Deadlines.Entry) -> Bool {
        if entry.owner < 0 {
            let region = regions[Int(-1 - entry.owner)]
            return region.isAwaited && region.deadline == entry.listened
        }
        return Int(entry.owner) < beacons.count && beacons[Int(entry.owner)].deadline == entry.listened
    }
}
