internal import Glibc

/// The real functions that Swift's standard library lacks, by libm. Pure, as is this whole target.
public enum Mathematics {
    /// e to the power of `x`.
    public static func exp(_ x: Double) -> Double { Glibc.exp(x) }
    /// The natural logarithm of `x`; −∞ at 0, NaN below.
    public static func log(_ x: Double) -> Double { Glibc.log(x) }
    /// The natural logarithm of 1 + `x`, exact near 0.
    public static func log1p(_ x: Double) -> Double { Glibc.log1p(x) }
    /// The decimal logarithm of `x`.
    public static func log10(_ x: Double) -> Double { Glibc.log10(x) }
    /// `base` to the power of `exponent`.
    public static func pow(_ base: Double, _ exponent: Double) -> Double { Glibc.pow(base, exponent) }
    /// The sine of `x` radians.
    public static func sin(_ x: Double) -> Double { Glibc.sin(x) }
    /// The cosine of `x` radians.
    public static func cos(_ x: Double) -> Double { Glibc.cos(x) }
    /// The angle of the point (`x`, `y`) in radians.
    public static func atan2(_ y: Double, _ x: Double) -> Double { Glibc.atan2(y, x) }
    /// The natural logarithm of the gamma function of a positive `x`.
    public static func logGamma(_ x: Double) -> Double {
        // lgamma_r, since lgamma writes a global.
        var sign: Int32 = 0
        return unsafe lgamma_r(x, &sign)
    }
}
