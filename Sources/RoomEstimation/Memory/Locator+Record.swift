internal import Bytes

extension Locator {

    /// Its belief; nil before any observation.
    package var record: LocatorRecord? {
        guard let lastEnd, let room = answer.room else { return nil }
        var record = LocatorRecord(at: lastEnd)
        record.room = house.rooms[room].id
        let run = nearness.rest.likeliest
        (record.share, record.hops) = (Float(run?.share ?? 0), Float(run?.hops ?? 0))
        if let taught, taught.hasHeard {
            record.loudness = Float(taught.loudness.mean)
            record.loudnessVariance = Float(taught.loudness.variance)
            (record.trustSum, record.trustWeight) = (Float(trust.sum), Float(trust.weight))
            record.trustMean = Float(trust.plain.level ?? 0)
        }
        let chanceTaught = 1 - chanceElsewhere
        var byLessons = house.rooms.indices.map { chanceTaught * (taught?.probability(of: $0) ?? 0) }
        addElsewhere(1, to: &byLessons)
        for room in house.rooms.indices {
            let believed = LocatorRecord.Room(
                id: house.rooms[room].id, nearness: room < filter.belief.count ? Float(filter.belief[room]) : 0,
                taught: Float(byLessons[room]),
                deviations: taught?.deviations(in: room) ?? [],
                fingerprint: Array(nearness.fingerprints.levels(in: room)))
            if max(believed.nearness, believed.taught) >= Float(Parameters.tiny) || believed.isLearned {
                record.rooms.append(believed)
            }
        }
        if let taught, record.rooms.contains(where: { !$0.deviations.isEmpty }) {
            record.taughtNodes = taught.lessons.nodes.map { house.nodes[$0].id }
        }
        record.nodes = nearness.record(in: house, run: run?.links)
        return record
    }

    /// Continues from an earlier locator, as far as its rooms and nodes still exist; it must be blank.
    ///
    /// The answer is retained. With the next hop belief moves on by the time that has passed, according to the motion.
    /// Since the time between was not observed, moves require higher odds for a while.
    package mutating func resume(_ record: LocatorRecord) {
        guard let room = record.room.flatMap(house.room) else { return }
        lastEnd = record.at
        nearness.resume(record, in: house)
        var (near, byLessons) = (probabilities, probabilities)
        for believed in record.rooms {
            guard let index = house.room(believed.id), index < near.count else { continue }
            near[index] = Double(max(0, believed.nearness))
            byLessons[index] = Double(max(0, believed.taught))
        }
        filter.resume(near)
        beginOnPlan(in: room)
        if record.trustWeight > 0, taught != nil {
            taught?.begin(with: byLessons)
            taught?.hasHeard = true
            taught?.loudness.resume(Double(record.loudness), variance: Double(record.loudnessVariance))
            let known = house
            taught?.resume(record, in: known)
            (trust.sum, trust.weight) = (Double(record.trustSum), Double(record.trustWeight))
            trust.plain.level = Double(record.trustMean)
            beginElsewhere(with: byLessons)
        }
        decision.hold(room)
        isResumed = true
        answer.at = record.at
        guard mix() else { return }
        if taught == nil, record.trustWeight > 0 { mix(record, near, byLessons) }
        conclude()
    }
}

extension Locator {
    /// Makes the probabilities from the belief with lessons that are not learned yet.
    private mutating func mix(_ record: LocatorRecord, _ near: [Double], _ byLessons: [Double]) {
        var trust = trust
        (trust.sum, trust.weight) = (Double(record.trustSum), Double(record.trustWeight))
        let share = trust.share(doubt: parameters.trust.doubt)
        var believed = zip(near, byLessons).map { (1 - share) * $0 + share * $1 }
        // A stored row may be damaged.
        Mathematics.normalise(&believed, least: Parameters.least)
        believe(believed)
    }
}

extension StateFilter {
    /// The deviation of each node of the lessons from them in a room of the house; none if nothing is known of it.
    fileprivate func deviations(in room: Int) -> [ReceiverDrift.Deviation] {
        lessons.rooms.firstIndex(of: room).map(refinement.deviations) ?? []
    }

    /// Continues with the nodes' deviations from the lessons, as far as the lessons cover them.
    fileprivate mutating func resume(_ record: LocatorRecord, in house: House) {
        for believed in record.rooms {
            guard let room = house.room(believed.id).flatMap(lessons.rooms.firstIndex(of:)) else { continue }
            for (node, deviation) in zip(record.taughtNodes, believed.deviations) {
                guard let column = house.node(node).flatMap(lessons.nodes.firstIndex(of:)) else { continue }
                refinement.resume(deviation, of: column, in: room)
            }
        }
    }
}

extension ProximityModel {
    /// The state of each node's reception.
    func record(in house: House, run: [ChangePointDetector.Link]?) -> [LocatorRecord.Node] {
        let anywhere = fingerprints.anywhere
        return tracks.enumerated().map { column, track in
            let link = run?[column] ?? ChangePointDetector.Link(mean: Float(track.level))
            var node = LocatorRecord.Node(
                id: house.nodes[track.node].id, heard: Float(track.heard), mean: Float(track.mean),
                level: Float(track.level), gap: Float(track.gap), listened: Float(track.listened),
                usual: Float(track.usual), age: UInt32(clamping: hops - track.last),
                settled: link.mean, settledHeard: link.heard, settledMissed: link.missed)
            if !anywhere.isEmpty { node.anywhere = anywhere[column] }
            return node
        }
    }

    /// Continues with a stored state; it must have no observation.
    mutating func resume(_ record: LocatorRecord, in house: House) {
        resize(house.rooms.count)
        let known = record.nodes.enumerated()
            .compactMap { row, node in house.node(node.id).map { (place: $0, node: node, row: row) } }
            .filter { Hop.levels.contains(Double($0.node.level)) }
            .sorted { $0.place < $1.place }
        hops = known.map { Int($0.node.age) }.max() ?? 0
        var run: [ChangePointDetector.Link] = []
        var rows: [Int] = []
        for (place, node, row) in known where tracks.last?.node != place {
            let level = Double(node.level)
            // Packets lost in a row before a pause and after it are not lost in a row.
            let isHeld = Double(node.age) <= parameters.hold * Double(node.gap)
            var track = Track(node: place, level: level, last: isHeld ? hops : hops - Int(node.age), now: level)
            (track.heard, track.mean) = (Double(max(1, node.heard)), Double(node.mean))
            (track.listened, track.usual) = (Double(max(0, node.listened)), Double(node.usual))
            track.gap = Double(max(1, node.gap))
            rest.insert(at: tracks.count)
            tracks.append(track)
            receptions.append(.none)
            usual.append((level, 1))
            rows.append(row)
            run.append(
                ChangePointDetector.Link(
                    mean: node.settled, heard: max(0, node.settledHeard), missed: max(0, node.settledMissed)))
        }
        rest.resume(
            share: Double(record.share), hops: Double(record.hops), links: run)
        if !isTaught { resumeFingerprints(record, rows, in: house) }
        weighRooms(house)
    }

    /// Continues with the fingerprints of the item room by room; `rows` are the places of the tracks' nodes among those
    /// of the record.
    private mutating func resumeFingerprints(_ record: LocatorRecord, _ rows: [Int], in house: House) {
        for (column, row) in rows.enumerated() {
            fingerprints.resume(record.nodes[row].anywhere, of: column, in: nil, tracks: tracks.count)
            for believed in record.rooms where row < believed.fingerprint.count {
                guard let room = house.room(believed.id) else { continue }
                fingerprints.resume(believed.fingerprint[row], of: column, in: room, tracks: tracks.count)
            }
        }
    }
}
