/// The rooms of the places of a house: by the rooms' outlines if all are drawn, else by the nearest node.
struct Layout {
    /// The fall of levels there, and the weight of the plan.
    let model: Parameters.Positions.Model
    /// The floors by their names, lowest index first as their rooms are.
    let floors: [String?]
    /// Corners that it lies between.
    let corners: [House.Corner]
    /// The nodes that have both a room and a place.
    let nodes: [House.Node]
    private let rooms: [House.Room]
    private let isDrawn: Bool

    /// The layout of a house; nil if too few nodes have a place, or if nodes are above one another in rooms that name
    /// no floor. Beside rooms that name their floor, one that names none is left out.
    init?(_ house: House, parameters: Parameters.Positions) {
        rooms = house.rooms
        let named = rooms.indices.filter { !house.rooms[$0].id.isEmpty }
        let isDrawn = named.allSatisfy { house.rooms[$0].outline.count > 2 }
        self.isDrawn = isDrawn
        var nodes = house.nodes.filter { $0.position != nil && $0.room != nil }
        func floor(_ node: House.Node) -> String? { node.room.flatMap { house.rooms[$0].floor } }
        if !isDrawn {
            if nodes.contains(where: { floor($0) != nil }) {
                nodes.removeAll { floor($0) == nil }
            } else {
                let heights = nodes.compactMap(\.position?.z)
                guard (heights.max() ?? 0) - (heights.min() ?? 0) <= parameters.storey else { return nil }
            }
        }
        self.nodes = nodes
        guard nodes.count >= parameters.leastNodes else { return nil }
        let placed = Set(nodes.compactMap(\.room))
        if isDrawn, !named.allSatisfy(Set(house.nodes.compactMap(\.room)).contains) {
            model = parameters.search
        } else {
            guard placed.count >= parameters.leastNodes else { return nil }
            model = parameters.support
        }
        var floors: [String?] = []
        for room in isDrawn ? named : placed.sorted() where !floors.contains(house.rooms[room].floor) {
            floors.append(house.rooms[room].floor)
        }
        self.floors = floors
        let margin = parameters.margin
        corners =
            isDrawn
            ? named.flatMap { house.rooms[$0].outline }
            : nodes.compactMap(\.position).flatMap {
                [House.Corner(x: $0.x - margin, y: $0.y - margin), House.Corner(x: $0.x + margin, y: $0.y + margin)]
            }
        let axes = corners.flatMap { [$0.x, $0.y] } + nodes.compactMap(\.position).flatMap { [$0.x, $0.y] }
        guard axes.allSatisfy({ abs($0) <= parameters.reach }) else { return nil }
    }

    /// The floor of a node, as an index into `floors`.
    func floor(of node: House.Node) -> Int {
        node.room.flatMap { floors.firstIndex(of: rooms[$0].floor) } ?? 0
    }

    /// The room of a place; nil outside.
    func room(at place: House.Corner, floor: Int) -> Int? {
        if isDrawn {
            return rooms.firstIndex { $0.floor == floors[floor] && $0.outline.surround(place) }
        }
        var nearest: (room: Int?, distance: Double) = (nil, .infinity)
        for node in nodes where self.floor(of: node) == floor {
            guard let position = node.position else { continue }
            let (x, y) = (position.x - place.x, position.y - place.y)
            if x * x + y * y < nearest.distance { nearest = (node.room, x * x + y * y) }
        }
        return nearest.room
    }
}
