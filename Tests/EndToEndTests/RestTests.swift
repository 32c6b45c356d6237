import BeaconFrames
import Bytes
import Foundation
import Sightings
import Simulation
import Support
import Testing

/// Things that nobody moves, over a while of the virtual clock: the people of the house walk about between them.
@Suite("Things at rest on a virtual clock", .serialized) struct RestTests {
    /// How long each looks on, and when a thing has lain for long enough; 28,800 s in place of these are eight hours.
    static let seconds = Double(ProcessInfo.processInfo.environment["WHEREABOUTS_REST_SECONDS"] ?? "") ?? 600
    static let warmUp = 120.0

    /// The quiet house with things that lie about in all its rooms, none carried.
    private func house(seed: UInt64) throws -> Scenario {
        var scenario = try Loopback.scenario("quiet-house")
        scenario.seed = seed
        let uuid = try #require(BeaconUUID("48534442-4c45-4144-80c0-1800fffffff0"))
        var random = SeededGenerator(seed: seed)
        let spots: [(room: String, x: ClosedRange<Double>, y: ClosedRange<Double>, z: Double)] = [
            ("kitchen", 0.3...3.7, 0.3...3.2, 0), ("hall", 4.3...5.7, 0.3...6.7, 0),
            ("living", 8.3...11.7, 0.3...6.7, 0),
            ("office", 0.3...3.7, 3.8...6.7, 0), ("bedroom", 6.3...11.7, 0.3...3.7, 2.8),
            ("bath", 0.3...3.7, 0.3...3.2, 2.8),
        ]
        scenario.beacons = []
        for (index, spot) in spots.enumerated() {
            for (number, interval) in [1.0, 5.0].enumerated() {
                let place = Point(
                    x: .random(in: spot.x, using: &random), y: .random(in: spot.y, using: &random),
                    z: spot.z + .random(in: 0.1...1.5, using: &random))
                scenario.beacons.append(
                    Scenario.Beacon(
                        id: "\(spot.room)-\(Int(interval))s",
                        kind: .iBeacon(uuid: uuid, major: UInt16(index), minor: UInt16(number)), interval: interval,
                        place: .fixed(place)))
            }
        }
        return scenario
    }

    @Test("What lies in a room with a node is told of once, and never moves", arguments: [1, 2] as [UInt64])
    func rest(seed: UInt64) throws {
        let scenario = try house(seed: seed)
        var loopback = try Loopback(scenario)
        try loopback.run(seconds: Self.seconds)
        let heard = Set(scenario.nodes.map(\.room))
        for room in Set(scenario.rooms.map(\.id)).intersection(heard).sorted() {
            for interval in [1, 5] {
                let words = loopback.seen
                    .filter { $0.item == "\(room)-\(interval)s" && $0.at.seconds(since: loopback.begin) > Self.warmUp }
                    .map(\.location.word)
                let moves = zip(words, words.dropFirst()).filter { $0 != $1 }.count
                print("at rest, seed \(seed), \(room), a packet each \(interval) s: \(moves) moves")
                #expect(moves == 0, "seed \(seed), \(room), a packet each \(interval) s")
            }
        }
    }

    @Test("The drill in its cupboard is where it lies")
    func drill() throws {
        var loopback = try Loopback("quiet-house")
        try loopback.run(seconds: Self.seconds)
        let score = try #require(loopback.scores(warmUp: Self.warmUp).first { $0.item == "drill" })
        print("at rest: " + score.row)
        #expect(score.accuracy > 0.99 && score.flaps == 0, "\(score.row)")
    }
}
