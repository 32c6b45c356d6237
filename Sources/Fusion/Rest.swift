internal import Bytes

/// Whether an item lies still, and the levels it shows while it does.
///
/// A thing at rest shows each node the same level but for chance, and the mean over its rest tells its room far better
/// than the last packet; the mean over a walk tells nothing. So runs of hops without a change are followed, each with its
/// probability (Bayesian online change-point detection: Adams and MacKay 2007), over all nodes together: one node's
/// outlier is chance, what several nodes hear change is a move.
struct Rest: Sendable {
    private let parameters: Parameters.Rest
    /// The nodes whose levels are followed, by their count: columns of `means`.
    private(set) var columns = 0
    /// Of each run, the oldest first: its probability, its hops, and the mean level of each column.
    private var chances: [Double] = []
    private var lengths: [Double] = []
    private var means: [Double] = []

    // Scratch, kept so that a hop allocates nothing once all runs are in use.
    private var settled: [Double] = []

    /// The probability that the item has lain still for long enough to take the mean.
    private(set) var share = 0.0
    /// For how many hops it has done so, as far as it has: 0 for what moves.
    private(set) var hops = 0.0

    init(parameters: Parameters.Rest) {
        self.parameters = parameters
    }

    /// Adds a node that was not heard before: to all runs so far it was silent, at `level`.
    mutating func insert(at column: Int, level: Double) {
        for run in chances.indices.reversed() { means.insert(level, at: run * columns + column) }
        settled.insert(level, at: column)
        columns += 1
    }

    /// The likeliest run: its probability and its hops, and of each column the mean level in it; nil where there is none.
    var likeliest: (share: Double, hops: Double, levels: [Double])? {
        guard let run = chances.indices.max(by: { chances[$0] < chances[$1] }) else { return nil }
        return (chances[run], lengths[run], Array(means[run * columns..<(run + 1) * columns]))
    }

    /// Goes on with the likeliest run of an earlier time; one that was hardly likelier than others is found out anew.
    mutating func resume(share: Double, hops: Double, levels: [Double]) {
        precondition(levels.count == columns, "a level for each column")
        guard share >= Self.leastResumed, hops >= 1 else { return }
        (chances, lengths, means) = ([1], [min(hops, parameters.longest)], levels)
        settle()
    }

    private static let leastResumed = 0.5

    /// The mean level of a column over the item's rest; of no meaning where `share` is 0.
    func level(_ column: Int) -> Double { settled[column] }

    /// Takes in the levels of a hop, a number for each column, and the variance of chance in each.
    mutating func weigh(_ levels: [Double], variances: [Double]) {
        predict(levels, variances)
        for run in chances.indices {
            let hops = min(lengths[run] + 1, parameters.longest)
            for column in 0..<columns {
                means[run * columns + column] += (levels[column] - means[run * columns + column]) / hops
            }
            lengths[run] = hops
        }
        chances.append(chances.isEmpty ? 1 : fresh)
        lengths.append(1)
        means.append(contentsOf: levels.prefix(columns))
        Mathematics.normalise(&chances, least: 0)
        if chances.count > parameters.runs { merge() }
        settle()
    }

    /// The probability of a run that begins with this hop, before scaling.
    private var fresh = 0.0

    /// Weighs each run by how well it foretold the levels, and a change of place by how well anything would.
    private mutating func predict(_ levels: [Double], _ variances: [Double]) {
        guard !chances.isEmpty else { return }
        var logs = 0.0
        for column in 0..<columns {
            var mean = 0.0
            for run in chances.indices { mean += chances[run] * means[run * columns + column] }
            logs += logDensity(levels[column] - mean, variance: parameters.spread * parameters.spread)
        }
        var ending = Parameters.least
        for run in chances.indices { ending += chances[run] * chanceOfEnd(after: lengths[run]) }
        let change = logs + Mathematics.log(ending)
        var highest = change
        for run in chances.indices {
            var log = Mathematics.log((chances[run] + Parameters.least) * (1 - chanceOfEnd(after: lengths[run])))
            for column in 0..<columns {
                let variance = variances[column] * (1 + 1 / lengths[run])
                log += logDensity(levels[column] - means[run * columns + column], variance: variance)
            }
            chances[run] = log
            highest = max(highest, log)
        }
        for run in chances.indices { chances[run] = Mathematics.exp(chances[run] - highest) }
        fresh = Mathematics.exp(change - highest)
    }

    /// What has lain for long will lie for long (Laplace's rule of succession).
    private func chanceOfEnd(after hops: Double) -> Double { 1 / (hops + parameters.restless) }

    private func logDensity(_ deviation: Double, variance: Double) -> Double {
        -0.5 * Mathematics.log(variance)
            - 0.5 * (parameters.tail + 1) * Mathematics.log1p(deviation * deviation / (variance * parameters.tail))
    }

    /// Makes one of the two neighbours whose lengths are most alike.
    private mutating func merge() {
        var place = 0
        var least = Double.infinity
        for run in 0..<chances.count - 1 where lengths[run] / lengths[run + 1] < least {
            least = lengths[run] / lengths[run + 1]
            place = run
        }
        let sum = chances[place] + chances[place + 1] + Parameters.least
        let share = chances[place + 1] / sum
        for column in 0..<columns {
            let later = means[(place + 1) * columns + column]
            means[place * columns + column] += share * (later - means[place * columns + column])
        }
        lengths[place] += share * (lengths[place + 1] - lengths[place])
        chances[place] = sum
        chances.remove(at: place + 1)
        lengths.remove(at: place + 1)
        means.removeSubrange((place + 1) * columns..<(place + 2) * columns)
    }

    private mutating func settle() {
        var sum = 0.0
        hops = 0
        for run in chances.indices where lengths[run] >= parameters.hops {
            sum += chances[run]
            hops += chances[run] * lengths[run]
        }
        share = sum
        guard sum > Parameters.least else { return }
        for column in 0..<columns {
            var mean = 0.0
            for run in chances.indices where lengths[run] >= parameters.hops {
                mean += chances[run] * means[run * columns + column]
            }
            settled[column] = mean / sum
        }
    }
}
