/// The ways through the house: along straight lines inside rooms, through doors and up staircases.
struct WalkingRoutes: Sendable {
    let plan: SimulatedPlan
    private let next: [[Int?]]

    init(_ plan: SimulatedPlan) {
        self.plan = plan
        next = plan.nextDoors()
    }

    /// True if there is a way from one room to another.
    func isReachable(_ to: Int, from: Int) -> Bool {
        from == to || next[from][to] != nil
    }

    /// The corners of the way from a place in one room to a place in another, both included.
    func way(from start: Point, in first: Int, to end: Point, in last: Int) -> [Point] {
        var way = [start]
        var room = first
        while room != last, let index = next[room][last] {
            let door = plan.doors[index]
            let beyond = door.from == room ? door.to : door.from
            walk(to: thresholdPoint(of: door, in: room), in: room, along: &way)
            // A staircase: the walk includes both of its ends, one above the other.
            way.append(door.place.at(z: floor(of: room, or: beyond)))
            way.append(door.place.at(z: floor(of: beyond, or: room)))
            way.append(thresholdPoint(of: door, in: beyond))
            room = beyond
        }
        walk(to: end, in: room, along: &way)
        return way
    }

    /// A random place to stand in a room; `index` counts the choices.
    func spot(in room: Int, stream: RandomStream, index: Int64) -> Point {
        guard room < plan.rooms.count else { return outdoorPoint(stream, index) }
        let place = plan.rooms[room]
        for attempt in 0..<6 {
            let number = index &* 16 &+ Int64(attempt) &* 2
            let spot = Point(
                x: stream.uniform(number, in: place.low.x...place.high.x),
                y: stream.uniform(number &+ 1, in: place.low.y...place.high.y), z: place.z)
            if place.outline.contains(spot), place.outline.distanceToOutline(spot) > 0.4 { return spot }
        }
        return place.anchor
    }

    /// A place 25 to 40 m before the door that leads outside.
    private func outdoorPoint(_ stream: RandomStream, _ index: Int64) -> Point {
        guard let door = plan.doors.first(where: { $0.from == plan.outside || $0.to == plan.outside }) else {
            return Point(x: 0, y: 0)
        }
        return thresholdPoint(of: door, in: plan.outside, metres: stream.uniform(index, in: 25...40))
    }

    /// A place one step inside a room before its door, so that no walk is inside a wall.
    private func thresholdPoint(of door: SimulatedPlan.Door, in room: Int, metres: Double = 0.5) -> Point {
        let inner = door.from == room ? door.to : door.from
        if room < plan.rooms.count {
            let anchor = plan.rooms[room].anchor
            let place = door.place.at(z: anchor.z)
            return place.interpolated(to: anchor, share: min(0.5, metres / max(0.1, place.distance(to: anchor))))
        }
        let anchor = plan.rooms[inner].anchor
        let place = door.place.at(z: anchor.z)
        return anchor.interpolated(to: place, share: 1 + metres / max(0.1, place.distance(to: anchor)))
    }

    private func floor(of room: Int, or other: Int) -> Double {
        room < plan.rooms.count ? plan.rooms[room].z : plan.rooms[other].z
    }

    /// Appends the way to a place in the same room: straight, or by the room's anchor if a corner is in between.
    private func walk(to end: Point, in room: Int, along way: inout [Point]) {
        if room < plan.rooms.count, !plan.rooms[room].outline.isConvex, let start = way.last {
            let outline = plan.rooms[room].outline
            var cuts: [Double] = []
            outline.appendCrossings(from: start, to: end, into: &cuts)
            if cuts.contains(where: { $0 > 1e-6 && $0 < 1 - 1e-6 }) { way.append(plan.rooms[room].anchor) }
        }
        way.append(end)
    }
}
