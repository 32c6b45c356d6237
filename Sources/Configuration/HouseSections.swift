internal import CommandLine
internal import WireProtocol

/// The sections `rooms`, `nodes` and `shards` of a fuser's file.
enum HouseSections {
    /// The most rooms, and the most nodes, of a house.
    static let bound = HousePlan.roomLimit
    private static let metres = -10_000.0...10_000.0

    static func rooms(
        _ reader: ConfigurationReader
    ) -> ConfigurationReader.Getter<[FuserConfiguration.Room]> {
        { node in
            var ids = UniqueNames("the id")
            var doors: [(room: String, position: ConfigurationPosition)] = []
            let room: ConfigurationReader.Getter<FuserConfiguration.Room> = reader.map { map in
                let id = map.require("id", reader.newIdentifier)
                let name = map.read("name", reader.string)
                let floor = map.read("floor", reader.string)
                let polygon = map.read("polygon") { readOutline($0, reader) }
                let door: ConfigurationReader.Getter<String> = { node in
                    let id = reader.identifier(node)
                    if let id { doors.append((id, node.position)) }
                    return id
                }
                let nextTo = map.read("next_to", reader.list(bound, of: door))
                guard let id else { return nil }
                ids.registerName(id, at: map.place("id"), reader)
                return FuserConfiguration.Room(
                    id: id, name: name, floor: floor, polygon: polygon ?? [], nextTo: nextTo ?? [])
            }
            guard let rooms = reader.list(bound, of: room)(node) else { return nil }
            let known = Set(rooms.map(\.id))
            for door in doors { mustBeKnown(door.room, among: known, at: door.position, reader) }
            return rooms
        }
    }

    /// The nodes; if `rooms` is nil they define the rooms themselves.
    static func nodes(
        _ reader: ConfigurationReader, in rooms: [FuserConfiguration.Room]?
    ) -> ConfigurationReader.Getter<[FuserConfiguration.Node]> {
        { node in
            guard let pairs = reader.pairs(node) else { return nil }
            guard pairs.count <= bound else {
                reader.expected("at most \(bound) nodes", node)
                return nil
            }
            let known = rooms.map { Set($0.map(\.id)) }
            return pairs.compactMap { pair in
                let key = YAMLNode(.scalar(pair.key, isPlain: true), at: pair.position)
                let id = reader.newIdentifier(key)
                let place: ConfigurationReader.Getter<FuserConfiguration.Node> = reader.map { map in
                    let room = map.read("room", reader.identifier)
                    let x = map.read("x", reader.number(metres))
                    let y = map.read("y", reader.number(metres))
                    let z = map.read("z", reader.number(metres))
                    if map.has("x") != map.has("y") || map.has("z") && !map.has("x") {
                        reader.fault(map.position, "a place needs both 'x' and 'y'")
                    }
                    if let room, let known {
                        mustBeKnown(room, among: known, at: map.valuePlace("room"), reader)
                    }
                    guard let id else { return nil }
                    var node = FuserConfiguration.Node(id: id, room: room, position: nil)
                    if let x, let y { node.position = .init(x: x, y: y, z: z ?? 0) }
                    return node
                }
                return place(pair.node)
            }
        }
    }

    /// The shards `00-ff`: two first bytes, or one alone; or `shared`.
    static func shards(_ reader: ConfigurationReader) -> ConfigurationReader.Getter<FuserConfiguration.Shards> {
        { node in
            if case .scalar("shared", _) = node.value { return .shared }
            if case .scalar(let text, _) = node.value, let shards = Claim.shards(text) { return .range(shards) }
            reader.expected("shards such as 00-7f, within 00-ff, or shared", node)
            return nil
        }
    }

    private static func readOutline(_ node: YAMLNode, _ reader: ConfigurationReader) -> [FuserConfiguration.Room.Point]?
    {
        let point: ConfigurationReader.Getter<FuserConfiguration.Room.Point> = { node in
            guard case .sequence(let parts) = node.value, parts.count == 2 else {
                reader.expected("a corner [x, y] in metres", node)
                return nil
            }
            let values = parts.compactMap(reader.number(metres))
            return values.count == 2 ? .init(x: values[0], y: values[1]) : nil
        }
        guard case .sequence(let corners) = node.value, (3...1000).contains(corners.count) else {
            reader.expected("a list of 3 to 1000 corners [x, y]", node)
            return nil
        }
        return corners.compactMap(point)
    }

    static func mustBeKnown(
        _ room: String, among known: Set<String>, at position: ConfigurationPosition, _ reader: ConfigurationReader
    ) {
        guard !known.contains(room), !reader.isFull else { return }
        let hint = Spelling.question(room, among: known.sorted())
        reader.fault(position, "there is no room '\(room)'\(hint)")
    }
}
