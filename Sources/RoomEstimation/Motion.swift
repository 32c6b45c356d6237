/// The movement of belief in a second: a probability for each step from one place to another.
///
/// A place is a room, or a state inside one. The motion is the same for all items, so that copies share it.
public struct Motion: Sendable {
    /// Number of places.
    public let places: Int
    /// The probability of each step, the row of a place after the other; each row sums to 1.
    let chances: [Double]

    /// A motion of counted or guessed steps: `weights` holds a row of `places` numbers for each place, none negative.
    ///
    /// A row that sums to nothing stays in place.
    init(places: Int, weights: [Double]) {
        precondition(weights.count == places * places, "a motion needs a row for each place")
        var chances = weights
        for row in 0..<places {
            var sum = 0.0
            for column in 0..<places { sum += weights[row * places + column] }
            for column in 0..<places {
                chances[row * places + column] =
                    sum > 0 ? weights[row * places + column] / sum : row == column ? 1 : 0
            }
        }
        self.places = places
        self.chances = chances
    }

    /// The motion in a house without lessons: an item stays with the probability `stay`, else it passes a door.
    ///
    /// A room that names no doors leads to all others alike; steps past a room and to another floor are less likely.
    public init(house: House, stay: Double, parameters: Parameters.Motion) {
        let count = house.rooms.count
        var weights = [Double](repeating: 0, count: count * count)
        for (from, room) in house.rooms.enumerated() {
            var leaving = 0.0
            for (to, other) in house.rooms.enumerated() where to != from {
                var weight = room.nextTo.isEmpty || room.nextTo.contains(to) ? 1 : parameters.leap
                if let floor = room.floor, let there = other.floor, floor != there { weight *= parameters.stairs }
                weights[from * count + to] = weight
                leaving += weight
            }
            guard leaving > 0 else { continue }
            for to in 0..<count { weights[from * count + to] *= (1 - stay) / leaving }
            weights[from * count + from] = stay
        }
        self.init(places: count, weights: weights)
    }

    /// Moves belief on by one second; `next` must not be the same storage.
    func step(_ belief: [Double], into next: inout [Double]) {
        for place in 0..<places { next[place] = 0 }
        for from in 0..<places where belief[from] != 0 {
            let mass = belief[from]
            for to in 0..<places { next[to] += mass * chances[from * places + to] }
        }
    }

    /// Moves belief on by one second among those places that are open: a step to a closed one goes to an open one
    /// instead.
    ///
    /// The probability of staying is unchanged; belief on a closed place goes to open ones. `open` are their indices:
    /// few of many, in a large house.
    func step(_ belief: [Double], among open: [Int], into next: inout [Double]) {
        for place in 0..<places { next[place] = 0 }
        for from in 0..<places where belief[from] != 0 {
            let row = from * places
            let stays = open.contains(from) ? chances[row + from] : 0
            var leaving = 0.0
            for to in open where to != from { leaving += chances[row + to] }
            guard leaving > 0 else {
                next[from] += belief[from]
                continue
            }
            next[from] += belief[from] * stays
            let scale = belief[from] * (1 - stays) / leaving
            for to in open where to != from { next[to] += scale * chances[row + to] }
        }
    }
}
