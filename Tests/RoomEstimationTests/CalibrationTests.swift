import Bytes
@testable import RoomEstimation
import Testing

@Suite("Calibration of a belief")
struct CalibrationTests {
    @Test("Draw probabilities together by a power below 1, and preserve their order and sum")
    func sharpen() {
        var logs = [0.9, 0.09, 0.01].map(Mathematics.log)
        Calibration(sharpness: 0.5, slip: 0).sharpen(&logs)
        #expect(abs(logs.reduce(0, +) - 1) < 1e-12)
        #expect(abs(logs[0] / logs[1] - 10.0.squareRoot()) < 1e-9)
        #expect(logs[1] > logs[2])
    }

    @Test(
        "Discount the trial of few lessons more than that of many, so that the whole is surer than its parts")
    func fewLessons() {
        let found = Calibration(sharpness: 0.4, slip: 0.1)
        var (few, many, sure) = (found, found, Calibration(sharpness: 1, slip: 0.01))
        few.sharpen(by: 0.5, slip: [0.04, 0.02])
        many.sharpen(by: 0.1, slip: [0.04, 0.02])
        #expect(abs(few.sharpness - 0.7) < 1e-12 && abs(few.slip - 0.06) < 1e-12)
        #expect(abs(many.sharpness - 0.46) < 1e-12 && abs(many.slip - 0.092) < 1e-12)
        // A certain belief stays certain.
        sure.sharpen(by: 0.5, slip: [0.04, 0.02])
        #expect(sure == Calibration(sharpness: 1, slip: 0.01))
    }

    @Test("Spread probabilities by a power above 1, and preserve their order, their sum and zeros")
    func raise() {
        var mixed = [0.3, 0.15, 0, 0.05]
        Mathematics.raise(&mixed, to: 2)
        #expect(abs(mixed.reduce(0, +) - 0.5) < 1e-12)
        #expect(abs(mixed[0] / mixed[1] - 4) < 1e-9 && mixed[1] > mixed[3] && mixed[2] == 0)
        var none = [0.0, 0]
        Mathematics.raise(&none, to: 2)
        #expect(none == [0, 0])
        var tiny = [Parameters.least, Parameters.least]
        Mathematics.raise(&tiny, to: 1.875)
        #expect(tiny == [Parameters.least, Parameters.least])
    }

    @Test("Give a retained answer half of the belief in it and a likelier room, up to a bound")
    func kept() throws {
        var decision = Decision(pace: .init(odds: 100, restHops: 34), parameters: Parameters().decision)
        _ = decision.weigh([0.9, 0.1, 0], at: Timestamp(microseconds: 0))
        #expect(decision.worth([0.7, 0.2, 0.1]) == 0.7)
        let moved = decision.weigh([0.2, 0.7, 0.1], at: Timestamp(microseconds: 1_000_000))
        #expect(!moved)
        #expect(abs(decision.worth([0.2, 0.7, 0.1]) - 0.45) < 1e-12)
        #expect(decision.worth([0, 0, 0]) == 0)
        // It falls, from the tie to nothing, and never below the belief.
        let worths = (0...50).map { 0.5 - Double($0) / 100 }.map { decision.worth([$0, 1 - $0, 0]) }
        #expect(zip(worths, worths.dropFirst()).allSatisfy { $0 >= $1 })
        #expect(worths[0] == 0.5 && worths[50] == 0)
        #expect(abs(decision.worth([0.001, 0.999, 0]) - 0.02) < 0.001)
    }

    @Test("Publish a retained answer's confidence so, and leave the beliefs unchanged")
    func told() throws {
        var toy = ToyHouse(rooms: 2, nodesIn: [0, 1], seed: 3)
        toy.noise = 6
        var locator = Locator(house: toy.house)
        var kept = 0
        for second in 0..<3000 {
            let answer = locator.weigh(toy.hop(at: second % 60 < 30 ? 2.0 : 4.0, second: second))
            guard let room = answer.room, locator.believed < 0.5 else { continue }
            kept += 1
            let slip = Parameters().decision.slip
            #expect(answer.confidence > (1 - slip) * locator.probabilities[room] + slip / 2 + 1e-9)
        }
        #expect(kept > 0)
    }

    @Test("Return numbers for probabilities close to zero")
    func vanished() {
        var logs = [Double](repeating: Mathematics.log(Parameters.least), count: 3)
        Calibration(sharpness: 1, slip: 0.04).sharpen(&logs)
        #expect(logs.allSatisfy { abs($0 - 1.0 / 3) < 1e-12 })
    }

    @Test("Reduce a confidence of 99 % that is right in 70 % to 70 %, and leave one that is right in 99 %")
    func search() throws {
        let logs = [0.99, 0.01].map(Mathematics.log)
        for (right, confidence) in [(70, 0.65...0.75), (99, 0.96...0.99)] {
            var search = Calibration.Search(parameters: Parameters.CrossValidation())
            for count in 0..<100 { search.count(logs, truth: count < right ? 0 : 1) }
            let found = try #require(search.best).calibration
            var sharpened = logs
            found.sharpen(&sharpened)
            #expect(confidence.contains(found.confidence(sharpened[0], rooms: 2)), "\(right) of 100")
        }
    }

    @Test("Use the spread of homes as the covariance of a handful of readings")
    func fewReadings() {
        func variance(of count: Int) -> Double {
            let samples = (0..<count).map { Samples.Sample(room: 0, levels: [$0 % 2 == 0 ? -61 : -59], live: [true]) }
            let learned = Gaussians(
                samples, groups: samples.map { _ in 0 }, count: 1, nodes: 1, priors: [[-60]],
                parameters: Parameters.TrainedModel())
            return learned.covariances[0]
        }
        #expect(variance(of: 4) > 20)
        #expect(variance(of: 4000) < 2)
    }
}
