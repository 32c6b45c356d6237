import Advertising
import Bytes
import RoomEstimation
import Simulation

/// A simulated house as its nodes heard it for a while, and where everything truly was.
struct HeardHouse {
    /// One packet at one node.
    struct Packet {
        var at: Timestamp
        var node: Int
        var level: Double
    }

    /// One item.
    struct Item {
        /// Whether nobody ever moves it.
        var isStill: Bool
        /// Seconds between its packets.
        var interval: Double
        /// What it claims to send with, in dBm at 1 m.
        var claimed: Double
        /// All packets of it, in order of time.
        var packets: [Packet] = []
        /// Where it was: stays in order of time, nil for outside.
        var stays: [(start: Timestamp, end: Timestamp, room: Int?)] = []
    }

    let scenario: Scenario
    /// The house as a user would describe it: rooms, floors, doors, and the rooms of the nodes.
    let house: House
    /// The same with the places of its nodes.
    let placed: House
    /// And with the outlines of its rooms, too.
    let drawn: House
    let begin = Timestamp(microseconds: 1_795_248_000_000_000)
    let end: Timestamp
    private(set) var items: [Item]
    /// Whether a room has a node, by room.
    let hasNode: [Bool]

    /// Listens to a house for so many seconds.
    init(_ wanted: Scenario, seconds: Int) throws {
        var scenario = wanted
        for index in scenario.beacons.indices {
            // The address tells the item: a static random one has its two top bits set.
            scenario.beacons[index].address = .fixed(DeviceAddress(0xC000_0000_0000 | UInt64(index), .random))
            scenario.beacons[index].telemetryInterval = nil
        }
        self.scenario = scenario
        end = begin.advanced(bySeconds: Double(seconds))
        var house = House()
        for room in scenario.rooms { house.addRoom(room.id, floor: room.floor) }
        for door in scenario.doors {
            if let one = house.room(door.from), let other = house.room(door.to) { house.join(one, other) }
        }
        for node in scenario.nodes { house.addNode(node.id, room: house.room(node.room)) }
        self.house = house
        placed = Self.place(house, scenario)
        drawn = Self.draw(placed, scenario)
        hasNode = house.rooms.indices.map { room in house.nodes.contains { $0.room == room } }
        items = scenario.beacons.map { beacon in
            var isStill = false
            if case .fixed = beacon.place { isStill = true }
            return Item(
                isStill: isStill, interval: beacon.interval,
                claimed: Double(beacon.claimedPower ?? Int8(beacon.power.rounded())))
        }
        let world = try SimulatedHouse(scenario)
        for (index, node) in scenario.nodes.enumerated() {
            world.receptions(node: node.id, from: begin, until: end) { time, event in
                // An event with one report: the address follows the code, length, subevent, count, type and its kind; the level is last.
                let item = Int(event[6]) | Int(event[7]) << 8
                let level = Int8(bitPattern: event[event.count - 1])
                items[item].packets.append(Packet(at: time, node: index, level: Double(level)))
            }
        }
        for item in items.indices { items[item].packets.sort { ($0.at, $0.node) < ($1.at, $1.node) } }
        let places = Dictionary(uniqueKeysWithValues: scenario.beacons.enumerated().map { ($1.id, $0) })
        for stay in world.truthChanges(from: begin, until: end) {
            guard let item = places[stay.item] else { continue }
            items[item].stays.append((stay.start, stay.end, stay.room.flatMap { house.room($0) }))
        }
    }

    private static func place(_ house: House, _ scenario: Scenario) -> House {
        var house = house
        for node in scenario.nodes {
            let place = node.position
            house.addNode(node.id, position: House.Position(x: place.x, y: place.y, z: place.z))
        }
        return house
    }

    private static func draw(_ house: House, _ scenario: Scenario) -> House {
        var house = house
        for (index, room) in scenario.rooms.enumerated() {
            house.draw(index, outline: room.polygon.map { House.Corner(x: $0.x, y: $0.y) })
        }
        return house
    }

    /// An item's packets as the agent's hops of a second, empty ones included. All nodes tell that they listen.
    func hops(_ item: Int) -> [Hop] {
        let listening = NodeSet(house.nodes.indices)
        var hops: [Hop] = []
        var next = 0
        let packets = items[item].packets
        var stop = begin.advanced(bySeconds: 1)
        while stop <= end {
            var hop = Hop(end: stop, listening: listening)
            while next < packets.count, packets[next].at < stop {
                hop.insert(Hop.Reading(node: packets[next].node, level: packets[next].level, count: 1))
                next += 1
            }
            hops.append(hop)
            stop = stop.advanced(bySeconds: 1)
        }
        return hops
    }
}
