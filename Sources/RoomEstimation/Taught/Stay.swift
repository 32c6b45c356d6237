/// For how long an item has been in each taught room, were it there now: what `Dwell` asks for.
///
/// Of each room the mean is kept over all that may have happened: what has just come in is as young as can be, what was there
/// is a second older.
struct Stay: Sendable {
    /// The states of each room; rooms lie one after the other.
    let states: [Range<Int>]
    /// How much oftener than usual each room is left in this second.
    private(set) var urges: [Double]
    /// What of the belief has stayed in each room in this second.
    private var kept: [Double]
    /// The mean time in each room, in seconds.
    private var ages: [Double]

    /// It has just come.
    init(states: [Range<Int>]) {
        self.states = states
        ages = [Double](repeating: 0, count: states.count)
        kept = ages
        urges = ages
    }

    /// Begins a second in which it lies still with the probability `resting`.
    mutating func begin(_ dwell: Dwell, resting: Double) {
        for room in ages.indices {
            urges[room] = dwell.urge(in: room, after: ages[room], resting: resting)
            kept[room] = 0
        }
    }

    /// So much of the belief stays in a room.
    mutating func keep(_ belief: Double, in room: Int) { kept[room] += belief }

    /// Ends the second with what is believed of each state now.
    mutating func end(_ belief: [Double]) {
        for room in ages.indices {
            var inside = Parameters.least
            for state in states[room] { inside += belief[state] }
            ages[room] = min(1, kept[room] / inside) * (ages[room] + 1)
        }
    }
}
