import Bytes
import Simulation

/// Reads the parts of a scenario, and remembers those with faults of form.
///
/// A faulty part is replaced rather than left out, so that indices in lists remain those of the file.
final class ScenarioFileReader {
    let reader: ConfigurationReader
    /// The parts with a faulty form, by path. A fault that `validate()` finds in them would only repeat the first.
    private var doubtful: Set<String> = []

    init(_ reader: ConfigurationReader) {
        self.reader = reader
    }

    /// True if a path is in a part with a faulty form.
    func isDoubtful(_ path: String) -> Bool {
        let part = path.prefix { $0 != "." }
        return doubtful.contains(String(part)) || doubtful.contains(String(part.prefix { $0 != "[" }))
    }

    func scenario(_ map: MapReader) -> Scenario {
        var scenario = Scenario()
        scenario.name = map.read("name", reader.string) ?? ""
        scenario.seed = UInt64(map.read("seed", reader.integer(0...Int.max)) ?? 0)
        scenario.start = map.read("start", readTime)
        scenario.origin = map.read("origin", readTime)
        scenario.speed = map.read("speed", number) ?? 1
        let unit = Point(x: .nan, y: .nan)
        scenario.rooms = entries("rooms", map, isRequired: true, or: .init(id: "-", polygon: [unit]), readRoom)
        scenario.doors = entries("doors", map, or: .init(from: "", to: "", x: 0, y: 0), readDoor)
        scenario.walls = part("walls", map, readWalls) ?? Scenario.Walls()
        scenario.deadSpots = entries("dead_spots", map, or: .init(room: "", x: 0, y: 0, radius: 1, loss: 0), deadSpot)
        let rooms = scenario.rooms
        scenario.nodes = entries("nodes", map, isRequired: true, or: .init(id: "-", room: "", position: unit)) { map in
            self.readNode(map, rooms: rooms)
        }
        scenario.walkers = entries("walkers", map, or: .init(id: "-", plan: .itinerary([])), readWalker)
        let nothing = Scenario.Beacon(id: "-", kind: .addressOnly, place: .fixed(unit))
        scenario.beacons = entries("beacons", map, isRequired: true, or: nothing, beacon)
        scenario.radio = part("radio", map, readRadio) ?? Scenario.Radio()
        return scenario
    }

    // MARK: Parts

    private func entries<Value>(
        _ key: String, _ map: MapReader, isRequired: Bool = false, or placeholder: Value,
        _ body: @escaping (MapReader) -> Value
    ) -> [Value] {
        var index = 0
        let before = reader.faults.count
        let entry: ConfigurationReader.Getter<Value> = { node in
            let before = self.reader.faults.count
            let value = self.reader.map(body)(node)
            if self.reader.faults.count > before { self.doubtful.insert("\(key)[\(index)]") }
            index += 1
            return value ?? placeholder
        }
        let list = reader.list(of: entry)
        let values = isRequired ? map.require(key, list) : map.read(key, list)
        if values == nil, reader.faults.count > before { doubtful.insert(key) }
        return values ?? []
    }

    private func part<Value>(_ key: String, _ map: MapReader, _ body: @escaping (MapReader) -> Value) -> Value? {
        let before = reader.faults.count
        let value = map.read(key, reader.map(body))
        if reader.faults.count > before { doubtful.insert(key) }
        return value
    }

    private func readRoom(_ map: MapReader) -> Scenario.Room {
        var room = Scenario.Room(id: map.require("id", reader.string) ?? "-", polygon: [])
        room.name = map.read("name", reader.string)
        room.floor = map.read("floor", reader.string)
        room.z = map.read("z", number) ?? 0
        if map.node("polygon") != nil {
            room.polygon = map.read("polygon", reader.list(of: readCorner)) ?? []
        } else if map.node("from") != nil || map.node("to") != nil {
            if let from = map.require("from", readCorner), let to = map.require("to", readCorner) {
                room.polygon = Scenario.Room(id: "", from: (from.x, from.y), to: (to.x, to.y)).polygon
            }
        } else {
            reader.fault(map.position, "a room needs 'polygon', or 'from' and 'to' of a rectangle")
        }
        return room
    }

    private func readDoor(_ map: MapReader) -> Scenario.Door {
        Scenario.Door(
            from: map.require("from", reader.string) ?? "", to: map.require("to", reader.string) ?? "",
            x: map.require("x", number) ?? 0, y: map.require("y", number) ?? 0)
    }

    private func readWalls(_ map: MapReader) -> Scenario.Walls {
        let usual = Scenario.Walls()
        let pair = reader.map { map in
            Scenario.Walls.Pair(
                from: map.require("from", self.reader.string) ?? "", to: map.require("to", self.reader.string) ?? "",
                attenuation: map.require("attenuation", self.number) ?? 0)
        }
        return Scenario.Walls(
            attenuation: map.read("attenuation", number) ?? usual.attenuation,
            ceiling: map.read("ceiling", number) ?? usual.ceiling, pairs: map.read("pairs", reader.list(of: pair)) ?? []
        )
    }

    private func deadSpot(_ map: MapReader) -> Scenario.DeadSpot {
        Scenario.DeadSpot(
            room: map.require("room", reader.string) ?? "", x: map.require("x", number) ?? 0,
            y: map.require("y", number) ?? 0, radius: map.read("radius", number) ?? 1,
            loss: map.require("loss", number) ?? 0)
    }

    private func readNode(_ map: MapReader, rooms: [Scenario.Room]) -> Scenario.Node {
        let id = map.require("id", reader.string) ?? "-"
        // As for an agent, a node's room has the node's name by default.
        let room = map.read("room", reader.string) ?? id
        let floor = rooms.first { $0.id == room }?.z ?? 0
        let place = Point(
            x: map.require("x", number) ?? 0, y: map.require("y", number) ?? 0,
            z: map.read("z", number) ?? floor + 1.2)
        return Scenario.Node(
            id: id, room: room, position: place, offset: map.read("offset_db", number) ?? 0,
            duty: map.read("duty", number) ?? 1)
    }

    private func readWalker(_ map: MapReader) -> Scenario.Walker {
        var walker = Scenario.Walker(id: map.require("id", reader.string) ?? "-", plan: .itinerary([]))
        walker.pace = map.read("pace", number) ?? walker.pace
        walker.bodyLoss = map.read("body_loss", number) ?? walker.bodyLoss
        let visit = reader.map { map in
            Scenario.Visit(
                room: map.require("room", self.reader.string) ?? "",
                stay: map.require("stay", self.readStay) ?? Scenario.Stay(1, 1))
        }
        let roam = reader.map { map in
            Scenario.Plan.roam(
                rooms: map.require("rooms", self.reader.list(of: self.reader.string)) ?? [],
                stay: map.require("stay", self.readStay) ?? Scenario.Stay(1, 1))
        }
        switch (map.node("itinerary") != nil, map.node("roam") != nil) {
        case (true, false): walker.plan = .itinerary(map.read("itinerary", reader.list(of: visit)) ?? [])
        case (false, true): walker.plan = map.read("roam", roam) ?? walker.plan
        default: reader.fault(map.position, "a walker needs either 'itinerary' or 'roam'")
        }
        return walker
    }

    private func readRadio(_ map: MapReader) -> Scenario.Radio {
        var radio = Scenario.Radio()
        func take(_ key: String, _ field: WritableKeyPath<Scenario.Radio, Double>) {
            if let value = map.read(key, number) { radio[keyPath: field] = value }
        }
        take("path_loss_exponent", \.pathLossExponent)
        take("shadow_sigma", \.shadowSigma)
        take("fade_sigma", \.fadeSigma)
        if let period = map.read("fade_period", seconds) { radio.fadePeriod = period }
        take("fade_correlation", \.fadeCorrelation)
        take("channel_sigma", \.channelSigma)
        take("packet_sigma", \.packetSigma)
        take("sensitivity", \.sensitivity)
        take("loss", \.loss)
        take("bursts_per_hour", \.burstsPerHour)
        take("door_leak", \.doorLeak)
        return radio
    }

    // MARK: Values. Their bounds are the scenario's own affair.

    var number: ConfigurationReader.Getter<Double> { reader.number(-1e15...1e15) }

    var seconds: ConfigurationReader.Getter<Double> {
        let duration = reader.duration(.zero ... .seconds(86_400 * 3_650))
        return { node in duration(node).map { Double($0.milliseconds) / 1_000 } }
    }

    private func readTime(_ node: YAMLNode) -> Timestamp? {
        reader.number(-1e11...1e11)(node).flatMap { Timestamp(seconds: $0) }
    }

    private func readCorner(_ node: YAMLNode) -> Point? {
        guard case .sequence(let nodes) = node.value, nodes.count == 2 else {
            reader.expected("a place on the plan such as [4.0, 2.5]", node)
            return nil
        }
        guard let x = number(nodes[0]), let y = number(nodes[1]) else { return nil }
        return Point(x: x, y: y)
    }

    private func readStay(_ node: YAMLNode) -> Scenario.Stay? {
        guard case .sequence(let nodes) = node.value, nodes.count == 2 else {
            reader.expected("the shortest and the longest stay such as [30s, 2m]", node)
            return nil
        }
        guard let shortest = seconds(nodes[0]), let longest = seconds(nodes[1]) else { return nil }
        return Scenario.Stay(shortest, longest)
    }
}
