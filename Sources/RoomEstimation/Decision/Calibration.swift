internal import Bytes

/// The calibration of a belief: the confidence that proved right on lessons that were kept back.
///
/// Errors that are correlated from second to second make a filter overconfident, in each house to another degree; and
/// some of its mistakes are foretold by no evidence. A power of all probabilities corrects the first, a share spread
/// evenly the second.
public struct Calibration: Hashable, Sendable {
    /// The power: below 1 the belief was overconfident.
    public var sharpness = 1.0
    /// The share of answers that the model does not explain, 0...1.
    public var slip: Double

    /// Moves towards an uncalibrated belief by a share, and to the least of some slips.
    mutating func sharpen(by share: Double, slip slips: [Double]) {
        sharpness += share * (1 - sharpness)
        slip += share * min(0, (slips.min() ?? slip) - slip)
    }

    /// Converts the logarithms of probabilities to the sharpened, scaled probabilities.
    func sharpen(_ logs: inout [Double]) {
        var sum = 0.0
        for index in logs.indices {
            logs[index] = Mathematics.exp(sharpness * logs[index])
            sum += logs[index]
        }
        for index in logs.indices { logs[index] /= sum }
    }

    /// The probability that an answer of that belief is right, among so many rooms.
    func confidence(_ probability: Double, rooms: Int) -> Double {
        min(1, max(0, (1 - slip) * probability + slip / Double(max(1, rooms))))
    }
}

extension Calibration {
    /// Finds the calibration of the least surprise.
    struct Search {
        private let tried: [Calibration]
        private var losses: [Double]
        private var work: [Double] = []

        init(parameters: Parameters.CrossValidation) {
            tried = parameters.sharpnesses.flatMap { sharpness in
                parameters.slips.map { Calibration(sharpness: sharpness, slip: $0) }
            }
            losses = [Double](repeating: 0, count: tried.count)
        }

        /// Counts the surprise at the true one of several rooms, by the logarithms of their probabilities.
        mutating func count(_ logs: [Double], truth: Int) {
            for index in tried.indices {
                // Neighbours share their powers.
                if index == 0 || tried[index].sharpness != tried[index - 1].sharpness {
                    work = logs
                    tried[index].sharpen(&work)
                }
                losses[index] -= Mathematics.log(tried[index].confidence(work[truth], rooms: logs.count))
            }
        }

        /// The calibration of the least summed surprise, and that surprise, in nats; nil if none is tried.
        var best: (calibration: Calibration, loss: Double)? {
            guard let least = losses.min(), let index = losses.firstIndex(of: least) else { return nil }
            return (tried[index], least)
        }
    }
}
