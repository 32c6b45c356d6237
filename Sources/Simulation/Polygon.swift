/// A room's outline on the plan, corners anticlockwise. Heights are ignored.
struct Polygon: Sendable {
    let corners: [Point]
    /// A place from which the whole room is visible (the middle of the outline's kernel); nil if there is none.
    let anchor: Point?
    /// True if the straight line between any two places in it never leaves it.
    let isConvex: Bool
    let area: Double

    init(_ corners: [Point]) {
        let signedArea = Self.signedArea(corners)
        let corners = signedArea < 0 ? corners.reversed() : corners
        self.corners = corners
        area = signedArea.magnitude
        isConvex = corners.indices.allSatisfy { index in
            let (a, b) = (corners[index], corners[(index + 1) % corners.count])
            return Self.side(of: corners[(index + 2) % corners.count], a, b) >= -1e-9
        }
        anchor = Self.kernelMiddle(corners)
    }

    func contains(_ point: Point) -> Bool {
        var inside = false
        var before = corners[corners.count - 1]
        for corner in corners {
            if (corner.y > point.y) != (before.y > point.y),
                point.x < (before.x - corner.x) * (point.y - corner.y) / (before.y - corner.y) + corner.x
            {
                inside.toggle()
            }
            before = corner
        }
        return inside
    }

    /// Metres to the nearest wall, from either side of it.
    func distanceToOutline(_ point: Point) -> Double {
        var nearest = Double.infinity
        for index in corners.indices {
            nearest = min(
                nearest, point.planDistance(toSegment: corners[index], corners[(index + 1) % corners.count]))
        }
        return nearest
    }

    /// Appends the shares of the way from `from` to `to` at which it crosses the outline.
    func appendCrossings(from: Point, to: Point, into shares: inout [Double]) {
        let (dx, dy) = (to.x - from.x, to.y - from.y)
        var a = corners[corners.count - 1]
        for b in corners {
            let (ex, ey) = (b.x - a.x, b.y - a.y)
            let cross = dx * ey - dy * ex
            if cross.magnitude > 1e-12 {
                let (fx, fy) = (a.x - from.x, a.y - from.y)
                let share = (fx * ey - fy * ex) / cross
                let place = (fx * dy - fy * dx) / cross
                if share > 0, share < 1, place >= 0, place <= 1 { shares.append(share) }
            }
            a = b
        }
    }

    /// True if two of the outline's walls cross each other.
    var crossesItself: Bool {
        for first in corners.indices {
            let (a, b) = (corners[first], corners[(first + 1) % corners.count])
            for second in corners.indices.dropFirst(first + 1) {
                let (c, d) = (corners[second], corners[(second + 1) % corners.count])
                if Self.side(of: c, a, b) * Self.side(of: d, a, b) < 0,
                    Self.side(of: a, c, d) * Self.side(of: b, c, d) < 0
                {
                    return true
                }
            }
        }
        return false
    }

    /// A value that is positive if `point` lies to the left of the line from `a` to `b`.
    private static func side(of point: Point, _ a: Point, _ b: Point) -> Double {
        (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)
    }

    private static func signedArea(_ corners: [Point]) -> Double {
        var sum = 0.0
        for index in corners.indices {
            let (a, b) = (corners[index], corners[(index + 1) % corners.count])
            sum += a.x * b.y - b.x * a.y
        }
        return sum / 2
    }

    /// Clips the bounding box by the inner side of each wall; the whole room is visible from the rest.
    private static func kernelMiddle(_ corners: [Point]) -> Point? {
        guard let first = corners.first, corners.count >= 3 else { return nil }
        var (low, high) = (first, first)
        for corner in corners {
            low = Point(x: min(low.x, corner.x), y: min(low.y, corner.y))
            high = Point(x: max(high.x, corner.x), y: max(high.y, corner.y))
        }
        var kernel = [low, Point(x: high.x, y: low.y), high, Point(x: low.x, y: high.y)]
        for index in corners.indices {
            let (a, b) = (corners[index], corners[(index + 1) % corners.count])
            var kept: [Point] = []
            for place in kernel.indices {
                let (p, q) = (kernel[place], kernel[(place + 1) % kernel.count])
                let (sp, sq) = (side(of: p, a, b), side(of: q, a, b))
                if sp >= 0 { kept.append(p) }
                if (sp > 0 && sq < 0) || (sp < 0 && sq > 0) {
                    kept.append(p.interpolated(to: q, share: sp / (sp - sq)))
                }
            }
            kernel = kept
            if kernel.count < 3 { return nil }
        }
        guard signedArea(kernel) > 0.01 else { return nil }
        let count = Double(kernel.count)
        return Point(x: kernel.reduce(0) { $0 + $1.x } / count, y: kernel.reduce(0) { $0 + $1.y } / count)
    }
}
