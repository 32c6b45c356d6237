import Simulation
import Testing

@Suite("A scenario")
struct ScenarioTests {
    @Test("find no fault in a valid scenario")
    func good() {
        #expect(Flat.scenario().validate() == [])
    }

    private static let faults: [(path: String, change: @Sendable (inout Scenario) -> Void)] = [
        ("speed", { $0.speed = .nan }),
        ("rooms", { $0.rooms = [] }),
        ("rooms[0].id", { $0.rooms[0].id = "Kitchen" }),
        ("rooms[1].id", { $0.rooms[1].id = "kitchen" }),
        ("rooms[0].id", { $0.rooms[0].id = "away" }),
        ("rooms[0].z", { $0.rooms[0].z = .infinity }),
        ("rooms[0].polygon", { $0.rooms[0].polygon.removeLast(2) }),
        ("rooms[0].polygon[1].x", { $0.rooms[0].polygon[1].x = 1e9 }),
        ("rooms[0].polygon", { $0.rooms[0].polygon.swapAt(0, 1) }),
        ("rooms[0].polygon", { $0.rooms[0].polygon[2...3] = [Point(x: 4, y: 0.1), Point(x: 0, y: 0.1)] }),
        (
            "rooms[3].polygon",
            {
                $0.rooms[3].polygon = [
                    Point(x: 0, y: 3), Point(x: 6, y: 3), Point(x: 6, y: 7), Point(x: 5, y: 7), Point(x: 5, y: 4),
                    Point(x: 1, y: 4), Point(x: 1, y: 7), Point(x: 0, y: 7),
                ]
            }
        ),
        ("doors[0].from", { $0.doors[0].from = "cellar" }),
        ("doors[0].to", { $0.doors[0].to = "kitchen" }),
        ("doors[0].from", { $0.doors[0].x = 5 }),
        ("doors", { $0.doors.append(.init(from: "away", to: "kitchen", x: 0, y: 1)) }),
        ("walls.attenuation", { $0.walls.attenuation = -1 }),
        ("walls.pairs[0].to", { $0.walls.pairs = [.init(from: "hall", to: "cellar", attenuation: 3)] }),
        ("dead_spots[0].radius", { $0.deadSpots = [.init(room: "hall", x: 5, y: 1, radius: 0, loss: 3)] }),
        ("nodes[0].room", { $0.nodes[0].room = "cellar" }),
        ("nodes[0].room", { $0.nodes[0].position.x = 5 }),
        ("nodes[0].offset_db", { $0.nodes[0].offset = 99 }),
        ("nodes[0].duty", { $0.nodes[0].duty = 1.1 }),
        ("walkers[0].pace", { $0.walkers[0].pace = 0 }),
        ("walkers[0].body_loss", { $0.walkers[0].bodyLoss = 50 }),
        ("walkers[0].itinerary", { $0.walkers[0].plan = .itinerary([]) }),
        ("walkers[0].itinerary[0].room", { $0.walkers[0].plan = .itinerary([.init(room: "x", stay: .init(1, 2))]) }),
        ("walkers[0].itinerary[0].stay", { $0.walkers[0].plan = .itinerary([.init(room: "hall", stay: .init(5, 2))]) }),
        ("walkers[1].roam.stay[0]", { $0.walkers[1].plan = .roam(rooms: ["hall"], stay: .init(0, 2)) }),
        ("walkers[1].roam.rooms", { $0.walkers[1].plan = .roam(rooms: [], stay: .init(1, 2)) }),
        ("walkers[0].itinerary[1].room", { $0.doors.remove(at: 1) }),
        ("beacons[0].id", { $0.beacons[0].id = "" }),
        ("beacons[0].interval", { $0.beacons[0].interval = 0.01 }),
        ("beacons[0].power", { $0.beacons[0].power = 21 }),
        ("beacons[0].telemetry_interval", { $0.beacons[0].telemetryInterval = 0 }),
        ("beacons[0].address_period", { $0.beacons[0].address = .rotating(period: 0) }),
        ("beacons[0].carried_by", { $0.beacons[0].place = .carried(by: "dog", worn: .back) }),
        ("beacons[0].height", { $0.beacons[0].place = .carried(by: "cat", worn: .back, height: 3) }),
        ("beacons[0].y", { $0.beacons[0].place = .fixed(Point(x: 0, y: .nan)) }),
        ("radio.path_loss_exponent", { $0.radio.pathLossExponent = 0 }),
        ("radio.shadow_sigma", { $0.radio.shadowSigma = 21 }),
        ("radio.fade_sigma", { $0.radio.fadeSigma = -1 }),
        ("radio.fade_period", { $0.radio.fadePeriod = 0 }),
        ("radio.fade_correlation", { $0.radio.fadeCorrelation = 2 }),
        ("radio.channel_sigma", { $0.radio.channelSigma = 21 }),
        ("radio.packet_sigma", { $0.radio.packetSigma = 21 }),
        ("radio.sensitivity", { $0.radio.sensitivity = 0 }),
        ("radio.loss", { $0.radio.loss = 1.5 }),
        ("radio.bursts_per_hour", { $0.radio.burstsPerHour = 1_000 }),
        ("radio.door_leak", { $0.radio.doorLeak = -5 }),
    ]

    @Test("report each fault with the path of its field", arguments: faults.indices)
    func fault(_ index: Int) {
        let (path, change) = Self.faults[index]
        var scenario = Flat.scenario()
        change(&scenario)
        let faults = scenario.validate()
        #expect(faults.contains { $0.path == path }, "\(path): \(faults)")
        #expect(throws: InvalidScenario.self) { try SimulatedHouse(scenario) }
    }

    @Test("report all faults at once")
    func several() {
        var scenario = Flat.scenario()
        scenario.speed = 0
        scenario.beacons[1].interval = 0
        scenario.nodes[2].duty = -1
        #expect(scenario.validate().map(\.path) == ["speed", "beacons[1].interval", "nodes[2].duty"])
    }
}
