/// How items go on from a room by the room they came from: who came up the stairs leaves the landing for the bedroom, who
/// came from the bedroom for the bath.
///
/// The chance of a step is that of the motion between states, tilted by how much oftener those took it who had come the
/// same way (a Markov chain of second order, drawn to that of the first where lessons are few). A way that no lesson showed
/// is left to the motion alone.
struct Routes: Sendable {
    /// One room: its states, and the rooms that it was entered from.
    struct Room: Sendable {
        /// Its states; rooms lie one after the other.
        fileprivate(set) var states: Range<Int>
        /// The rooms that it was entered from. The first origin of each room is anywhere; these follow.
        fileprivate(set) var origins: [Int] = []
        /// Where its slots begin: one for each state and origin, those of an origin together.
        fileprivate(set) var firstSlot = 0
        /// For each origin a row of rooms: how much oftener than usual they are next.
        fileprivate(set) var tilts: [Double] = []
    }

    /// The taught rooms.
    private(set) var rooms: [Room] = []
    /// For each slot what makes its chances sum to 1.
    private(set) var scales: [Double] = []
    /// For each room a row of rooms: which origin it is of them, 0 where it was not seen to be one.
    private var places: [Int]

    /// Counts the seconds stayed and the moves in recordings, by where each visit had come from.
    ///
    /// Returns nil where no room was entered from two others: each way is the usual one then.
    init?(
        _ recordings: [Recording], rooms taught: [Int], motion: Motion, roomOfState: [Int],
        parameters: Parameters.Lessons
    ) {
        let count = taught.count
        places = [Int](repeating: 0, count: count * count)
        let seen = Self.seconds(recordings, rooms: taught)
        guard seen.contains(where: { $0.count > 1 }) else { return nil }
        let usual = Motion(recordings, rooms: taught, parameters: parameters)
        for (room, seconds) in seen.enumerated() {
            let start = rooms.last?.states.upperBound ?? 0
            let size = roomOfState.reduce(0) { $0 + ($1 == room ? 1 : 0) }
            var found = Room(states: start..<start + size, origins: seconds.keys.sorted(), firstSlot: scales.count)
            found.tilts = [Double](repeating: 1, count: count)
            for (place, origin) in found.origins.enumerated() {
                places[origin * count + room] = place + 1
                let row = seconds[origin] ?? []
                let sum = row.reduce(0, +) + parameters.routePrior
                found.tilts += row.indices.map {
                    (row[$0] / usual.chances[room * count + $0] + parameters.routePrior) / sum
                }
            }
            rooms.append(found)
            addScales(of: found, motion, roomOfState)
        }
    }

    /// For each room, and each room that it was entered from, the seconds after which an item was in each room.
    private static func seconds(_ recordings: [Recording], rooms: [Int]) -> [[Int: [Double]]] {
        var seconds = [[Int: [Double]]](repeating: [:], count: rooms.count)
        for recording in recordings {
            var origin: Int?
            var here: Int?
            for room in recording.rooms {
                guard let next = room.flatMap({ rooms.firstIndex(of: $0) }) else { continue }
                if let here {
                    if let origin {
                        seconds[here][origin, default: [Double](repeating: 0, count: rooms.count)][next] += 1
                    }
                    if here != next { origin = here }
                }
                here = next
            }
        }
        return seconds
    }

    private mutating func addScales(of room: Room, _ motion: Motion, _ roomOfState: [Int]) {
        let count = room.tilts.count / (room.origins.count + 1)
        for origin in 0...room.origins.count {
            for state in room.states {
                var sum = 0.0
                for (to, other) in roomOfState.enumerated() {
                    sum += room.tilts[origin * count + other] * motion.chances[state * motion.places + to]
                }
                scales.append(1 / sum)
            }
        }
    }

    /// Which origin a room is of the one that is entered from it; 0, anywhere, where no lesson showed that.
    func origin(of entered: Int, from room: Int) -> Int { places[room * rooms.count + entered] }
}
