extension Motion {
    /// The motion between states if a guide set the place and the length of each stay.
    ///
    /// Places inside a room follow each other as they did. From room to room doors and the rooms' order in walks show
    /// the direction of moves, but not their rate. Each door is assumed to be passed as often one way as the other, so
    /// that none of the rooms is likelier than another before the first packet: a hall with many doors is left sooner.
    init(
        guided recordings: [Recording], in house: House, samples: Samples, stateOfSample: [Int], roomOfState: [Int],
        parameters: Parameters
    ) {
        let lessons = parameters.lessons
        let count = roomOfState.count
        let rooms = samples.rooms
        let ways = Self.ways(recordings, in: house, rooms: rooms, parameters: parameters)
        var statesOfRoom = [Double](repeating: 0, count: rooms.count)
        for room in roomOfState { statesOfRoom[room] += 1 }

        var inside = [Double](repeating: 0, count: count * count)
        for (from, room) in roomOfState.enumerated() {
            for (to, other) in roomOfState.enumerated() where other == room {
                inside[from * count + to] = lessons.statePrior / statesOfRoom[room]
            }
        }
        for (recording, places) in zip(recordings, samples.places) {
            let states = Self.carried(places.map { $0.map { stateOfSample[$0] } }, rooms: recording.rooms)
            for (from, to) in zip(states, states.dropFirst()) {
                if let from, let to, roomOfState[from] == roomOfState[to] { inside[from * count + to] += 1 }
            }
        }

        var weights = [Double](repeating: 0, count: count * count)
        for (from, room) in roomOfState.enumerated() {
            let row = from * count
            var sum = 0.0
            for to in 0..<count { sum += inside[row + to] }
            for (to, other) in roomOfState.enumerated() {
                let chance = ways[room * rooms.count + other]
                weights[row + to] = other == room ? chance * inside[row + to] / sum : chance / statesOfRoom[other]
            }
        }
        self.init(places: count, weights: weights)
    }

    /// The chances of each step from one taught room to another.
    private static func ways(
        _ recordings: [Recording], in house: House, rooms: [Int], parameters: Parameters
    ) -> [Double] {
        let (lessons, motion) = (parameters.lessons, parameters.motion)
        let count = rooms.count
        var ways = [Double](repeating: 0, count: count * count)
        for one in 0..<count {
            for other in 0..<count where one != other {
                let (here, there) = (house.rooms[rooms[one]], house.rooms[rooms[other]])
                let isOpen = here.nextTo.isEmpty || there.nextTo.isEmpty || here.nextTo.contains(rooms[other])
                var way = isOpen ? 1 : motion.leap
                if let floor = here.floor, let other = there.floor, floor != other { way *= motion.stairs }
                ways[one * count + other] = way
            }
        }
        for recording in recordings {
            let seen = recording.rooms.compactMap { $0.flatMap { rooms.firstIndex(of: $0) } }
            for (from, to) in zip(seen, seen.dropFirst()) where from != to {
                ways[from * count + to] += lessons.unseenMove / Parameters.prior
                ways[to * count + from] += lessons.unseenMove / Parameters.prior
            }
        }
        let scale = (1 - lessons.stayGuided) * Double(count) / max(Parameters.least, ways.reduce(0, +))
        for one in 0..<count {
            var leaving = 0.0
            for other in 0..<count where one != other {
                ways[one * count + other] *= scale
                leaving += ways[one * count + other]
            }
            // Only if a single room has nearly all doors of a big house.
            let limit = min(1, Parameters.even / max(Parameters.least, leaving))
            for other in 0..<count where one != other { ways[one * count + other] *= limit }
            ways[one * count + one] = 1 - leaving * limit
        }
        return ways
    }
}
