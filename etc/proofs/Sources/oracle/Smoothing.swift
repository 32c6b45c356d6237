import RoomEstimation

/// What a locator would have known had it also heard what came after: the filtered beliefs of each second, carried back by
/// the moves that the lessons show (the backward half of the forward-backward rule, which needs no likelihoods again).
struct Smoothing {
    private let rooms: Int
    /// The chance of each step in a second, a row of rooms for each room.
    private var moves: [Double]

    /// Counts moves between rooms from second to second; each row starts as a second's stay and a little of all.
    init(_ recordings: [Recording], rooms: Int) {
        self.rooms = rooms
        moves = [Double](repeating: 0.02, count: rooms * rooms)
        for room in 0..<rooms { moves[room * rooms + room] += 1 }
        for recording in recordings {
            for (from, to) in zip(recording.rooms, recording.rooms.dropFirst()) {
                if let from, let to { moves[from * rooms + to] += 1 }
            }
        }
        for from in 0..<rooms {
            let row = from * rooms..<(from + 1) * rooms
            let sum = moves[row].reduce(0, +)
            for cell in row { moves[cell] /= sum }
        }
    }

    /// The beliefs of all seconds with the future known, from those without.
    func smoothed(_ filtered: [[Double]]) -> [[Double]] {
        var smoothed = filtered
        for second in filtered.indices.dropLast().reversed() {
            let belief = filtered[second]
            guard belief.contains(where: { $0 > 0 }) else { continue }
            var forward = [Double](repeating: 0, count: rooms)
            for from in 0..<rooms {
                for to in 0..<rooms { forward[to] += belief[from] * moves[from * rooms + to] }
            }
            for from in 0..<rooms {
                var chance = 0.0
                for to in 0..<rooms {
                    chance += moves[from * rooms + to] * smoothed[second + 1][to] / max(1e-300, forward[to])
                }
                smoothed[second][from] = belief[from] * chance
            }
            let sum = smoothed[second].reduce(0, +)
            for room in 0..<rooms where sum > 0 { smoothed[second][room] /= sum }
        }
        return smoothed
    }
}
