// The world's own arithmetic. It needs no C library, so the same seed gives the same bytes on every processor.

internal import Bytes

extension Int64 {
    /// Quotient and remainder with the remainder in 0 ..< `divisor`, also before the epoch. `divisor` must be positive.
    func floorDivided(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    /// Microseconds from seconds in the validated range.
    init(microseconds seconds: Double) {
        self.init((seconds * 1e6).rounded())
    }
}

extension Timestamp {
    /// The number of whole periods since the epoch, and the microseconds since the last one's end. `period` is in
    /// microseconds, and positive.
    func floorDivided(by period: Int64) -> (quotient: Int64, remainder: Int64) { microseconds.floorDivided(by: period) }
}

/// The decimal logarithm of a positive normal number, exact to 1e-10.
func decimalLogarithm(_ value: Double) -> Double {
    var exponent = Double(value.exponent)
    var significand = value.significand
    if significand > 1.414_213_562_373_095 {
        significand /= 2
        exponent += 1
    }
    // ln m = 2 artanh((m − 1) / (m + 1))
    let z = (significand - 1) / (significand + 1)
    let square = z * z
    let series = 1 + square * (1 / 3 + square * (1 / 5 + square * (1 / 7 + square * (1 / 9 + square / 11))))
    return exponent * 0.301_029_995_663_981_2 + 2 * z * series * 0.434_294_481_903_251_8
}

/// The cubic step from 0 to 1, flat at both ends.
func smooth(_ share: Double) -> Double {
    let share = min(1, max(0, share))
    return share * share * (3 - 2 * share)
}
