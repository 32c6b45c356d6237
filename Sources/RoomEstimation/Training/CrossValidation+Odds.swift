extension CrossValidation {
    /// The requirements of a move by the average length of stays: a person who is in each room for a while moves seldom
    /// and gains by each false move that is avoided, one who passes through all of them loses by each second of
    /// waiting.
    static func pace(byStaysOf recordings: [Recording], parameters: Parameters.CrossValidation)
        -> Parameters.Decision.Pace
    {
        var (seconds, stays) = (0.0, 0.0)
        for recording in recordings {
            let labels = recording.rooms.enumerated().filter { $0.element != nil }
            // An item in one room all the time is no evidence of those that move about.
            guard Set(labels.map(\.element)).count > 1 else { continue }
            (seconds, stays) = (seconds + 1, stays + 1)
            for (last, next) in zip(labels, labels.dropFirst()) {
                if last.element != next.element {
                    (seconds, stays) = (seconds + 1, stays + 1)
                } else {
                    // A stay continues while no label is given.
                    seconds += Double(next.offset - last.offset)
                }
            }
        }
        var pace = parameters.pace
        let share = seconds / max(1, stays) / parameters.usualStay
        pace.odds *= min(parameters.mostOdds, max(1, share * share))
        return pace
    }

    /// True if most seconds of these are without a packet.
    func isSparse(_ recordings: [Recording]) -> Bool {
        let labelled = Self.labelled(recordings)
        return 2 * labelled.count { !$0.hop.readings.isEmpty } < labelled.count
    }

    /// The hops with a label, with their room.
    static func labelled(_ recordings: [Recording]) -> [(hop: Hop, room: Int)] {
        recordings.flatMap { recording in
            zip(recording.hops, recording.rooms).compactMap { hop, room in room.map { (hop, $0) } }
        }
    }

    /// The odds that a move should require, by the parts that were kept back of the lessons: those of the least cost,
    /// in wrong seconds and in moves to a wrong room. Rest is not considered there.
    func odds(_ taught: [TrainedModel?], on kept: [[Recording]]) -> Double {
        let tried = [best.pace.odds] + parameters.trial.slowerOdds.filter { $0 > best.pace.odds }
        let decisions = tried.map { odds in
            Decision(pace: .init(odds: odds, restHops: best.pace.restHops), parameters: parameters.decision)
        }
        return tried[cheapest(of: decisions, taught, on: kept, falseMove: parameters.trial.falseMove)]
    }

    /// The odds that a move between packets should require, in the same way; nil if it is better to wait.
    func oddsUnheard(_ taught: [TrainedModel?], on kept: [[Recording]]) -> Double? {
        let tried = [nil] + parameters.dwell.odds.map { Optional($0) }
        let decision = Decision(pace: best.pace, parameters: parameters.decision)
        return tried[
            cheapest(
                of: tried.map { _ in decision }, taught, on: kept, unheard: tried,
                falseMove: parameters.dwell.falseMove)]
    }

    /// The index of the decision of the least cost; `unheard` are the odds that each requires between packets, if it
    /// moves then.
    private func cheapest(
        of decisions: [Decision], _ taught: [TrainedModel?], on kept: [[Recording]], unheard: [Double?] = [],
        falseMove: Double
    ) -> Int {
        var costs = [Double](repeating: 0, count: decisions.count)
        for (lessons, recordings) in zip(taught, kept) {
            guard var lessons else { continue }
            lessons.choice = best
            for recording in recordings { count(recording, lessons, decisions, unheard, falseMove, &costs) }
        }
        // Waiting must show a gain, and so must guessing: by chance alone it often does a little better.
        var chosen = 0
        for index in costs.indices where costs[index] + parameters.trial.patience < costs[chosen] { chosen = index }
        return chosen
    }

    private func count(
        _ recording: Recording, _ lessons: TrainedModel, _ fresh: [Decision], _ unheard: [Double?], _ falseMove: Double,
        _ costs: inout [Double]
    ) {
        var filter = StateFilter(lessons: lessons, parameters: parameters)
        var decisions = fresh
        var beliefs = [Double](repeating: 0, count: (lessons.rooms.max() ?? 0) + 1)
        for (hop, room) in zip(recording.hops, recording.rooms).prefix(parameters.trial.longest) {
            filter.step()
            let isHeard = filter.weigh(hop)
            if isHeard || !unheard.isEmpty {
                for room in beliefs.indices { beliefs[room] = 0 }
                filter.add(1, to: &beliefs)
            }
            if isHeard, room.map(lessons.rooms.contains) == true { filter.refine(share: 1) }
            for index in decisions.indices {
                var moved = false
                if isHeard {
                    moved = decisions[index].weigh(beliefs, at: hop.end)
                } else if let odds = unheard.isEmpty ? nil : unheard[index] {
                    moved = decisions[index].foresee(beliefs, odds: odds)
                }
                guard let room, decisions[index].room != room else { continue }
                costs[index] += moved ? 1 + falseMove : 1
            }
        }
    }
}
