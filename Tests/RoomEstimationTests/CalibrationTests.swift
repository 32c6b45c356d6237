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
