/// The rooms of a valid scenario, prepared for queries: the room of a place, and the obstructions between two places.
struct SimulatedPlan: Sendable {
    struct Room: Sendable {
        let id: String
        let outline: Polygon
        let anchor: Point
        let z: Double
        /// The corners of the bounding box, for a fast negative answer.
        let low: Point
        let high: Point
    }

    /// A door between two rooms' indices; `outside` means away.
    struct Door: Sendable {
        let from: Int
        let to: Int
        let place: Point
        /// The noise that opens and closes the door, by the minute.
        let state: TimeNoise
    }

    let rooms: [Room]
    let doors: [Door]
    /// The index after the last room: everything outside.
    var outside: Int { rooms.count }
    private let index: [String: Int]
    private let floors: [Double]
    /// Decibels between two rooms, by index, `outside` included.
    private let losses: [Double]
    private let doorsOfRoom: [[Int]]

    init(_ scenario: Scenario, stream: RandomStream) {
        var index: [String: Int] = [:]
        rooms = scenario.rooms.enumerated().map { place, room in
            index[room.id] = place
            let outline = Polygon(room.polygon)
            let xs = room.polygon.map(\.x)
            let ys = room.polygon.map(\.y)
            return Room(
                id: room.id, outline: outline, anchor: (outline.anchor ?? room.polygon[0]).at(z: room.z), z: room.z,
                low: Point(x: xs.min() ?? 0, y: ys.min() ?? 0), high: Point(x: xs.max() ?? 0, y: ys.max() ?? 0))
        }
        index[Scenario.away] = rooms.count
        self.index = index
        let rooms = rooms
        doors = scenario.doors.enumerated().map { place, door in
            let (from, to) = (index[door.from] ?? 0, index[door.to] ?? 0)
            let z = min(from < rooms.count ? rooms[from].z : .infinity, to < rooms.count ? rooms[to].z : .infinity)
            let state = TimeNoise(stream: stream.child("\(door.from) \(door.to) \(place)"), period: 240_000_000)
            return Door(from: from, to: to, place: Point(x: door.x, y: door.y, z: z), state: state)
        }
        floors = Set(rooms.map(\.z)).sorted()
        let side = rooms.count + 1
        var losses = [Double](repeating: scenario.walls.attenuation, count: side * side)
        for (a, first) in rooms.enumerated() {
            for (b, second) in rooms.enumerated() where first.z != second.z {
                losses[a * side + b] = scenario.walls.ceiling
            }
        }
        for pair in scenario.walls.pairs {
            guard let a = index[pair.from], let b = index[pair.to] else { continue }
            losses[a * side + b] = pair.attenuation
            losses[b * side + a] = pair.attenuation
        }
        self.losses = losses
        var doorsOfRoom = [[Int]](repeating: [], count: side)
        for (place, door) in doors.enumerated() {
            doorsOfRoom[door.from].append(place)
            doorsOfRoom[door.to].append(place)
        }
        self.doorsOfRoom = doorsOfRoom
    }

    /// A room's index by its id; `away` is `outside`.
    func room(named id: String) -> Int? {
        index[id]
    }

    /// The room of a place, or `outside`.
    ///
    /// Of rooms above each other it is the one with the next floor below. A place inside a wall, up to 0.3 m from a
    /// room, belongs to the nearest room.
    func room(at place: Point) -> Int {
        var found = outside
        var floor = -Double.infinity
        for (index, room) in rooms.enumerated() where room.z <= place.z + 0.05 && room.z > floor {
            guard place.x >= room.low.x, place.x <= room.high.x, place.y >= room.low.y, place.y <= room.high.y,
                room.outline.contains(place)
            else { continue }
            found = index
            floor = room.z
        }
        if found != outside { return place.z - floor < 4 ? found : outside }
        var nearest = 0.3
        for (index, room) in rooms.enumerated() where room.z <= place.z + 0.05 && place.z - room.z < 2.6 {
            guard place.x >= room.low.x - 0.3, place.x <= room.high.x + 0.3, place.y >= room.low.y - 0.3,
                place.y <= room.high.y + 0.3
            else { continue }
            let distance = room.outline.distanceToOutline(place)
            if distance < nearest {
                found = index
                nearest = distance
            }
        }
        return found
    }

    /// Decibels lost in the walls and ceilings on the straight line between two places. At an open door the loss of a
    /// wall is a third.
    func obstruction(from: Point, to: Point) -> Double {
        var cuts: [Double] = []
        for room in rooms where room.z <= max(from.z, to.z) {
            room.outline.appendCrossings(from: from, to: to, into: &cuts)
        }
        for z in floors where (z - from.z) * (z - to.z) < 0 { cuts.append((z - from.z) / (to.z - from.z)) }
        guard !cuts.isEmpty else { return 0 }
        cuts.sort()
        var loss = 0.0
        var before = room(at: from)
        for (place, cut) in cuts.enumerated() {
            let next = place + 1 < cuts.count ? cuts[place + 1] : 1
            // Two rooms share most walls: their two outlines cut the line at one place.
            if next - cut < 1e-9 { continue }
            let after = room(at: from.interpolated(to: to, share: (cut + next) / 2))
            if after != before {
                let wall = losses[before * (rooms.count + 1) + after]
                let hit = from.interpolated(to: to, share: cut)
                let isAtDoor = doorsOfRoom[before].contains { door in
                    (doors[door].from == after || doors[door].to == after) && doors[door].place.z <= hit.z
                        && hit.z - doors[door].place.z < 2.2
                        && doors[door].place.at(z: hit.z).distance(to: hit) < 0.45
                }
                loss += isAtDoor ? wall / 3 : wall
                before = after
            }
        }
        return loss
    }

    /// The doors on the way round a wall: those between the rooms of two places.
    func doors(between first: Int, _ second: Int) -> some Sequence<Door> {
        doorsOfRoom[first].lazy.map { doors[$0] }.filter { $0.from == second || $0.to == second }
    }

    /// The door of each room on the shortest way to each other room; nil if there is no way.
    func nextDoors() -> [[Int?]] {
        let side = rooms.count + 1
        var lengths = [[Double]](repeating: [Double](repeating: .infinity, count: side), count: side)
        var next = [[Int?]](repeating: [Int?](repeating: nil, count: side), count: side)
        for place in 0..<side { lengths[place][place] = 0 }
        for (place, door) in doors.enumerated() {
            let from = door.from < rooms.count ? rooms[door.from].anchor.distance(to: door.place) : 30
            let to = door.to < rooms.count ? rooms[door.to].anchor.distance(to: door.place) : 30
            guard door.from != door.to, from + to < lengths[door.from][door.to] else { continue }
            lengths[door.from][door.to] = from + to
            lengths[door.to][door.from] = from + to
            next[door.from][door.to] = place
            next[door.to][door.from] = place
        }
        for via in 0..<side {
            for from in 0..<side where lengths[from][via].isFinite {
                for to in 0..<side where lengths[from][via] + lengths[via][to] < lengths[from][to] {
                    lengths[from][to] = lengths[from][via] + lengths[via][to]
                    next[from][to] = next[from][via]
                }
            }
        }
        return next
    }
}
