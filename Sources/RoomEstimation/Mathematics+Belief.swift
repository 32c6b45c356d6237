internal import Bytes

extension Mathematics {
    /// 1 / (1 + e^-x), from 0 to 1 without overflow.
    static func logistic(_ x: Double) -> Double { 1 / (1 + exp(min(700, -x))) }

    /// Scales weights to a sum of 1.
    ///
    /// `least` is added to each first, so that weights which all vanished become equal ones.
    static func normalise(_ weights: inout [Double], least: Double) {
        var sum = 0.0
        for index in weights.indices {
            weights[index] += least
            sum += weights[index]
        }
        guard sum > 0, sum.isFinite else {
            for index in weights.indices { weights[index] = 1 / Double(weights.count) }
            return
        }
        for index in weights.indices { weights[index] /= sum }
    }

    /// Raises probabilities to a power above 0 and scales them to the sum that they had; what is impossible stays so.
    static func raise(_ probabilities: inout [Double], to power: Double) {
        var (before, after, highest) = (0.0, 0.0, 0.0)
        for probability in probabilities {
            before += probability
            highest = max(highest, probability)
        }
        guard highest > 0 else { return }
        for index in probabilities.indices where probabilities[index] > 0 {
            probabilities[index] = exp(power * log(probabilities[index] / highest))
            after += probabilities[index]
        }
        for index in probabilities.indices { probabilities[index] *= before / after }
    }
}
