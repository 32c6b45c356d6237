/// What the standard library's `Double` lacks.
///
/// The underscored functions are the standard library's own doors to the C functions of the same names. They keep this
/// pure stage free of any import; should they ever go, this file alone changes.
enum Mathematics {
    /// e to the power of `x` (`exp`).
    static func exp(_ x: Double) -> Double { _exp(x) }

    /// The natural logarithm (`log`).
    static func log(_ x: Double) -> Double { _log(x) }

    /// 1 / (1 + e^-x), from 0 to 1 without overflow.
    static func logistic(_ x: Double) -> Double { 1 / (1 + exp(min(50, -x))) }

    /// The logarithm of the gamma function at `halves` / 2, for `halves` of 1 and above.
    ///
    /// By recurrence from Γ(1/2) = √π and Γ(1) = 1: the densities of this stage ask for halves only.
    static func logGamma(halves: Int) -> Double {
        var sum = halves % 2 == 0 ? 0 : 0.5 * log(.pi)
        var at = halves % 2 == 0 ? 2 : 1
        while at < halves {
            sum += log(Double(at) / 2)
            at += 2
        }
        return sum
    }

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
