internal import Bytes

/// The excess in dB of an item's level over that of the tag that was taught: another tag, another pocket, an old
/// battery.
///
/// It is the same at all nodes, and it lasts; so it is a hidden number of its own, with a mean and a variance. Levels
/// are weighed for all its values: it is integrated out of each state's density, exactly. It is learned from them under
/// every state by the state's belief, and one Gaussian replaces the mixture (assumed-density filtering).
struct TransmitterOffset: Sendable {
    private let parameters: Parameters.TransmitterOffset
    /// The mean, in dB.
    private(set) var mean = 0.0
    /// The variance, in dB².
    private(set) var variance: Double
    /// The seconds since the last hop.
    private var seconds = 0.0

    init(parameters: Parameters.TransmitterOffset) {
        self.parameters = parameters
        variance = parameters.variance
    }

    /// The fit of levels, from which the mean was subtracted, over all values of the loudness.
    func marginal(_ fit: Gaussians.Fit) -> Gaussians.Fit {
        var fit = fit
        let widening = 1 + variance * fit.hold
        fit.distance = max(0, fit.distance - fit.pull * fit.pull * variance / widening)
        fit.logDeterminant += Mathematics.log1p(variance * fit.hold)
        return fit
    }

    /// Continues with a stored estimate; impossible numbers are left out.
    mutating func resume(_ mean: Double, variance: Double) {
        guard abs(mean) <= Parameters.TransmitterOffset.most, variance > 0, variance.isFinite else { return }
        (self.mean, self.variance) = (mean, variance)
    }

    /// Advances by a second.
    mutating func step() { seconds += 1 }

    /// Consumes a hop: the pull and the stiffness of its levels, less the mean, under each state, and the belief of
    /// each state.
    mutating func learn(_ belief: [Double], pulls: [Double], holds: [Double]) {
        let passed = max(1, seconds)
        let share = min(1, parameters.share * passed)
        seconds = 0
        var move = 0.0
        var spread = 0.0
        var square = 0.0
        for state in belief.indices {
            let known = 1 / (1 / variance + share * holds[state])
            let change = share * pulls[state] * known
            move += belief[state] * change
            spread += belief[state] * known
            square += belief[state] * change * change
        }
        mean = min(Parameters.TransmitterOffset.most, max(-Parameters.TransmitterOffset.most, mean + move))
        variance = max(parameters.leastVariance, spread + max(0, square - move * move)) + parameters.drift * passed
    }
}
