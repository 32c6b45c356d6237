internal import Bytes

/// One visit of a walker: the way to its spot, and the stay there.
struct Walk: Sendable {
    let visit: Int64
    let start: Timestamp
    let arrival: Timestamp
    let end: Timestamp
    /// The room of the stay, by index.
    let room: Int
    private let way: [Point]
    /// Metres from the start to each corner of the way. Stairs count double.
    private let lengths: [Double]
    /// Metres of the walker's movement around its spot.
    private let margin: Double

    init(
        visit: Int64, from start: Timestamp, to end: Timestamp, way: [Point], room: Int, pace: Double, margin: Double
    ) {
        self.visit = visit
        self.start = start
        self.end = end
        self.way = way
        self.room = room
        self.margin = margin
        lengths = Self.lengths(way)
        let wanted = Int64(microseconds: lengths[lengths.count - 1] / pace)
        arrival = start.advanced(byMicroseconds: min(wanted, end.microseconds(since: start) / 20 * 19))
    }

    static func lengths(_ way: [Point]) -> [Double] {
        var lengths = [0.0]
        for index in way.indices.dropFirst() {
            let (a, b) = (way[index - 1], way[index])
            lengths.append(lengths[index - 1] + a.distance(to: b.at(z: a.z)) + 2 * (b.z - a.z).magnitude)
        }
        return lengths
    }

    /// The position of the walker's feet, and its heading (a direction of length 1 on the plan).
    func state(at time: Timestamp, unrest: Unrest) -> (feet: Point, heading: Point) {
        if time < arrival {
            let metres =
                lengths[lengths.count - 1] * Double(time.microseconds(since: start))
                / Double(arrival.microseconds(since: start))
            var leg = 1
            while leg < lengths.count - 1, lengths[leg] <= metres { leg += 1 }
            let length = lengths[leg] - lengths[leg - 1]
            let share = length > 0 ? min(1, (metres - lengths[leg - 1]) / length) : 1
            let feet = way[leg - 1].interpolated(to: way[leg], share: share)
            let dx = way[leg].x - way[leg - 1].x
            let dy = way[leg].y - way[leg - 1].y
            let run = (dx * dx + dy * dy).squareRoot()
            return (feet, run > 0.01 ? Point(x: dx / run, y: dy / run) : unrest.heading(at: time))
        }
        let spot = way[way.count - 1]
        // The movement begins and ends at the spot itself, so that there is no jump.
        let calm = smooth(
            Double(min(time.microseconds(since: arrival), end.microseconds(since: time))) / 3e6)
        let stray = unrest.stray(at: time)
        let reach = margin * calm
        return (Point(x: spot.x + stray.x * reach, y: spot.y + stray.y * reach, z: spot.z), unrest.heading(at: time))
    }
}

/// The movements and turns of a walker during a stay.
struct Unrest: Sendable {
    private let x: TimeNoise
    private let y: TimeNoise
    private let east: TimeNoise
    private let north: TimeNoise

    init(_ stream: RandomStream) {
        x = TimeNoise(stream: stream.child("x"), period: 9_000_000)
        y = TimeNoise(stream: stream.child("y"), period: 9_000_000)
        east = TimeNoise(stream: stream.child("east"), period: 15_000_000)
        north = TimeNoise(stream: stream.child("north"), period: 15_000_000)
    }

    /// The offset from the spot, as a share of the available room; never longer than 1.
    func stray(at time: Timestamp) -> Point {
        Point(
            x: min(0.7, max(-0.7, x.value(at: time) / 3)), y: min(0.7, max(-0.7, y.value(at: time) / 3)))
    }

    func heading(at time: Timestamp) -> Point {
        let (dx, dy) = (east.value(at: time), north.value(at: time))
        let length = (dx * dx + dy * dy).squareRoot()
        return length > 1e-6 ? Point(x: dx / length, y: dy / length) : Point(x: 1, y: 0)
    }
}
