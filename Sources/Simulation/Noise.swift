internal import Bytes

/// Smooth noise over time: independent normals at multiples of a period, and a blend of the two neighbours in between.
/// Deviation 1 everywhere; samples two periods apart are independent.
struct TimeNoise: Sendable {
    let stream: RandomStream
    /// Microseconds between the points of the lattice; positive.
    let period: Int64

    func value(at time: Timestamp) -> Double {
        let (cell, rest) = time.floorDivided(by: period)
        let share = smooth(Double(rest) / Double(period))
        let near = 1 - share
        let sum = near * stream.normal(cell) + share * stream.normal(cell + 1)
        return sum / (near * near + share * share).squareRoot()
    }
}

/// Smooth noise over the plan: the same, on a square lattice.
struct PlaneNoise: Sendable {
    let stream: RandomStream
    /// Metres between the points of the lattice; positive.
    let cell: Double

    func value(at point: Point) -> Double {
        let x = point.x / cell
        let y = point.y / cell
        let column = Int64(x.rounded(.down))
        let row = Int64(y.rounded(.down))
        let right = smooth(x - x.rounded(.down))
        let up = smooth(y - y.rounded(.down))
        let left = 1 - right
        let down = 1 - up
        let sum =
            left * down * stream.normal(column, row) + right * down * stream.normal(column + 1, row)
            + left * up * stream.normal(column, row + 1) + right * up * stream.normal(column + 1, row + 1)
        return sum / ((left * left + right * right) * (down * down + up * up)).squareRoot()
    }
}
