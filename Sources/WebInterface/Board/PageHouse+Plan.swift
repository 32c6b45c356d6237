public import WireProtocol

extension PageHouse {
    /// The reason for which a plan is too large beside the configuration, with the remedy; nil if it is not.
    public func excess(of plan: HousePlan) -> String? {
        let drawn = drawn(by: plan)
        for (noun, count, own, limit) in [
            ("rooms", drawn.rooms.count, rooms.count, HousePlan.roomLimit),
            ("nodes", drawn.nodes.count, nodes.count, HousePlan.nodeLimit),
        ] where count > limit {
            return
                "The plan was not saved: the configuration's \(own) \(noun) and those of the plan are \(count) together, and "
                + "a house has \(limit) at most. Remove \(count - limit) of them."
        }
        return nil
    }

    /// This house with a plan: where the configuration says nothing of a room's corners or a node's place, the plan does.
    public func drawn(by plan: HousePlan?) -> PageHouse {
        guard let plan else { return self }
        var house = self
        (house.revision, house.floors) = (plan.revision, plan.floors)
        var rooms = Dictionary(house.rooms.indices.map { (house.rooms[$0].id, $0) }) { one, _ in one }
        for room in plan.rooms {
            guard let index = rooms[room.id] else {
                rooms[room.id] = house.rooms.count
                var new = Room(id: room.id, name: room.name, floor: room.floor, polygon: room.polygon, nextTo: [])
                new.from = .plan
                house.rooms.append(new)
                continue
            }
            guard house.rooms[index].polygon.isEmpty else { continue }
            house.rooms[index].polygon = room.polygon
            house.rooms[index].floor = house.rooms[index].floor ?? room.floor
            house.rooms[index].name = house.rooms[index].name ?? room.name
            house.rooms[index].from = .plan
        }
        for door in plan.doors {
            for (one, other) in [(door.one, door.other), (door.other, door.one)] {
                guard let index = rooms[one], rooms[other] != nil else { continue }
                if !house.rooms[index].nextTo.contains(other) { house.rooms[index].nextTo.append(other) }
            }
        }
        let nodes = Dictionary(house.nodes.indices.map { (house.nodes[$0].id, $0) }) { one, _ in one }
        for node in plan.nodes {
            var new = Node(id: node.id, room: nil, place: Place(x: node.x, y: node.y, z: node.z))
            new.from = .plan
            guard let index = nodes[node.id] else {
                house.nodes.append(new)
                continue
            }
            guard house.nodes[index].place == nil else { continue }
            new.room = house.nodes[index].room
            house.nodes[index] = new
        }
        return house
    }

    /// The sections `rooms` and `nodes` of a fuser's configuration that say the same.
    public var yaml: String {
        var lines = rooms.isEmpty ? [] : ["rooms:"]
        for room in rooms {
            var parts = ["id: \(Self.quote(room.id))"]
            if let name = room.name { parts.append("name: \(Self.quote(name))") }
            if let floor = room.floor { parts.append("floor: \(Self.quote(floor))") }
            if !room.polygon.isEmpty {
                let corners = room.polygon.map { "[\(Self.metres($0.x)), \(Self.metres($0.y))]" }
                parts.append("polygon: [\(corners.joined(separator: ", "))]")
            }
            if !room.nextTo.isEmpty {
                parts.append("next_to: [\(room.nextTo.map(Self.quote).joined(separator: ", "))]")
            }
            lines.append("  - {\(parts.joined(separator: ", "))}")
        }
        if !nodes.isEmpty { lines.append("nodes:") }
        for node in nodes {
            var parts = node.room.map { ["room: \(Self.quote($0))"] } ?? []
            if let place = node.place {
                parts += ["x: \(Self.metres(place.x))", "y: \(Self.metres(place.y))"]
                if let z = place.z { parts.append("z: \(Self.metres(z))") }
            }
            lines.append("  \(Self.quote(node.id)): {\(parts.joined(separator: ", "))}")
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// Words that YAML reads as other values than texts.
    private static let reserved: Set<String> = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"]

    private static func quote(_ text: String) -> String {
        let isPlain =
            text.utf8.first.map { (0x61...0x7A).contains($0) } ?? false
            && text.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F || $0 == 0x2D
            }
        if isPlain, !reserved.contains(text) { return text }
        return "'" + text.replacing("'", with: "''") + "'"
    }

    /// A length in millimetres' steps.
    private static func metres(_ value: Double) -> String {
        let rounded = (value * 1000).rounded() / 1000
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }
}
