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
}
