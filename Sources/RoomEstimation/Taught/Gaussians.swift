internal import Bytes

/// Joint distributions of the levels of several nodes, one for each state. Gaps are left out exactly: the density of
/// the levels received is that of the same distribution without the others.
struct Gaussians: Sendable {
    /// Number of nodes of a level vector.
    let nodes: Int
    /// The means, a row of `nodes` numbers a state.
    private(set) var means: [Double] = []
    /// The covariances, `nodes` rows of `nodes` numbers a state.
    private(set) var covariances: [Double] = []

    init(nodes: Int) {
        self.nodes = nodes
    }

    var count: Int { nodes == 0 ? 0 : means.count / nodes }

    /// The mean level of a node in a state.
    func mean(_ state: Int, of node: Int) -> Double { means[state * nodes + node] }

    mutating func append(mean: [Double], covariance: [Double]) {
        precondition(mean.count == nodes && covariance.count == nodes * nodes, "sizes differ")
        means += mean
        covariances += covariance
    }

    /// The terms of a density of the levels received: the squared distance from the mean, in its own spread, and the
    /// logarithm of the covariance's determinant.
    struct Fit {
        var distance: Double
        var logDeterminant: Double
        /// The pull of the levels towards a common offset, per dB, and the stiffness against it.
        var pull = 0.0
        var hold = 0.0

        /// The log of Student's t over so many nodes, less what all states share.
        func logDensity(heard: Int, tail: Int) -> Double {
            -0.5 * logDeterminant - 0.5 * Double(tail + heard) * Mathematics.log1p(distance / Double(tail))
        }
    }

    /// The constant of Student's t over so many nodes.
    static func logConstant(heard: Int, tail: Int) -> Double {
        Mathematics.logGamma(0.5 * Double(tail + heard)) - Mathematics.logGamma(0.5 * Double(tail))
            - 0.5 * Double(heard) * Mathematics.log(Double(tail) * .pi)
    }

    /// Fits the levels of the receiving nodes to a state, by Cholesky's factors of the covariance among them.
    ///
    /// `heard` are columns, ascending, and `levels` their levels; `work` is scratch of `scratch(heard: heard.count)`
    /// numbers.
    func fit(_ state: Int, heard: [Int], levels: [Double], work: inout [Double]) -> Fit {
        var fit = Fit(distance: 0, logDeterminant: factor(state, heard: heard, work: &work))
        let solution = heard.count * (heard.count + 1) / 2
        let ones = solution + heard.count
        var start = 0
        for row in heard.indices {
            var one = 1.0
            var value = levels[row] - means[state * nodes + heard[row]]
            for inner in 0..<row {
                one -= work[start + inner] * work[ones + inner]
                value -= work[start + inner] * work[solution + inner]
            }
            one *= work[start + row]
            value *= work[start + row]
            start += row + 1
            work[ones + row] = one
            work[solution + row] = value
            fit.hold += one * one
            fit.distance += value * value
            fit.pull += value * one
        }
        return fit
    }

    /// Size of the scratch for a fit to so many receiving nodes: half a square matrix, and two vectors.
    static func scratch(heard: Int) -> Int { heard * (heard + 5) / 2 }

    /// Puts the factors of the covariance among the receiving nodes into `work`, with the inverse of each number on the
    /// diagonal; returns the logarithm of its determinant.
    private func factor(_ state: Int, heard: [Int], work: inout [Double]) -> Double {
        let count = heard.count
        var logDeterminant = 0.0
        var product = 1.0
        var start = 0
        for row in 0..<count {
            let own = state * nodes * nodes + heard[row] * nodes
            var above = 0
            var left = covariances[own + heard[row]]
            for column in 0..<row {
                var value = covariances[own + heard[column]]
                for inner in 0..<column { value -= work[start + inner] * work[above + inner] }
                value *= work[above + column]
                work[start + column] = value
                left -= value * value
                above += column + 1
            }
            let deviation = max(left, Parameters.tiny).squareRoot()
            work[start + row] = 1 / deviation
            product *= deviation
            start += row + 1
            if product > 1e100 || product < 1e-100 {
                logDeterminant += 2 * Mathematics.log(product)
                product = 1
            }
        }
        return logDeterminant + 2 * Mathematics.log(product)
    }
}
