/// A place in the house: metres, `z` upwards, all rooms in one system of coordinates.
public struct Point: Hashable, Sendable {
    /// Metres along the plan's first axis.
    public var x: Double
    /// Metres along the plan's second axis.
    public var y: Double
    /// Metres of height.
    public var z: Double

    /// A place in metres.
    public init(x: Double, y: Double, z: Double = 0) {
        self.x = x
        self.y = y
        self.z = z
    }

    /// Metres to another place.
    public func distance(to other: Point) -> Double {
        let (dx, dy, dz) = (other.x - x, other.y - y, other.z - z)
        return (dx * dx + dy * dy + dz * dz).squareRoot()
    }

    /// The place at a share of the way to another: 0 is this place, 1 the other.
    func interpolated(to other: Point, share: Double) -> Point {
        Point(x: x + (other.x - x) * share, y: y + (other.y - y) * share, z: z + (other.z - z) * share)
    }

    /// This place at another height.
    func at(z: Double) -> Point {
        Point(x: x, y: y, z: z)
    }

    /// Metres on the plan, heights left out, to the nearest place of a segment.
    func planDistance(toSegment from: Point, _ to: Point) -> Double {
        let (dx, dy) = (to.x - from.x, to.y - from.y)
        let square = dx * dx + dy * dy
        let share = square > 0 ? min(1, max(0, ((x - from.x) * dx + (y - from.y) * dy) / square)) : 0
        let (ex, ey) = (from.x + dx * share - x, from.y + dy * share - y)
        return (ex * ex + ey * ey).squareRoot()
    }
}
