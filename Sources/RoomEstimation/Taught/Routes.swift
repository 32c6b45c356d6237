/// The next rooms of items by the room they came from: a person who came up the stairs leaves the landing for the
/// bedroom, one who came from the bedroom leaves it for the bath.
///
/// The probability of a step is that of the motion between states, tilted by the factor by which visitors of the same
/// origin took it more often (a Markov chain of second order, drawn to that of the first if lessons are few). A way
/// that no lesson showed is left to the motion alone.
struct Routes: Sendable {
    /// One room: its states, and its exits by origin.
    struct Room: Sendable {
        /// Its states; rooms lie one after the other.
        let states: Range<Int>
        /// The number of rooms from which it was entered, and one more, the first: from anywhere.
        let origins: Int
        /// The first of its slots: one for each state and origin, those of an origin together.
        let firstSlot: Int
        /// For each origin a row of rooms: the factor by which they are next more often than usual.
        let tilts: [Double]
    }

    /// The taught rooms.
    private(set) var rooms: [Room] = []
    /// The factor of each slot that makes its probabilities sum to 1.
    private(set) var scales: [Double] = []
    /// For each room a row of rooms: the index of that origin, 0 if it was not seen to be one.
    private var places: [Int]

    /// Counts the seconds stayed and the moves in recordings, by the origin of each visit.
    ///
    /// Returns nil if no room was entered from two others: each way is the usual one then.
    init?(
        _ recordings: [Recording], in house: House, rooms taught: [Int], motion: Motion, roomOfState: [Int],
        parameters: Parameters
    ) {
        let count = taught.count
        places = [Int](repeating: 0, count: count * count)
        let seen = Self.seconds(recordings, rooms: taught)
        guard seen.contains(where: { $0.count > 1 }) else { return nil }
        let usual = Motion(recordings, in: house, rooms: taught, parameters: parameters)
        for (room, seconds) in seen.enumerated() {
            let start = rooms.last?.states.upperBound ?? 0
            let states = start..<start + roomOfState.reduce(0) { $0 + ($1 == room ? 1 : 0) }
            var tilts = [[Double](repeating: 1, count: count)]
            for (origin, row) in seconds.sorted(by: { $0.key < $1.key }) {
                places[origin * count + room] = tilts.count
                let sum = row.reduce(0, +) + parameters.lessons.routePrior
                tilts.append(
                    row.indices.map {
                        (row[$0] / usual.chances[room * count + $0] + parameters.lessons.routePrior) / sum
                    })
            }
            rooms.append(
                Room(states: states, origins: tilts.count, firstSlot: scales.count, tilts: Array(tilts.joined())))
            for row in tilts {
                for state in states {
                    var sum = 0.0
                    for (to, other) in roomOfState.enumerated() {
                        sum += row[other] * motion.chances[state * motion.places + to]
                    }
                    scales.append(1 / sum)
                }
            }
        }
    }

    /// For each room, and each room from which it was entered, the seconds after which an item was in each room.
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

    /// The index of a room among the origins of the one that is entered from it; 0, anywhere, if no lesson showed that.
    func origin(of entered: Int, from room: Int) -> Int { places[room * rooms.count + entered] }
}
