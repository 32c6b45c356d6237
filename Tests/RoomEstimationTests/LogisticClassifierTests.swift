import Bytes
@testable import RoomEstimation
import Support
import Testing

@Suite("Boundaries between rooms")
struct BoundariesTests {
    private let parameters = Parameters()

    /// Three rooms with a node each, of which the first was taught longest.
    private func taught(seed: UInt64, seconds: Int = 60) -> (
        toy: ToyHouse, samples: Samples, boundaries: LogisticClassifier
    ) {
        var toy = ToyHouse(rooms: 3, nodesIn: [0, 1, 2], seed: seed)
        let samples = Samples([toy.stays([0, 1, 2, 0, 0], seconds: seconds)], in: toy.house)
        return (toy, samples, LogisticClassifier(samples, parameters: parameters.boundaries))
    }

    /// The evidence of a hop for each room, with these nodes deaf.
    private func evidence(_ boundaries: LogisticClassifier, _ hop: Hop, deaf: Set<Int> = []) -> [Double] {
        var hearing = ReceiverHealth(nodes: 3, parameters: parameters.hearing)
        for node in 0..<3 { hearing.deaf[node] = deaf.contains(node) ? 1 : 0 }
        var evidence = [0.0, 0, 0]
        var work = evidence
        let heard = hop.readings.map(\.node)
        boundaries.weigh(
            1, heard: heard, levels: hop.readings.map(\.level), silent: (0..<3).filter { !heard.contains($0) },
            hearing: hearing, into: &evidence, work: &work)
        return evidence
    }

    private func likeliest(_ evidence: [Double]) -> Int? { evidence.firstIndex(of: evidence.max() ?? 0) }

    @Test(
        "Answer most unseen hops right, independent of their room's share of the lessons",
        arguments: [1, 2, 3])
    func tellsRooms(seed: UInt64) {
        var (toy, _, boundaries) = taught(seed: seed)
        for room in 0..<3 {
            let hops = toy.stays([room], seconds: 100).hops.filter { !$0.readings.isEmpty }
            let right = hops.filter { likeliest(evidence(boundaries, $0)) == room }.count
            #expect(Double(right) > 0.75 * Double(hops.count), "room \(room), seed \(seed)")
        }
    }

    @Test("Ignore a deaf node's silence, and count a receiving one's")
    func deafNode() {
        let (_, _, boundaries) = taught(seed: 4)
        let hop = Hop(end: .init(microseconds: 0), readings: [.init(node: 0, level: -70, count: 3)])
        let hearing = evidence(boundaries, hop)
        let deaf = evidence(boundaries, hop, deaf: [2])
        // Silent although it usually receives: the item is not in its room.
        #expect(hearing[2] - hearing[0] < deaf[2] - deaf[0] - 0.1)
    }

    @Test("Bound the evidence of any hop by the slip")
    func bounded() {
        let (_, _, boundaries) = taught(seed: 5)
        for level in [-127.0, -20, 20] {
            let all = evidence(
                boundaries,
                Hop(end: .init(microseconds: 0), readings: (0..<3).map { .init(node: $0, level: level, count: 1) }))
            #expect(all.allSatisfy { $0.isFinite && $0 > -4 && $0 < 4 }, "\(level) dBm: \(all)")
        }
    }

    @Test("Thin excess lessons, with the same result")
    func thinned() {
        var parameters = parameters.boundaries
        let (toy, samples, whole) = taught(seed: 6, seconds: 200)
        parameters.samples = samples.all.count / 4
        let part = LogisticClassifier(samples, parameters: parameters)
        var walk = toy
        let hops = walk.stays([0, 1, 2], seconds: 60).hops.filter { !$0.readings.isEmpty }
        let alike = hops.filter { likeliest(evidence(whole, $0)) == likeliest(evidence(part, $0)) }.count
        #expect(Double(alike) > 0.9 * Double(hops.count))
    }

    /// Two rooms with equal levels at two nodes, whose errors agree in one and oppose in the other.
    private func together(seed: UInt64, hops count: Int) -> (house: House, recording: Recording) {
        var random = SeededGenerator(seed: seed)
        var house = House()
        for room in ["kitchen", "hall"] { house.addRoom(room) }
        for node in ["door", "window"] { house.addNode(node, room: 0) }
        var recording = Recording(hops: [], rooms: [])
        for second in 0..<count {
            let room = Int.random(in: 0...1, using: &random)
            let shade = 6 * random.normal()
            let levels = [shade, room == 0 ? shade : -shade].map { -65 + $0 + 2 * random.normal() }
            recording.append(
                Hop(
                    end: Timestamp(microseconds: Int64(second) * 1_000_000),
                    readings: levels.enumerated().map {
                        Hop.Reading(node: $0, level: max(-100, min(-30, $1)), count: 1)
                    }),
                room: room)
        }
        return (house, recording)
    }

    @Test(
        "Separate rooms that differ only in the correlation of two nodes' levels by their product",
        arguments: [1, 2] as [UInt64])
    func products(seed: UInt64) {
        let (house, lessons) = together(seed: seed, hops: 120)
        let use = together(seed: seed + 10, hops: 200).recording
        func right(_ parameters: Parameters.LogisticClassifier) -> Double {
            let boundaries = LogisticClassifier(Samples([lessons], in: house), parameters: parameters)
            var right = 0
            for (hop, room) in zip(use.hops, use.rooms) {
                var evidence = [0.0, 0]
                var work = evidence
                boundaries.weigh(
                    1, heard: [0, 1], levels: hop.readings.map(\.level), silent: [],
                    hearing: ReceiverHealth(nodes: 2, parameters: self.parameters.hearing), into: &evidence, work: &work
                )
                if likeliest(evidence) == room { right += 1 }
            }
            return Double(right) / Double(use.hops.count)
        }
        #expect(right(parameters.boundaries) > 0.8)
        // Lessons of too few hops, and a house without a pair, have no products: the result is as good as a guess.
        var none = parameters.boundaries
        none.mostProducts = 0
        var few = parameters.boundaries
        few.hopsAProduct = 121
        #expect(abs(right(none) - 0.5) < 0.15)
        #expect(right(few) == right(none))
    }

    @Test("Learn nothing from a single room, nor from nodes that never received")
    func degenerate() throws {
        var toy = ToyHouse(rooms: 3, nodesIn: [0, 1, 2], seed: 7)
        toy.dead = [1, 2]
        let samples = Samples([toy.stays([0], seconds: 30)], in: toy.house)
        let boundaries = LogisticClassifier(samples, parameters: parameters.boundaries)
        var evidence = [0.0]
        var work = evidence
        boundaries.weigh(
            1, heard: [0], levels: [-60], silent: [], hearing: ReceiverHealth(nodes: 1, parameters: parameters.hearing),
            into: &evidence, work: &work)
        #expect(abs(try #require(evidence.first)) < 1e-6)
    }

    @Test("Choose the better of boundaries and densities by the lessons")
    func blend() throws {
        for seed in [8, 9, 10] as [UInt64] {
            var toy = ToyHouse(rooms: 4, nodesIn: [0, 1, 2, 3], seed: seed)
            let recording = toy.stays([0, 1, 2, 3, 2, 1, 0, 3], seconds: 40)
            let lessons = try #require(TrainedModel([recording], in: toy.house))
            #expect(parameters.boundaries.blends.contains(lessons.choice.blend))
            #expect((lessons.boundaries != nil) == (lessons.choice.blend.boundaries > 0))
            var plain = parameters
            plain.boundaries.blends = [plain.boundaries.blends[0]]
            let densities = try #require(TrainedModel([recording], in: toy.house, parameters: plain))
            let use = toy.stays([0, 1, 2, 3, 0, 2, 1, 3], seconds: 40)
            #expect(
                accuracy(use, Locator(house: toy.house, lessons: lessons))
                    > accuracy(use, Locator(house: toy.house, lessons: densities)) - 0.03, "seed \(seed)")
        }
    }
}
