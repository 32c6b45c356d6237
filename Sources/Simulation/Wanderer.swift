internal import Bytes

/// A walker with its prepared plan: its place at any time, without the times before.
struct Wanderer: Sendable {
    let bodyLoss: Double
    let unrest: Unrest
    private let rooms: [Int]
    private let isRoaming: Bool
    private let pace: Double
    private let routes: WalkingRoutes
    private let timetable: Timetable
    private let choices: RandomStream
    private let spots: RandomStream

    init(_ walker: Scenario.Walker, routes: WalkingRoutes, stream: RandomStream) {
        let stream = stream.child(walker.id)
        self.routes = routes
        bodyLoss = walker.bodyLoss
        pace = walker.pace
        unrest = Unrest(stream.child("unrest"))
        choices = stream.child("choices")
        spots = stream.child("spots")
        let stays: [Scenario.Stay]
        switch walker.plan {
        case .itinerary(let visits):
            isRoaming = false
            rooms = visits.map { routes.plan.room(named: $0.room) ?? 0 }
            stays = visits.map(\.stay)
        case .roam(let ids, let stay):
            isRoaming = true
            rooms = ids.map { routes.plan.room(named: $0) ?? 0 }
            stays = [stay]
        }
        // The usual way to each stay: from the one before, or between any two if the choice is random.
        var ways: [Double] = []
        for index in rooms.indices {
            let (from, to) = (rooms[(index + rooms.count - 1) % rooms.count], rooms[index])
            let start = routes.spot(in: from, stream: spots, index: -1)
            let end = routes.spot(in: to, stream: spots, index: -2)
            ways.append((Walk.lengths(routes.way(from: start, in: from, to: end, in: to)).last ?? 0) / walker.pace)
        }
        if isRoaming { ways = [ways.reduce(0, +) / Double(ways.count)] }
        timetable = Timetable(stays: stays, ways: ways, stream: stream.child("timetable"))
    }

    /// The walk of a time; `known` if it still applies.
    func walk(at time: Timestamp, known: Walk? = nil) -> Walk {
        if let known, time >= known.start, time < known.end { return known }
        let visit = timetable.visit(at: time)
        let (before, room) = (self.room(of: visit - 1), self.room(of: visit))
        let spot = routes.spot(in: room, stream: spots, index: visit)
        let way = routes.way(
            from: routes.spot(in: before, stream: spots, index: visit - 1), in: before, to: spot, in: room)
        let plan = routes.plan
        let margin = room < plan.rooms.count ? min(1.2, 0.9 * plan.rooms[room].outline.distanceToOutline(spot)) : 1.2
        return Walk(
            visit: visit, from: timetable.end(of: visit - 1), to: timetable.end(of: visit), way: way, room: room,
            pace: pace, margin: margin)
    }

    /// The room of a visit. A roaming walker never visits a room twice in a row if it has a choice: even visits choose
    /// among all rooms, odd ones among those that neither neighbour chose.
    private func room(of visit: Int64) -> Int {
        guard isRoaming else { return rooms[Int(visit.floorDivided(by: Int64(rooms.count)).remainder)] }
        guard rooms.count > 1 else { return rooms[0] }
        let isOdd = visit & 1 == 1
        if rooms.count == 2 { return rooms[isOdd ? 1 : 0] }
        guard isOdd else { return rooms[choices.choice(visit, of: rooms.count)] }
        let before = rooms[choices.choice(visit - 1, of: rooms.count)]
        let after = rooms[choices.choice(visit + 1, of: rooms.count)]
        let free = rooms.filter { $0 != before && $0 != after }
        return free.isEmpty ? before : free[choices.choice(visit, of: free.count)]
    }
}
