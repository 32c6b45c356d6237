/// The possible origins of an item, for each state that it may be in: the input of `Routes`.
struct Trail: Sendable {
    /// The probability of each origin of a state's room, given that state: a number for each slot.
    private var shares: [Double]

    // Scratch, retained so that a step allocates nothing.
    private var next: [Double]
    private var flows: [Double]

    /// The state of an item that may have come from anywhere.
    init(_ routes: Routes) {
        shares = [Double](repeating: 0, count: routes.scales.count)
        for room in routes.rooms {
            for place in 0..<room.states.count { shares[room.firstSlot + place] = 1 }
        }
        next = shares
        flows = [Double](repeating: 0, count: routes.rooms.count)
    }

    /// Moves a belief in states on by one second; `result` must not be the same storage.
    ///
    /// An item that leaves a room by one state for one other has come from that room, whatever its origin there: so
    /// origins add up before they are carried on, and cost next to nothing except inside their room.
    mutating func step(_ belief: [Double], by motion: Motion, _ routes: Routes, into result: inout [Double]) {
        for slot in next.indices { next[slot] = 0 }
        for room in routes.rooms.indices {
            for state in routes.rooms[room].states {
                keep(in: room, state, belief[state], motion, routes)
                leave(room, state, motion, routes)
            }
        }
        for room in routes.rooms { sum(room, into: &result) }
    }

    /// Carries on the belief that stays in a room, and returns the belief that leaves it for each other.
    private mutating func keep(in room: Int, _ state: Int, _ belief: Double, _ motion: Motion, _ routes: Routes) {
        let count = routes.rooms.count
        let states = routes.rooms[room].states
        let row = state * motion.places
        for other in 0..<count { flows[other] = 0 }
        let tilts = routes.rooms[room].tilts
        for origin in 0..<routes.rooms[room].origins {
            let first = routes.rooms[room].firstSlot + origin * states.count - states.lowerBound
            let mass = belief * shares[first + state] * routes.scales[first + state]
            guard mass > 0 else { continue }
            let tilt = tilts[origin * count + room]
            for other in 0..<count { flows[other] += mass * tilts[origin * count + other] }
            for to in states { next[first + to] += mass * tilt * motion.chances[row + to] }
        }
    }

    private mutating func leave(_ room: Int, _ state: Int, _ motion: Motion, _ routes: Routes) {
        let row = state * motion.places
        for other in routes.rooms.indices where other != room && flows[other] > 0 {
            let states = routes.rooms[other].states
            let origin = routes.origin(of: other, from: room)
            let first = routes.rooms[other].firstSlot + origin * states.count - states.lowerBound
            for to in states { next[first + to] += flows[other] * motion.chances[row + to] }
        }
    }

    /// Separates the belief into that of each state and the share of each origin in it.
    private mutating func sum(_ room: Routes.Room, into result: inout [Double]) {
        for state in room.states {
            let first = room.firstSlot + state - room.states.lowerBound
            let count = room.states.count
            let slots = stride(from: first, to: first + room.origins * count, by: count)
            var sum = 0.0
            for slot in slots { sum += next[slot] }
            result[state] = sum
            for slot in slots { shares[slot] = sum > 0 ? next[slot] / sum : slot == first ? 1 : 0 }
        }
    }
}
