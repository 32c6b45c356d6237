internal import Bytes

/// Separates rooms by their boundaries: multinomial logistic regression from the levels of a hop.
///
/// Densities describe the levels of each place, and err if their shape does; boundaries determine the room alone, and
/// need fewer lessons for it. Neither is best in all houses, and their errors differ. The features of a node are its
/// reception, its level and the level's square: the boundary between two bells of unlike widths is a parabola. The
/// product of two nodes' levels is a feature, too: an obstacle that shades one shades the other, more or less,
/// depending on the room.
struct LogisticClassifier: Sendable {
    /// The statistics of one node: its usual level, in dBm, its share of hops with a packet, and the means of its level
    /// and square then.
    private struct Node {
        var centre = 0.0
        var means = [Double](repeating: 0, count: Self.features)

        static let features = 3
    }

    private let parameters: Parameters.LogisticClassifier
    private let rooms: Int
    private var nodes: [Node]
    /// The pairs of nodes whose product is a feature, by their columns, the lower one first.
    private var pairs: [(one: Int, other: Int)] = []
    /// The place of a pair in `pairs`, a row of nodes for each node; -1 if its product is no feature.
    private var placeOfPair: [Int32] = []
    /// The spread of levels about their nodes' usual ones, in dB.
    private var spread = 1.0
    /// A row of weights a feature: one for each room. Those of products come after those of nodes; the last row holds
    /// the constants.
    private var weights: [Double] = []
    /// The logarithm of each room's share of the lessons: the length of the teaching is no evidence of a place.
    private var shares: [Double]

    /// Learns from the labelled hops; at most `Parameters.LogisticClassifier.samples` of them, evenly spread.
    init(_ samples: Samples, parameters: Parameters.LogisticClassifier) {
        self.parameters = parameters
        rooms = samples.rooms.count
        nodes = [Node](repeating: Node(), count: samples.nodes.count)
        let heard = samples.all.filter(\.isHeard)
        let stride = max(1, (heard.count + parameters.samples - 1) / parameters.samples)
        let used = Swift.stride(from: 0, to: heard.count, by: stride).map { heard[$0] }
        let counts = used.reduce(into: [Double](repeating: 0.5, count: rooms)) { $0[$1.room] += 1 }
        let sum = counts.reduce(0, +)
        shares = counts.map { Mathematics.log($0 / sum) }
        centre(used)
        pair(used)
        let rows = used.map { sample in
            samples.nodes.indices.flatMap { column -> [Double] in
                guard sample.live[column] else { return [Double](repeating: 0, count: Node.features) }
                return zip(features(of: sample.levels[column], column), nodes[column].means).map { $0 - $1 }
            } + pairs.map { product($0, sample) } + [1]
        }
        weights = descend(rows, used.map(\.room), ridge: parameters.ridge / Double(stride))
    }

    /// Learns each node's usual level, the spread about them, and the means of the features.
    private mutating func centre(_ samples: [Samples.Sample]) {
        var squares = 0.0
        var all = 0.0
        for column in nodes.indices {
            let levels = samples.compactMap { $0.levels[column] }
            let heard = Double(max(1, levels.count))
            let centre = levels.reduce(0, +) / heard
            nodes[column].centre = centre
            squares += levels.reduce(0) { $0 + ($1 - centre) * ($1 - centre) }
            all += Double(levels.count)
        }
        spread = max(1, (squares / max(1, all)).squareRoot())
        for column in nodes.indices {
            var live = 0.0
            var sums = [Double](repeating: 0, count: Node.features)
            for sample in samples where sample.live[column] {
                live += 1
                for (place, value) in features(of: sample.levels[column], column).enumerated() { sums[place] += value }
            }
            nodes[column].means = sums.map { $0 / max(1, live) }
        }
    }

    /// Chooses the pairs whose product is a feature: those that receive together most often, as many as the lessons
    /// support.
    private mutating func pair(_ samples: [Samples.Sample]) {
        let columns = nodes.indices
        var together = [Int](repeating: 0, count: nodes.count * nodes.count)
        for sample in samples {
            let heard = columns.filter { sample.levels[$0] != nil }
            for (place, one) in heard.enumerated() {
                for other in heard[(place + 1)...] { together[one * nodes.count + other] += 1 }
            }
        }
        let found = together.indices.filter { together[$0] > 0 }.sorted { (-together[$0], $0) < (-together[$1], $1) }
        let most = max(0, min(parameters.mostProducts, samples.count / max(1, parameters.hopsAProduct)))
        placeOfPair = [Int32](repeating: -1, count: together.count)
        for cell in found.prefix(most) {
            placeOfPair[cell] = Int32(pairs.count)
            pairs.append((cell / nodes.count, cell % nodes.count))
        }
    }

    /// The feature of two levels together; nothing if either is missing or without meaning.
    private func product(_ pair: (one: Int, other: Int), _ sample: Samples.Sample) -> Double {
        guard sample.live[pair.one], sample.live[pair.other], let one = sample.levels[pair.one],
            let other = sample.levels[pair.other]
        else { return 0 }
        return deviation(one, pair.one) * deviation(other, pair.other)
    }

    /// The features of a level, or of a silence.
    private func features(of level: Double?, _ column: Int) -> [Double] {
        guard let level else { return [Double](repeating: 0, count: Node.features) }
        let deviation = deviation(level, column)
        return [1, deviation, deviation * deviation]
    }

    private func deviation(_ level: Double, _ column: Int) -> Double {
        // Levels beyond those of the lessons count as the most extreme one in them.
        min(parameters.most, max(-parameters.most, (level - nodes[column].centre) / spread))
    }

    /// Adds a share of a hop's evidence for each room to `evidence`, in nats.
    ///
    /// `heard` are columns with their `levels`, `silent` those whose silence counts, as far as they receive at all;
    /// others are no evidence. `work` is scratch of as many numbers as there are rooms.
    func weigh(
        _ share: Double, heard: [Int], levels: [Double], silent: [Int], hearing: ReceiverHealth,
        into evidence: inout [Double],
        work: inout [Double]
    ) {
        let (products, constant) = (nodes.count * Node.features, nodes.count * Node.features + pairs.count)
        for room in 0..<rooms { work[room] = weights[constant * rooms + room] }
        for (place, column) in heard.enumerated() {
            let (row, deviation) = (column * Node.features, deviation(levels[place], column))
            add(1 - nodes[column].means[0], row, to: &work)
            add(deviation - nodes[column].means[1], row + 1, to: &work)
            add(deviation * deviation - nodes[column].means[2], row + 2, to: &work)
            for before in 0..<place {
                let pair = placeOfPair[heard[before] * nodes.count + column]
                guard pair >= 0 else { continue }
                add(deviation * self.deviation(levels[before], heard[before]), products + Int(pair), to: &work)
            }
        }
        for column in silent {
            let chance = 1 - hearing.deaf[column]
            for feature in 0..<Node.features {
                add(-chance * nodes[column].means[feature], column * Node.features + feature, to: &work)
            }
        }
        Self.spread(&work, from: 0, rooms)
        for room in 0..<rooms {
            let odds = work[room] * Mathematics.exp(-shares[room])
            evidence[room] += share * Mathematics.log((1 - parameters.slip) * odds + parameters.slip)
        }
    }

    private func add(_ value: Double, _ row: Int, to logits: inout [Double]) {
        for room in 0..<rooms { logits[room] += value * weights[row * rooms + room] }
    }

    /// Converts logarithms of odds from a place on to probabilities.
    private static func spread(_ logits: inout [Double], from start: Int, _ rooms: Int) {
        var highest = -Double.infinity
        for room in start..<start + rooms { highest = max(highest, logits[room]) }
        var sum = 0.0
        for room in start..<start + rooms {
            logits[room] = Mathematics.exp(logits[room] - highest)
            sum += logits[room]
        }
        for room in start..<start + rooms { logits[room] /= sum }
    }

    /// The weights of the least surprise at the rooms of these rows.
    ///
    /// Each round goes as far as a bound on the curvature allows (Böhning 1992), which never overshoots and needs one
    /// factored matrix in all, from a point that lies ahead (Nesterov 1983).
    private func descend(_ rows: [[Double]], _ truths: [Int], ridge: Double) -> [Double] {
        let width = nodes.count * Node.features + pairs.count + 1
        let ridges = (0..<width).map { $0 == width - 1 ? parameters.constantRidge : ridge }
        var bound = [Double](repeating: 0, count: width * width)
        for row in rows {
            for one in 0..<width where row[one] != 0 {
                for other in 0...one { bound[one * width + other] += 0.5 * row[one] * row[other] }
            }
        }
        for one in 0..<width { bound[one * width + one] += ridges[one] }
        Self.factor(&bound, width)
        var weights = [Double](repeating: 0, count: width * rooms)
        var ahead = weights
        var slope = weights
        var chances = [Double](repeating: 0, count: rooms)
        var pace = 1.0
        for _ in 0..<parameters.rounds {
            for index in slope.indices { slope[index] = ridges[index / rooms] * ahead[index] }
            for (row, truth) in zip(rows, truths) {
                for room in 0..<rooms { chances[room] = 0 }
                for one in 0..<width where row[one] != 0 {
                    for room in 0..<rooms { chances[room] += row[one] * ahead[one * rooms + room] }
                }
                Self.spread(&chances, from: 0, rooms)
                chances[truth] -= 1
                for one in 0..<width where row[one] != 0 {
                    for room in 0..<rooms { slope[one * rooms + room] += row[one] * chances[room] }
                }
            }
            Self.solve(bound, width, &slope, rooms)
            let next = (1 + (1 + 4 * pace * pace).squareRoot()) / 2
            for index in weights.indices {
                let found = ahead[index] - slope[index]
                ahead[index] = found + (pace - 1) / next * (found - weights[index])
                weights[index] = found
            }
            pace = next
        }
        return weights
    }

    /// Cholesky's factor of a matrix, in its lower half.
    private static func factor(_ matrix: inout [Double], _ width: Int) {
        for row in 0..<width {
            for column in 0...row {
                var value = matrix[row * width + column]
                for inner in 0..<column { value -= matrix[row * width + inner] * matrix[column * width + inner] }
                matrix[row * width + column] =
                    column < row
                    ? value / matrix[column * width + column] : max(value, Parameters.leastVariance).squareRoot()
            }
        }
    }

    /// Solves for several right sides at once, in their place.
    private static func solve(_ factor: [Double], _ width: Int, _ sides: inout [Double], _ count: Int) {
        for row in 0..<width {
            for inner in 0..<row {
                let value = factor[row * width + inner]
                for side in 0..<count { sides[row * count + side] -= value * sides[inner * count + side] }
            }
            for side in 0..<count { sides[row * count + side] /= factor[row * width + row] }
        }
        for row in (0..<width).reversed() {
            for inner in row + 1..<width {
                let value = factor[inner * width + row]
                for side in 0..<count { sides[row * count + side] -= value * sides[inner * count + side] }
            }
            for side in 0..<count { sides[row * count + side] /= factor[row * width + row] }
        }
    }
}
