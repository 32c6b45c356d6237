internal import Bytes

/// How many dB louder an item is than the tag that was taught: another tag, another pocket, an old battery.
///
/// It is the same at all nodes, and it lasts; so it is a hidden number of its own, believed to be near a mean with a
/// variance. Levels are weighed whatever it may be: it is integrated out of each state's density, exactly. What they tell
/// of it is learned under every state by its belief, and one Gaussian stands for the mixture (assumed-density filtering).
struct Loudness: Sendable {
    private let parameters: Parameters.Loudness
    /// The mean, in dB.
    private(set) var mean = 0.0
    /// The variance, in dB².
    private(set) var variance: Double
    /// The seconds since the last hop.
    private var seconds = 0.0

    init(parameters: Parameters.Loudness) {
        self.parameters = parameters
        variance = parameters.variance
    }

    /// The fit of levels, from which the mean was taken off, whatever the loudness is.
    func marginal(_ fit: Gaussians.Fit) -> Gaussians.Fit {
        var fit = fit
        let widening = 1 + variance * fit.hold
        fit.distance = max(0, fit.distance - fit.pull * fit.pull * variance / widening)
        fit.logDeterminant += Mathematics.log1p(variance * fit.hold)
        return fit
    }

    /// Goes on with what was known of it; numbers that can't be are left out.
    mutating func resume(_ mean: Double, variance: Double) {
        guard abs(mean) <= parameters.most, variance > 0, variance.isFinite else { return }
        (self.mean, self.variance) = (mean, variance)
    }

    /// Lets a second pass.
    mutating func step() { seconds += 1 }

    /// Takes in a hop: what its levels, less the mean, asked for under each state, and how far each is believed.
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
        mean = min(parameters.most, max(-parameters.most, mean + move))
        variance = max(parameters.leastVariance, spread + max(0, square - move * move)) + parameters.drift * passed
    }
}
