internal import Bytes

extension Trial {
    /// The odds that a move should ask for, by what was kept back of the lessons: those of the least cost, in wrong
    /// seconds and in moves to a wrong room.
    func odds(_ taught: [Lessons?], on kept: [[Recording]]) -> Double {
        let tried = parameters.trial.odds
        var costs = [Double](repeating: 0, count: tried.count)
        for (lessons, recordings) in zip(taught, kept) {
            guard var lessons else { continue }
            lessons.choice = best
            for recording in recordings { count(recording, lessons, tried, &costs) }
        }
        // Waiting must earn its place: by chance alone it often does a little better.
        var chosen = 0
        for index in costs.indices where costs[index] + parameters.trial.patience < costs[chosen] { chosen = index }
        return tried.isEmpty ? best.odds : tried[chosen]
    }

    private func count(_ recording: Recording, _ lessons: Lessons, _ tried: [Double], _ costs: inout [Double]) {
        var filter = Taught(lessons: lessons, parameters: parameters)
        var decisions = tried.map { Decision(oddsTaught: $0, parameters: parameters.decision) }
        var beliefs = [Double](repeating: 0, count: (lessons.rooms.max() ?? 0) + 1)
        for (hop, room) in zip(recording.hops, recording.rooms).prefix(parameters.trial.longest) {
            filter.step()
            let isHeard = filter.weigh(hop)
            if isHeard {
                for room in beliefs.indices { beliefs[room] = 0 }
                filter.add(1, to: &beliefs)
                if room.map(lessons.rooms.contains) == true { filter.refine(share: 1) }
            }
            for index in decisions.indices {
                let moved = isHeard && decisions[index].weigh(beliefs, at: hop.end)
                guard let room, decisions[index].room != room else { continue }
                costs[index] += moved ? 1 + parameters.trial.falseMove : 1
            }
        }
    }
}
