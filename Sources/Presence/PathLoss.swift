internal import Bytes
public import WireProtocol

/// The distance by the log-distance law, and the proximity derived from it.
public struct PathLoss: Sendable {
    /// Loss per tenfold distance, in tens of dB. Indoors 2 in the open to 3.5 through walls (Rappaport, Wireless
    /// Communications, table 4.2); 2.5 is in the middle for a house.
    public static let exponent = 2.5
    /// Spread of one level around the law, in dB: body and furniture do not average out within a window.
    public static let shadowing = 4.0
    /// Plausible measured powers of a beacon at one metre, in dBm; others are typing errors (such as −3) that would put
    /// the beacon kilometres away.
    public static let sanePowers = -90 ... -30

    /// The measured power, clamped to the plausible range, in dBm at one metre.
    public static func clamp(power: Int) -> Int {
        min(max(power, sanePowers.lowerBound), sanePowers.upperBound)
    }

    /// The distance of a beacon with this power and mean level.
    ///
    /// - Parameters:
    ///   - level: The mean level in dBm.
    ///   - power: The measured power in dBm at one metre.
    ///   - deviation: The standard deviation of the levels in dB; nil if it isn't known.
    ///   - count: The number of levels in the mean.
    public static func distance(level: Double, power: Int, deviation: Double?, count: Int) -> Window.Distance {
        let loss = Double(clamp(power: power)) - level
        let mean = deviation.map { $0 * $0 / Double(max(1, count)) } ?? shadowing * shadowing
        let spread = (shadowing * shadowing + mean).squareRoot()
        let metres = { (loss: Double) in min(Mathematics.pow(10, loss / (10 * exponent)), 1000) }
        return Window.Distance(metres: metres(loss), low: metres(loss - spread), high: metres(loss + spread))
    }

    /// The proximity of a distance, given the previous one: a border is crossed only by a fifth of its distance, so
    /// that a level at the border doesn't flap.
    public static func proximity(metres: Double, before: Window.Proximity) -> Window.Proximity {
        let immediate = before == .immediate ? 0.6 : before == .unknown ? 0.5 : 0.4
        let near = before == .far ? 3.2 : before == .unknown ? 4.0 : 4.8
        return metres < immediate ? .immediate : metres < near ? .near : .far
    }
}
