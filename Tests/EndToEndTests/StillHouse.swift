import BeaconFrames
import Bytes
import WireProtocol
import Simulation
import Support
import Testing

/// The quiet house with things at rest in all its rooms, none carried: its people walk about between them.
struct StillHouse {
    /// A thing, its room, and the seconds between its packets.
    struct Thing {
        let room: String
        let interval: Int
        let beacon: Scenario.Beacon

        var id: String { beacon.id }
    }

    private static let uuid = "48534442-4c45-4144-80c0-1800fffffff0"

    let things: [Thing]
    let scenario: Scenario

    init(seed: UInt64) throws {
        guard let uuid = BeaconUUID(Self.uuid) else { throw Fault.noIdentity }
        var random = SeededGenerator(seed: seed)
        let spots: [(room: String, x: ClosedRange<Double>, y: ClosedRange<Double>, z: Double)] = [
            ("kitchen", 0.3...3.7, 0.3...3.2, 0), ("hall", 4.3...5.7, 0.3...6.7, 0),
            ("living", 8.3...11.7, 0.3...6.7, 0),
            ("office", 0.3...3.7, 3.8...6.7, 0), ("bedroom", 6.3...11.7, 0.3...3.7, 2.8),
            ("bath", 0.3...3.7, 0.3...3.2, 2.8),
        ]
        var things: [Thing] = []
        for (index, spot) in spots.enumerated() {
            for (number, interval) in [1, 5].enumerated() {
                let place = Point(
                    x: .random(in: spot.x, using: &random), y: .random(in: spot.y, using: &random),
                    z: spot.z + .random(in: 0.1...1.5, using: &random))
                let beacon = Scenario.Beacon(
                    id: "\(spot.room)-\(interval)s",
                    kind: .iBeacon(uuid: uuid, major: UInt16(index), minor: UInt16(number)),
                    interval: Double(interval), place: .fixed(place))
                things.append(Thing(room: spot.room, interval: interval, beacon: beacon))
            }
        }
        var scenario = try Loopback.scenario("quiet-house")
        scenario.seed = seed
        scenario.beacons = things.map(\.beacon)
        (self.things, self.scenario) = (things, scenario)
    }

    /// Those in rooms with a node.
    var hearable: [Thing] {
        let rooms = Set(scenario.nodes.map(\.room))
        return things.filter { rooms.contains($0.room) }
    }

    /// The number of changes of an answer.
    static func moves(in words: [String]) -> Int { zip(words, words.dropFirst()).count { $0 != $1 } }

    // MARK: For lessons

    /// The tag of a person who teaches the house.
    private static let guide = "guide"
    /// The length of the lesson in each room, in seconds, and the parts of the stay before and after.
    private static let lesson = 60.0
    private static let margin = 6.0

    /// The same house with a person who walks through its rooms with a tag of their own, over and over.
    private var guided: Scenario {
        get throws {
            guard let uuid = BeaconUUID(Self.uuid) else { throw Fault.noIdentity }
            var scenario = scenario
            let stay = Self.lesson + 2 * Self.margin
            let visits = scenario.rooms.map { Scenario.Visit(room: $0.id, stay: .init(stay, stay)) }
            scenario.walkers.append(.init(id: Self.guide, plan: .itinerary(visits)))
            scenario.beacons.append(
                .init(
                    id: Self.guide, kind: .iBeacon(uuid: uuid, major: 99, minor: 0), interval: 1,
                    place: .carried(by: Self.guide, worn: .front)))
            return scenario
        }
    }

    /// The house with a minute's lesson in force for each room, all by the guide's tag.
    func taught() throws -> Loopback {
        var loopback = try Loopback(guided)
        for room in scenario.rooms {
            let stay = try #require(
                loopback.house.truthChanges(from: loopback.now, until: loopback.now.advanced(bySeconds: 3600)).first {
                    $0.item == Self.guide && $0.room == room.id && $0.start > loopback.now
                        && $0.end.seconds(since: $0.start) > Self.lesson + Self.margin
                })
            try loopback.run(seconds: stay.start.seconds(since: loopback.now) + Self.margin)
            try loopback.learn(.start(item: Self.guide, room: room.id, for: .seconds(Self.lesson), walk: nil))
            try loopback.run(seconds: Self.lesson + 2)
        }
        let isLearned = loopback.takeLessons()
        #expect(isLearned)
        return loopback
    }

    // MARK: For programs

    /// The scenario as a file, whose world runs `speed` times as fast from a real time on.
    func yaml(speed: Int, origin: Timestamp) throws -> String {
        guard let quiet = readFile(Repository.root + "/etc/examples/simulation/quiet-house.yaml"),
            let house = quiet.split(separator: "\nbeacons:\n").first
        else { throw Fault.noScenario }
        let lines = zip(things, addresses).map { thing, identity in
            guard case .fixed(let place) = thing.beacon.place else { return "" }
            return "  - {id: \(thing.id), \(identity), interval: \(thing.interval)s, "
                + "x: \(place.x), y: \(place.y), z: \(place.z)}"
        }
        let world = "start: 1795248000\norigin: \(Int(origin.seconds))\nspeed: \(speed)\n"
        let seeded = house.replacing("seed: 7\n", with: "seed: \(scenario.seed)\n" + world)
        return seeded + "\nbeacons:\n" + lines.joined(separator: "\n") + "\n"
    }

    /// The registry as a file.
    var items: String {
        zip(things, addresses).map { "- {id: \($0.id), \($1)}\n" }.joined()
    }

    private var addresses: [String] {
        things.map { thing in
            guard case .iBeacon(_, let major, let minor) = thing.beacon.kind else { return "" }
            return "ibeacon: {uuid: \(Self.uuid), major: \(major), minor: \(minor)}"
        }
    }

    private enum Fault: Error { case noIdentity, noScenario }
}
