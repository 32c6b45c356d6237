extension Motion {
    /// The motion between states that recordings show: steps counted, with those between their rooms as a start.
    init(
        _ recordings: [Recording], in house: House, samples: Samples, stateOfSample: [Int], roomOfState: [Int],
        parameters: Parameters
    ) {
        let count = roomOfState.count
        let rooms = Motion(recordings, in: house, rooms: samples.rooms, parameters: parameters)
        var statesOfRoom = [Double](repeating: 0, count: samples.rooms.count)
        for room in roomOfState { statesOfRoom[room] += 1 }
        var weights: [Double] = []
        for from in roomOfState {
            for to in roomOfState {
                weights.append(
                    parameters.lessons.statePrior * rooms.chances[from * rooms.places + to] / statesOfRoom[to])
            }
        }
        for (recording, places) in zip(recordings, samples.places) {
            let states = Self.carried(places.map { $0.map { stateOfSample[$0] } }, rooms: recording.rooms)
            for (from, to) in zip(states, states.dropFirst()) {
                if let from, let to { weights[from * count + to] += 1 }
            }
        }
        self.init(places: count, weights: weights)
    }

    /// The motion between taught rooms, from labels and with the usual motion in the house as a start.
    init(_ recordings: [Recording], in house: House, rooms: [Int], parameters: Parameters) {
        let count = rooms.count
        let usual = Motion(house: house, stay: parameters.motion.stayTaught, parameters: parameters.motion)
        var weights: [Double] = []
        for from in rooms {
            for to in rooms { weights.append(Parameters.prior * usual.chances[from * usual.places + to]) }
        }
        for recording in recordings {
            let labels = recording.rooms.map { $0.flatMap { rooms.firstIndex(of: $0) } }
            for (from, to) in zip(labels, labels.dropFirst()) {
                if let from, let to { weights[from * count + to] += 1 }
            }
            let seen = labels.compactMap { $0 }
            for (from, to) in zip(seen, seen.dropFirst()) where from != to {
                weights[from * count + to] += parameters.lessons.unseenMove
            }
        }
        self.init(places: count, weights: weights)
    }

    /// Assigns to seconds without a packet the state of the nearest earlier packet of their visit, else of the next
    /// one.
    ///
    /// Without them sparse beacons would teach that nobody ever moves or stays.
    static func carried(_ states: [Int?], rooms: [Int?]) -> [Int?] {
        var states = states
        for index in states.indices.dropFirst() where states[index] == nil && rooms[index] != nil {
            if rooms[index] == rooms[index - 1] { states[index] = states[index - 1] }
        }
        for index in states.indices.dropLast().reversed() where states[index] == nil && rooms[index] != nil {
            if rooms[index] == rooms[index + 1] { states[index] = states[index + 1] }
        }
        return states
    }
}
