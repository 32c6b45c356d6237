import Fusion

/// What a house's plan lacks, as nodes come: a plan must know each room that a node stands in.
struct PlanGaps {
    /// What the configuration tells of where things are.
    private enum Plan {
        /// The outline of each room.
        case outlines
        /// Places of nodes, in these rooms.
        case places(Set<String>)
        case none
    }

    /// So many rooms are told of, at most.
    private static let capacity = 1024

    private let plan: Plan
    private let drawn: Set<String>
    private var told: Set<String> = []

    /// Looks at the house that a configuration describes.
    init(_ house: House) {
        drawn = Set(house.rooms.lazy.filter { !$0.outline.isEmpty }.map(\.id))
        let placed = house.nodes.filter { $0.position != nil }
        let rooms = placed.compactMap(\.room).map { house.rooms[$0].id }
        if !house.rooms.isEmpty, drawn.count == house.rooms.count {
            plan = .outlines
        } else if rooms.count == placed.count, Set(rooms).count >= Parameters().positions.leastRooms {
            plan = .places(Set(rooms))
        } else {
            // There is none, or where its nodes stand isn't known before they come.
            plan = .none
        }
    }

    /// What is to be said of a room that a node stands in: that the plan lacks it, and has no effect then. Once a room.
    mutating func note(_ room: String, ofNode node: String) -> String? {
        switch plan {
        case .outlines:
            guard !drawn.contains(room), isNew(room) else { return nil }
            return """
                node \(node) stands in \(room), which has no polygon: the house's plan has no effect meanwhile (give 'rooms' its \
                polygon, or the node its room: nodes: {\(node): {room: …}})
                """
        case .places(let rooms):
            guard !rooms.contains(room), isNew(room) else { return nil }
            return """
                node \(node) stands in \(room), where no node has a place: x and y of nodes have no effect meanwhile (give it \
                one: nodes: {\(node): {x: …, y: …}})
                """
        case .none: return nil
        }
    }

    private mutating func isNew(_ room: String) -> Bool { told.count < Self.capacity && told.insert(room).inserted }
}
