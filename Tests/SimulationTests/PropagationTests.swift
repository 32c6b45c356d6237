import Bytes
import Testing

@testable import Simulation

@Suite("Signals in a simulated house")
struct PropagationTests {
    private func level(_ scenario: Scenario, node: String = "middle", seconds: Double = 60) throws -> Double {
        mean(try SimulatedHouse(scenario).heard(node, seconds: seconds).map(\.rssi))
    }

    @Test("lower the level with distance by the exponent")
    func distance() throws {
        let near = try level(Flat.openField([Flat.beacon("a", at: Point(x: 1, y: 0, z: 1))]))
        let far = try level(Flat.openField([Flat.beacon("a", at: Point(x: 10, y: 0, z: 1))]))
        #expect((near + 59).magnitude < 1.5)
        #expect((near - far - 20).magnitude < 1.1)
        // With all of chance on it falls on average too.
        var means: [Double] = []
        for metres in [1.0, 3, 9, 27] {
            let ring = (0..<24).map { index in
                Flat.beacon(
                    "a\(index)", at: Point(x: metres * ring12[index % 12].0, y: metres * ring12[index % 12].1, z: 1))
            }
            means.append(try level(Flat.openField(ring, radio: .init(sensitivity: -120)), seconds: 30))
        }
        #expect(means == means.sorted(by: >))
    }

    private let ring12: [(Double, Double)] = [
        (1, 0), (0.866, 0.5), (0.5, 0.866), (0, 1), (-0.5, 0.866), (-0.866, 0.5), (-1, 0), (-0.866, -0.5),
        (-0.5, -0.866), (0, -1), (0.5, -0.866), (0.866, -0.5),
    ]

    @Test("lose the configured decibels in a wall, and let a signal through a doorway")
    func walls() throws {
        var scenario = Flat.openField([Flat.beacon("a", at: Point(x: 6, y: 4, z: 1))])
        scenario.rooms = [.init(id: "left", from: (-4, -5), to: (4, 5)), .init(id: "right", from: (4, -5), to: (9, 5))]
        scenario.nodes = [.init(id: "middle", room: "left", position: Point(x: 2, y: 4, z: 1))]
        scenario.walls.attenuation = 0
        let open = try level(scenario)
        scenario.walls.pairs = [.init(from: "right", to: "left", attenuation: 20)]
        let shut = try level(scenario)
        #expect((open - shut - 20).magnitude < 1.1)
        scenario.doors = [.init(from: "left", to: "right", x: 4, y: 2)]
        let leaking = try level(scenario, seconds: 3_600)
        #expect(leaking > shut + 5 && leaking < open - 3)
    }

    @Test("lose the configured decibels in a ceiling and in a dead spot")
    func ceilingsAndDeadSpots() throws {
        var scenario = Flat.openField([Flat.beacon("a", at: Point(x: 2, y: 0, z: 3.6))])
        scenario.rooms.append(.init(id: "attic", from: (-60, -60), to: (60, 60), z: 2.6))
        scenario.walls.ceiling = 0
        let open = try level(scenario)
        scenario.walls.ceiling = 15
        let below = try level(scenario)
        #expect((open - below - 15).magnitude < 1.1)
        scenario.deadSpots = [.init(room: "attic", x: 2, y: 0, radius: 1, loss: 10)]
        #expect((below - (try level(scenario)) - 10).magnitude < 1.1)
    }

    @Test("add a receiver's offset to all levels, and lose packets below its sensitivity")
    func receivers() throws {
        var scenario = Flat.openField([Flat.beacon("a", at: Point(x: 10, y: 0, z: 1))])
        let plain = try level(scenario)
        scenario.nodes[0].offset = 8
        #expect((try level(scenario) - plain - 8).magnitude < 1.1)
        scenario.nodes[0].offset = 0
        var counts: [Int] = []
        for sensitivity in [-100.0, -79, -60] {
            scenario.radio.sensitivity = sensitivity
            counts.append(try SimulatedHouse(scenario).heard("middle", seconds: 60).count)
        }
        #expect(counts[0] > 500 && counts[2] == 0)
        #expect(counts[1] > counts[0] / 10 && counts[1] < counts[0] * 9 / 10)
    }

    /// Levels on a grid of seconds, of a resting beacon at both nodes of the field.
    private func fades(_ radio: Scenario.Radio) throws -> (middle: [Double], other: [Double]) {
        let house = try SimulatedHouse(
            Flat.openField([Flat.beacon("a", at: Point(x: 0, y: 9, z: 1), interval: 0.1)], radio: radio))
        func seconds(_ node: String) -> [Double] {
            var sums = [(sum: Double, count: Double)](repeating: (0, 0), count: 2_000)
            for event in house.heard(node, seconds: 2_000) {
                let second = Int((event.time - Flat.start.microseconds) / 1_000_000)
                sums[second].sum += event.rssi
                sums[second].count += 1
            }
            return sums.map { $0.sum / max(1, $0.count) }
        }
        return (seconds("middle"), seconds("other"))
    }

    @Test("correlate fades over a second, and not over a minute")
    func fadesLast() throws {
        var radio = Flat.quiet
        radio.fadeSigma = 4
        radio.fadePeriod = 6
        radio.packetSigma = 1
        let levels = try fades(radio).middle
        let next = correlation(Array(levels.dropLast()), Array(levels.dropFirst()))
        let minute = correlation(Array(levels.dropLast(60)), Array(levels.dropFirst(60)))
        #expect(next > 0.85)
        #expect(minute.magnitude < 0.2)
    }

    @Test("share fades between two nodes by the scenario's correlation")
    func fadesAreShared() throws {
        var radio = Flat.quiet
        radio.fadeSigma = 4
        var measured: [Double] = []
        for share in [0, 0.5, 0.9] {
            radio.fadeCorrelation = share
            let levels = try fades(radio)
            measured.append(correlation(levels.middle, levels.other))
        }
        #expect(measured[0].magnitude < 0.15)
        #expect((measured[1] - 0.5).magnitude < 0.15)
        #expect((measured[2] - 0.9).magnitude < 0.15)
    }

    @Test("vary the level between channels, with steps for a scanner that changes them")
    func channelsDiffer() throws {
        var radio = Flat.quiet
        radio.channelSigma = 4
        let house = try SimulatedHouse(
            Flat.openField([Flat.beacon("a", at: Point(x: 0, y: 5, z: 1), interval: 0.02)], radio: radio))
        let levels = Set(house.heard("middle", seconds: 3).map(\.rssi))
        #expect(levels.count > 1)
    }

    @Test("shadow a beacon behind its wearer, and behind people on the line")
    func bodies() throws {
        var scenario = Flat.openField([])
        scenario.walkers = [
            .init(id: "anna", plan: .roam(rooms: ["field"], stay: .init(30, 60)), bodyLoss: 12)
        ]
        scenario.beacons = [
            .init(
                id: "tag", kind: .iBeacon(uuid: Flat.uuid, major: 1, minor: 1), interval: 0.2,
                place: .carried(by: "anna", worn: .front))
        ]
        let house = try SimulatedHouse(scenario)
        var motion = WalkerPositions(house.wanderers)
        var (towards, away): ([Double], [Double]) = ([], [])
        for event in house.heard("middle", seconds: 4_000) {
            let (place, facing, _) = house.emitters[0].state(at: Timestamp(microseconds: event.time), motion: &motion)
            guard let facing else { continue }
            let node = scenario.nodes[0].position
            let metres = place.distance(to: node)
            let cosine = ((node.x - place.x) * facing.x + (node.y - place.y) * facing.y) / metres
            let excess = event.rssi + 59 + 20 * decimalLogarithm(metres)
            if cosine > 0.8 { towards.append(excess) } else if cosine < -0.8 { away.append(excess) }
        }
        #expect(towards.count > 100 && away.count > 100)
        #expect((mean(towards) - mean(away) - 11).magnitude < 2)
        // A resting beacon loses while somebody passes in between.
        scenario.rooms = [.init(id: "field", from: (-4, -0.9), to: (4, 0.9))]
        scenario.beacons = [Flat.beacon("a", at: Point(x: 3.5, y: 0, z: 1))]
        scenario.nodes = [.init(id: "middle", room: "field", position: Point(x: -3.5, y: 0, z: 1))]
        let levels = try SimulatedHouse(scenario).heard("middle", seconds: 1_000).map(\.rssi)
        #expect((levels.max() ?? 0) - (levels.min() ?? 0) > 5)
    }

    @Test("lose nearly all packets in bursts of a second or more, and none at other times")
    func bursts() throws {
        var radio = Flat.quiet
        radio.burstsPerHour = 90
        let times = try SimulatedHouse(
            Flat.openField([Flat.beacon("a", at: Point(x: 1, y: 0, z: 1), interval: 0.1)], radio: radio)
        ).heard("middle", seconds: 3_600).map(\.time)
        let gaps = zip(times, times.dropFirst()).count { $1 - $0 > 500_000 }
        #expect((40...300).contains(gaps))
    }

    @Test("compute the world's own logarithm correctly")
    func logarithm() {
        for value in [0.1, 0.5, 1, 1.414_3, 2, 3.162_277_660_168, 10, 1_234.5] {
            #expect((decimalLogarithm(value) - Mathematics.log10(value)).magnitude < 1e-9)
        }
    }
}
