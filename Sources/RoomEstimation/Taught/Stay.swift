/// The time that an item has been in each taught room, if it is there now: the input of `Dwell`.
///
/// For each room it holds the mean over all possible pasts: an item that has just come in has the least age, one that
/// was there is a second older.
struct Stay: Sendable {
    /// The states of each room; rooms lie one after the other.
    let states: [Range<Int>]
    /// The factor by which each room is left more often than usual in this second.
    private(set) var urges: [Double]
    /// The belief that has stayed in each room in this second.
    private var kept: [Double]
    /// The mean time in each room, in seconds.
    private var ages: [Double]

    /// The state of an item that has just come.
    init(states: [Range<Int>]) {
        self.states = states
        ages = [Double](repeating: 0, count: states.count)
        kept = ages
        urges = ages
    }

    /// Begins a second in which it rests with the probability `resting`.
    mutating func begin(_ dwell: Dwell, resting: Double) {
        for room in ages.indices {
            urges[room] = dwell.urge(in: room, after: ages[room], resting: resting)
            kept[room] = 0
        }
    }

    /// Adds belief that stays in a room.
    mutating func keep(_ belief: Double, in room: Int) { kept[room] += belief }

    /// Ends the second with the present belief of each state.
    mutating func end(_ belief: [Double]) {
        for room in ages.indices {
            var inside = Parameters.least
            for state in states[room] { inside += belief[state] }
            ages[room] = min(1, kept[room] / inside) * (ages[room] + 1)
        }
    }
}
