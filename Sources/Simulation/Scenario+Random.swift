import BeaconFrames

extension Scenario {
    /// A random house, always valid: 3 to 12 rooms on one or two floors, nodes in most of them, two to five walkers.
    ///
    /// The same seed gives the same house. `beacons` is the number of items, 1 … 1,000; every fourth is stationary.
    public static func random(seed: UInt64, beacons count: Int = 8) -> Scenario {
        var dice = Dice(RandomStream(seed: seed).child("scenario"))
        var scenario = Scenario(name: "House \(seed)", seed: seed)
        let floors = dice.choice(3) == 0 ? 2 : 1
        for floor in 0..<floors {
            let columns = 2 + dice.choice(2)
            let rows = floors == 2 ? 1 + dice.choice(2) : 2 + dice.choice(3)
            addFloor(floor, columns: columns, rows: rows, to: &scenario, &dice)
        }
        if floors == 2 {
            // Both floors begin at one corner: a staircase there is inside a room of each.
            scenario.doors.append(Door(from: "room-0-0-0", to: "room-1-0-0", x: 1, y: 1))
        }
        scenario.doors.append(Door(from: "room-0-0-0", to: away, x: 0, y: 1.2))
        scenario.walls = Walls(attenuation: dice.real(3...9), ceiling: dice.real(8...18))
        for door in scenario.doors where dice.choice(3) == 0 {
            scenario.walls.pairs.append(
                Walls.Pair(from: door.from, to: door.to, attenuation: dice.real(1...16)))
        }
        scenario.radio = Radio(
            pathLossExponent: dice.real(1.8...2.8), shadowSigma: dice.real(1.5...4.5), fadeSigma: dice.real(1.5...4),
            fadePeriod: dice.real(3...15), fadeCorrelation: dice.real(0.2...0.8), channelSigma: dice.real(1...4),
            packetSigma: dice.real(0.8...2.5), sensitivity: dice.real(-98 ... -92), loss: dice.real(0.02...0.2),
            burstsPerHour: dice.real(0...60), doorLeak: dice.real(3...8))
        addNodes(to: &scenario, &dice)
        addWalkers(to: &scenario, &dice)
        for index in 0..<min(1_000, max(1, count)) { addBeacon(index, to: &scenario, &dice) }
        return scenario
    }

    private static let uuid = BeaconUUID(high: 0x4854_4D4C_0001_4000, low: 0x8000_0000_0000_0001)

    /// A grid of rooms with doors: each room has one to an earlier neighbour, some have another.
    private static func addFloor(
        _ floor: Int, columns: Int, rows: Int, to scenario: inout Scenario, _ dice: inout Dice
    ) {
        let widths = (0..<columns).map { _ in dice.real(2.5...6) }
        let depths = (0..<rows).map { _ in dice.real(2.2...5) }
        func id(_ column: Int, _ row: Int) -> String { "room-\(floor)-\(column)-\(row)" }
        var y = 0.0
        for row in 0..<rows {
            var x = 0.0
            for column in 0..<columns {
                scenario.rooms.append(
                    Room(
                        id: id(column, row), floor: floor == 0 ? "ground" : "upper", from: (x, y),
                        to: (x + widths[column], y + depths[row]), z: 2.8 * Double(floor)))
                let below = Door(
                    from: id(column, row), to: id(column, row - 1), x: x + dice.real(0.7...1.8), y: y)
                let left = Door(
                    from: id(column, row), to: id(column - 1, row), x: x, y: y + dice.real(0.7...1.5))
                let (hasBelow, hasLeft) = (row > 0, column > 0)
                let first = dice.choice(2) == 0
                let isOpen = dice.choice(3) == 0
                if hasBelow, !hasLeft || first || isOpen { scenario.doors.append(below) }
                if hasLeft, !hasBelow || !first || isOpen { scenario.doors.append(left) }
                x += widths[column]
            }
            y += depths[row]
        }
    }

    private static func addNodes(to scenario: inout Scenario, _ dice: inout Dice) {
        for (index, room) in scenario.rooms.enumerated() {
            // Two rooms of three have a node, the first two in any case.
            guard index < 2 || dice.choice(3) > 0 else { continue }
            let place = randomPoint(room, &dice).at(z: room.z + dice.real(0.4...2))
            scenario.nodes.append(
                Node(
                    id: "node-\(index)", room: room.id, position: place, offset: dice.real(-10...10),
                    duty: dice.choice(3) == 0 ? dice.real(0.3...1) : 1))
        }
        for room in scenario.rooms where dice.choice(4) == 0 {
            let place = randomPoint(room, &dice)
            scenario.deadSpots.append(
                DeadSpot(room: room.id, x: place.x, y: place.y, radius: dice.real(0.5...2), loss: dice.real(5...20)))
        }
    }

    private static func addWalkers(to scenario: inout Scenario, _ dice: inout Dice) {
        let ids = scenario.rooms.map(\.id)
        for index in 0..<(2 + dice.choice(4)) {
            let shortest = dice.real(10...120)
            let stay = Stay(shortest, shortest * dice.real(1...8))
            let plan: Plan
            if dice.choice(2) == 0 {
                plan = .roam(rooms: dice.choice(3) == 0 ? ids + [away] : ids, stay: stay)
            } else {
                plan = .itinerary(
                    (0..<(2 + dice.choice(6))).map { _ in Visit(room: ids[dice.choice(ids.count)], stay: stay) })
            }
            scenario.walkers.append(
                Walker(id: "walker-\(index)", plan: plan, pace: dice.real(0.6...1.5), bodyLoss: dice.real(3...14)))
        }
    }

    private static func addBeacon(_ index: Int, to scenario: inout Scenario, _ dice: inout Dice) {
        let room = scenario.rooms[dice.choice(scenario.rooms.count)]
        let walker = scenario.walkers[dice.choice(scenario.walkers.count)].id
        let worn = Worn.allCases[dice.choice(3)]
        let spot = randomPoint(room, &dice).at(z: room.z + dice.real(0...1.8))
        let number = UInt16(index)
        let kind: Kind =
            switch index % 3 {
            case 0: .iBeacon(uuid: uuid, major: 1, minor: number)
            case 1: .eddystoneUID(namespace: .init(high: 0x0011_2233_4455_6677, low: 0x8899), instance: UInt64(number))
            default: .altBeacon(company: 0x0118, uuid: uuid, major: 1, minor: number)
            }
        scenario.beacons.append(
            Beacon(
                id: "item-\(index)", kind: kind, interval: dice.real(0.5...10), power: dice.real(-70 ... -52),
                claimedPower: dice.choice(3) == 0 ? -59 : nil,
                place: index % 4 == 3
                    ? .fixed(spot) : .carried(by: walker, worn: worn, height: dice.real(0.2...1.5)),
                telemetryInterval: dice.choice(3) == 0 ? 60 : nil))
    }

    private static func randomPoint(_ room: Room, _ dice: inout Dice) -> Point {
        let (from, to) = (room.polygon[0], room.polygon[2])
        return Point(x: dice.real(from.x + 0.2...to.x - 0.2), y: dice.real(from.y + 0.2...to.y - 0.2))
    }
}

/// Random numbers in sequence.
private struct Dice {
    private let stream: RandomStream
    private var thrown: Int64 = 0

    init(_ stream: RandomStream) {
        self.stream = stream
    }

    mutating func choice(_ count: Int) -> Int {
        thrown += 1
        return stream.choice(thrown, of: count)
    }

    mutating func real(_ range: ClosedRange<Double>) -> Double {
        thrown += 1
        return stream.uniform(thrown, in: range)
    }
}
