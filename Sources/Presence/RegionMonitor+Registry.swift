public import Bytes
public import Identity
internal import WireProtocol

extension RegionMonitor {
    /// Replaces the registry: other items, other regions.
    ///
    /// A region with the same id and members retains its state. Others are determined again. One that is empty because
    /// an item was removed or a region changed is *determined* outside, since nothing crossed its border. The indices
    /// in transitions are those of the new registry from now on. The same items and regions as before have no effect:
    /// waits aren't restarted.
    public mutating func use(_ registry: Registry, at time: Timestamp, _ transitions: inout [Transition]) {
        advance(to: time, &transitions)
        guard registry.items != self.registry.items || registry.regions != self.registry.regions else {
            self.registry = registry
            return
        }
        applyRegistry(registry, &transitions)
    }

    private mutating func applyRegistry(_ registry: Registry, _ transitions: inout [Transition]) {
        let old = (regions, Dictionary(regions.indices.map { (regions[$0].id, $0) }) { first, _ in first })
        self.registry = registry
        regions = Self.watch(registry, exitAfter)
        var place: [Int32?] = Array(repeating: nil, count: old.0.count)
        for new in regions.indices {
            guard let before = old.1[regions[new].id], old.0[before].members == regions[new].members else { continue }
            place[before] = Int32(new)
            let region = old.0[before]
            regions[new].state = region.state
            regions[new].since = region.since
            regions[new].determinedAt = region.determinedAt
            regions[new].isAwaited = region.isAwaited
            if let left = region.lastLeft {
                regions[new].lastLeft = (left.line, left.beacon, registry.item(showing: left.beacon))
            }
        }
        let ids = Set(regions.map(\.id))
        unsaved.removedRegions += old.0.map(\.id).filter { !ids.contains($0) }
        deadlines = Deadlines()
        awaitAll()
        for slot in beacons.indices { assignMemberships(slot, place) }
        determineStates(&transitions)
        for slot in beacons.indices {
            beacons[slot].deadline = .distantFuture
            scheduleExit(slot)
        }
    }

    /// Changes the exit time of regions without one of their own; nil if it is to be learned.
    /// Deadlines that the new one puts into the past are due now.
    public mutating func use(exitAfter: Duration?, at time: Timestamp, _ transitions: inout [Transition]) {
        advance(to: time, &transitions)
        self.exitAfter = exitAfter
        applyRegistry(registry, &transitions)
    }

    /// Assigns a beacon its memberships under the new registry.
    private mutating func assignMemberships(_ slot: Int, _ place: [Int32?]) {
        let item = registry.item(showing: beacons[slot].id)
        beacons[slot].item = item
        if let item, let expected = registry.items[Int(item)].expectedInterval {
            beacons[slot].rule = ExitRule(beacons[slot].rule.record, expectedInterval: expected)
        }
        var kept: [Int32: WatchedBeacon.Membership] = [:]
        for membership in beacons[slot].memberships {
            guard let new = place[Int(membership.region)] else { continue }
            kept[new] = membership
            kept[new]?.region = new
        }
        let places = beacons[slot].regions(registry.regionIndex)
        var memberships = places.map { kept[$0] ?? WatchedBeacon.Membership(region: $0) }
        // The identities of a restored beacon aren't known until it is received; its old regions are valid until then.
        for (region, membership) in kept
        where !places.contains(region) && (beacons[slot].isUnasked || membership.lastShown != nil) {
            memberships.append(membership)
        }
        let isPresent = clock.listened.duration(since: beacons[slot].lastListened) < beacons[slot].rule.exitAfter
        var insideCount: Int32 = 0
        for index in memberships.indices {
            let region = Int(memberships[index].region)
            if kept[Int32(region)] == nil { memberships[index].isInside = isPresent }
            guard memberships[index].isInside else { continue }
            insideCount += 1
            regions[region].inside.append(Int32(slot))
        }
        beacons[slot].memberships = memberships.sorted { $0.region < $1.region }
        beacons[slot].insideCount = insideCount
        markDirty(slot)
    }

    /// Determines the states that only the new registry has changed.
    private mutating func determineStates(_ transitions: inout [Transition]) {
        for place in regions.indices {
            let isInside = !regions[place].inside.isEmpty
            guard isInside != (regions[place].state == .inside) else { continue }
            // A region that was never known waits for its determination; one that was outside has had no arrival.
            if !isInside, regions[place].state != .inside { continue }
            regions[place].state = isInside ? .inside : .outside
            regions[place].since = clock.now
            reportState(place, by: regions[place].inside.first.map { Int($0) }, at: clock.now, &transitions)
        }
    }
}
