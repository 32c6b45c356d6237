extension Gaussians {
    /// Learns a distribution for each group of samples: its mean drawn to `priors` by the weight of one sample, its
    /// covariance drawn to that of all groups together.
    init(
        _ samples: [Samples.Sample], groups: [Int], count: Int, nodes: Int, priors: [[Double]],
        parameters: Parameters.TrainedModel
    ) {
        self.init(nodes: nodes)
        var members = [[Int]](repeating: [], count: count)
        for (place, group) in groups.enumerated() { members[group].append(place) }
        let means = members.indices.map { group in
            (0..<nodes).map { column in
                var sum = priors[group][column]
                var heard = 1.0
                for place in members[group] {
                    guard let level = samples[place].levels[column] else { continue }
                    sum += level
                    heard += 1
                }
                return sum / heard
            }
        }
        // Values interpolated between two packets vary less than packets do.
        let residuals = samples.indices.map { place in
            (0..<nodes).map { column in
                samples[place].isHeard ? samples[place].levels[column].map { $0 - means[groups[place]][column] } : nil
            }
        }
        let pooled = Self.covariance(
            residuals, nodes: nodes, prior: Parameters.deviation * Parameters.deviation, worth: Parameters.few)
        for group in members.indices {
            let taught = Double(members[group].count { samples[$0].isHeard })
            let own = parameters.own * taught / (taught + Parameters.few)
            var mixed = Self.covariance(members[group].map { residuals[$0] }, nodes: nodes)
            for cell in mixed.indices {
                let ridge = cell % (nodes + 1) == 0 ? Parameters.rounding : 0
                mixed[cell] =
                    own * (mixed[cell] + ridge)
                    + (1 - own) * (pooled[cell] + ridge / 2)
            }
            append(mean: means[group], covariance: mixed)
        }
    }

    /// The covariance of residuals with gaps.
    ///
    /// A product with a gap counts as none, and each cell is scaled by the readings of both nodes: the result is a
    /// product of a matrix with itself, and so has no negative direction. A variance known before counts as so many
    /// readings.
    private static func covariance(_ residuals: [[Double?]], nodes: Int, prior: Double = 0, worth: Double = 0)
        -> [Double]
    {
        var sums = [Double](repeating: 0, count: nodes * nodes)
        var counts = [Double](repeating: 0, count: nodes)
        for row in residuals {
            for one in 0..<nodes {
                guard let left = row[one] else { continue }
                counts[one] += 1
                for other in 0..<nodes {
                    if let right = row[other] { sums[one * nodes + other] += left * right }
                }
            }
        }
        let scales = counts.map { 1 / max(1, $0 + worth).squareRoot() }
        for one in 0..<nodes {
            sums[one * nodes + one] += worth * prior
            for other in 0..<nodes { sums[one * nodes + other] *= scales[one] * scales[other] }
        }
        return sums
    }
}
