@testable import RoomEstimation
import Testing

@Suite("Another tag than the one that was taught")
struct LoudnessTests {
    /// The rooms of a walk through the toy house.
    static let rooms = [0, 1, 2, 3, 2, 1, 0, 3, 1, 2]

    @Test("Locate a louder or fainter tag as well as the one that was taught", arguments: [-12.0, -6, 6, 12])
    func louder(offset: Double) throws {
        var (same, other) = (0.0, 0.0)
        for seed in 1...4 as ClosedRange<UInt64> {
            var toy = ToyHouse(rooms: 4, nodesIn: [0, 1, 2, 3], seed: seed)
            let lessons = try #require(TrainedModel([toy.stays(Self.rooms, seconds: 40)], in: toy.house))
            same += accuracy(toy.stays(Self.rooms, seconds: 40), Locator(house: toy.house, lessons: lessons))
            toy.offset = offset
            other += accuracy(toy.stays(Self.rooms, seconds: 40), Locator(house: toy.house, lessons: lessons))
        }
        #expect(other > same - 4 * 0.03, "\(other / 4) beside \(same / 4)")
    }

    @Test("Mistake no place of few receiving nodes for another loudness")
    func fewNodes() throws {
        var (known, unknown) = (0.0, 0.0)
        let parameters = Parameters()
        var sure = parameters
        sure.loudness.variance = sure.loudness.leastVariance
        sure.loudness.drift = 0
        for seed in 1...12 as ClosedRange<UInt64> {
            var toy = ToyHouse(rooms: 5, nodesIn: [1, 3], seed: seed)
            let choice = CrossValidation.Choice(
                calibration: Calibration(slip: 0.04), doubt: 0.24)
            let recording = toy.stays([0, 1, 2, 3, 4, 3, 2, 1], seconds: 40)
            let lessons = try #require(
                TrainedModel(plain: [recording], in: toy.house, choice, parameters: Parameters()))
            let use = toy.stays([4, 2, 0, 3, 1], seconds: 60)
            known += accuracy(use, Locator(house: toy.house, lessons: lessons, parameters: sure))
            unknown += accuracy(use, Locator(house: toy.house, lessons: lessons, parameters: parameters))
        }
        #expect(unknown > known - 12 * 0.05, "\(unknown / 12) beside \(known / 12)")
    }

    @Test("Find the loudness within a minute, and as well for a slow beacon", arguments: [1, 5])
    func found(gap: Int) throws {
        var toy = ToyHouse(rooms: 4, nodesIn: [0, 1, 2, 3], seed: 7)
        let lessons = try #require(TrainedModel([toy.stays(Self.rooms, seconds: 40)], in: toy.house))
        toy.offset = -8
        var locator = Locator(house: toy.house, lessons: lessons)
        for (second, hop) in toy.stays([2, 3], seconds: 60).hops.enumerated() where second % gap == 0 {
            locator.weigh(hop)
        }
        let loudness = try #require(locator.taught?.loudness)
        #expect(abs(loudness.mean + 8) < 3)
        #expect(loudness.variance < 2)
    }

    @Test("Restore the loudness after a restart, without impossible numbers")
    func kept() throws {
        var toy = ToyHouse(rooms: 4, nodesIn: [0, 1, 2, 3], seed: 8)
        let lessons = try #require(TrainedModel([toy.stays(Self.rooms, seconds: 40)], in: toy.house))
        toy.offset = 6
        var locator = Locator(house: toy.house, lessons: lessons)
        for hop in toy.stays([1, 2], seconds: 60).hops { locator.weigh(hop) }
        var record = try #require(locator.record)
        var next = Locator(house: toy.house, lessons: lessons)
        next.resume(record)
        #expect(abs((next.taught?.loudness.mean ?? 0) - (locator.taught?.loudness.mean ?? 99)) < 1e-4)
        for (mean, variance) in [(Float.nan, 1), (1e30, 1), (0, -1), (0, .infinity)] as [(Float, Float)] {
            (record.loudness, record.loudnessVariance) = (mean, variance)
            next = Locator(house: toy.house, lessons: lessons)
            next.resume(record)
            #expect(next.taught?.loudness.mean == 0)
        }
    }

    @Test("Marginalize the loudness to the density of a covariance with a common error of all nodes")
    func marginal() {
        var gaussians = Gaussians(nodes: 2)
        gaussians.append(mean: [-60, -70], covariance: [9, 2, 2, 16])
        let shared = Parameters.TransmitterOffset().variance
        gaussians.append(
            mean: [-60, -70], covariance: [9 + shared, 2 + shared, 2 + shared, 16 + shared])
        var work = [Double](repeating: 0, count: Gaussians.scratch(heard: 2))
        let whole = TransmitterOffset(parameters: Parameters.TransmitterOffset())
            .marginal(gaussians.fit(0, heard: [0, 1], levels: [-52, -65], work: &work))
        let wide = gaussians.fit(1, heard: [0, 1], levels: [-52, -65], work: &work)
        #expect(abs(whole.distance - wide.distance) < 1e-9)
        #expect(abs(whole.logDeterminant - wide.logDeterminant) < 1e-9)
    }
}
