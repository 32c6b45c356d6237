internal import Bytes

/// Detection of rest, and the levels of an item over its rest.
///
/// An item at rest has the same level at each node but for chance, and the mean over its rest is far better evidence of
/// its room than the last packet; the mean over a walk is none. Runs of hops without a change of place are therefore
/// followed, each with its probability (Bayesian online change-point detection: Adams and MacKay 2007), over all nodes
/// together.
///
/// A silence is not a weak level. Another radio may drown a node for seconds, so each node of a run has a hidden state
/// of its own: deaf for the moment, or not. A silence of one node is explained by this state; a change at several is a
/// move.
struct ChangePointDetector: Sendable {
    /// The reception of a node in a hop.
    enum Reception: Sendable {
        /// A level in dBm, with that variance of chance.
        case level(Double, variance: Double)
        /// The node listened and received nothing.
        case silence
        /// The node did not listen.
        case none
    }

    /// A run's knowledge of a node. Most of an item's memory is in these, so they are small.
    struct Link: Sendable {
        /// The mean level, and the number of hops in it.
        var mean: Float
        var heard: Float = 0
        /// Hops without a packet, as far as it was not deaf.
        var missed: Float = 0
        /// The probability that it is deaf for the moment.
        var deaf: Float = 0

        /// The probability of a silence while it receives: it starts as even.
        var silence: Double { (Double(missed) + 0.5) / (Double(heard) + Double(missed) + 1) }
    }

    private let parameters: Parameters.ChangePointDetector
    private var isTaught = false
    private let nearness: Parameters.ProximityModel
    /// The nodes whose levels are followed, by their count: columns of `links`.
    private(set) var columns = 0
    /// Of each run, the oldest first: its probability, its hops, and its knowledge of each node.
    private var chances: [Double] = []
    private var lengths: [Double] = []
    private var links: [Link] = []

    // Scratch, retained so that a hop allocates nothing once all runs are in use.
    private var settled: [Double] = []
    /// The probability of each node's present reception if the item may be anywhere.
    private var anywhere: [Double] = []

    /// The probability that the item has rested for long enough to take the mean.
    private(set) var share = 0.0
    /// The number of hops for which it has rested: 0 for a moving item.
    private(set) var hops = 0.0

    init(parameters: Parameters) {
        self.parameters = parameters.rest
        nearness = parameters.nearness
    }

    /// Continues in a house with lessons, or without.
    mutating func use(isTaught: Bool) { self.isTaught = isTaught }

    /// Adds a node without a packet so far: to all runs it was silent.
    mutating func insert(at column: Int) {
        for run in chances.indices.reversed() {
            links.insert(Link(mean: Float(nearness.silent), missed: Float(lengths[run])), at: run * columns + column)
        }
        settled.insert(nearness.silent, at: column)
        anywhere.insert(1, at: column)
        columns += 1
    }

    /// Removes a node that no longer exists.
    mutating func remove(at column: Int) {
        for run in chances.indices.reversed() { links.remove(at: run * columns + column) }
        settled.remove(at: column)
        anywhere.remove(at: column)
        columns -= 1
    }

    /// The likeliest run: its probability, its hops, and its knowledge of each column; nil if there is none.
    var likeliest: (share: Double, hops: Double, links: [Link])? {
        guard let run = chances.indices.max(by: { chances[$0] < chances[$1] }) else { return nil }
        return (chances[run], lengths[run], Array(links[run * columns..<(run + 1) * columns]))
    }

    /// Continues with the likeliest run of an earlier time; one that was hardly likelier than others is determined
    /// anew.
    mutating func resume(share: Double, hops: Double, links: [Link]) {
        precondition(links.count == columns, "one for each column")
        guard share >= Parameters.even, hops >= 1 else { return }
        let length = min(hops, Parameters.longest)
        (chances, lengths, self.links) = ([1], [length], links)
        settle()
    }

    /// Counts the seconds of a pause as rest, for an item with the same levels after it as before.
    ///
    /// No more than it had rested before: by the rule of succession, half of the items at rest stay for as long again.
    mutating func span(_ seconds: Double) {
        for run in lengths.indices where lengths[run] > 1 {
            lengths[run] = min(lengths[run] + min(seconds, lengths[run]), Parameters.longest)
        }
    }

    /// The mean level of a column over the item's rest; without meaning if `share` is 0.
    func level(_ column: Int) -> Double { settled[column] }

    /// The probability that it has not moved for more than the given hops.
    func chance(after hops: Double) -> Double {
        var sum = 0.0
        for run in chances.indices where lengths[run] > min(hops, Parameters.longest - 1) { sum += chances[run] }
        return sum
    }

    /// Consumes a hop, `seconds` after the one before: the reception of each column, its usual level, and the usual
    /// share of its silence.
    mutating func weigh(_ receptions: [Reception], usual: [(level: Double, silence: Double)], after seconds: Double) {
        // With lessons the motion between rooms is theirs.
        restless = parameters.restless / (isTaught ? 1 : max(1, seconds))
        foresee(receptions, usual)
        weighRuns(receptions)
        chances.append(chances.isEmpty ? 1 : fresh)
        lengths.append(1)
        for column in 0..<columns {
            var link = Link(mean: Float(nearness.silent))
            if case .level(let level, _) = receptions[column] { (link.mean, link.heard) = (Float(level), 1) }
            if case .silence = receptions[column] { link.missed = 1 }
            links.append(link)
        }
        Mathematics.normalise(&chances, least: 0)
        if chances.count > parameters.runs { merge() }
        settle()
    }

    /// Hops like this one after which a moving item is assumed to move.
    private var restless = 1.0
    /// The probability of a run that begins with this hop, before scaling.
    private var fresh = 0.0

    private mutating func foresee(_ receptions: [Reception], _ usual: [(level: Double, silence: Double)]) {
        let bounds = parameters.silenceElsewhere
        for column in 0..<columns {
            let silence = min(bounds.upperBound, max(bounds.lowerBound, usual[column].silence))
            switch receptions[column] {
            case .level(let level, _):
                let wide = parameters.spread * parameters.spread
                anywhere[column] = (1 - silence) * Self.density(level - usual[column].level, variance: wide)
            case .silence: anywhere[column] = silence
            case .none: anywhere[column] = 1
            }
        }
    }

    /// Weighs each run by the probability that it gave the hop, and a change of place by the probability of the hop
    /// anywhere.
    private mutating func weighRuns(_ receptions: [Reception]) {
        guard !chances.isEmpty else { return }
        var ending = Parameters.least
        for run in chances.indices { ending += chances[run] * chanceOfEnd(after: lengths[run]) }
        var change = Mathematics.log(ending)
        for column in 0..<columns { change += Mathematics.log(anywhere[column]) }
        var highest = change
        for run in chances.indices {
            var log = Mathematics.log((chances[run] + Parameters.least) * (1 - chanceOfEnd(after: lengths[run])))
            for column in 0..<columns {
                log += Mathematics.log(
                    links[run * columns + column].weigh(receptions[column], parameters))
            }
            lengths[run] = min(lengths[run] + 1, Parameters.longest)
            chances[run] = log
            highest = max(highest, log)
        }
        for run in chances.indices { chances[run] = Mathematics.exp(chances[run] - highest) }
        fresh = Mathematics.exp(change - highest)
    }

    /// An item that has rested for long will rest for long (Laplace's rule of succession).
    private func chanceOfEnd(after hops: Double) -> Double { 1 / (hops + restless) }

    /// Student's t with 4 degrees of freedom, by its squared scale: a packet now and then is lost in a fade.
    fileprivate static func density(_ deviation: Double, variance: Double) -> Double {
        let tail = 1 + deviation * deviation / (4 * variance)
        // Γ(5/2) / (√(4π) Γ(2)) = 3/8.
        return 0.375 / (variance.squareRoot() * tail * tail * tail.squareRoot())
    }

    /// Merges the two neighbours whose lengths are most alike.
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
            let later = links[(place + 1) * columns + column]
            links[place * columns + column].merge(later, share: Float(share))
        }
        lengths[place] += share * (lengths[place + 1] - lengths[place])
        chances[place] = sum
        chances.remove(at: place + 1)
        lengths.remove(at: place + 1)
        links.removeSubrange((place + 1) * columns..<(place + 2) * columns)
    }

    /// The level that represents a node: packets lost from a strong one are chance, those of a weak one show that it is
    /// weak.
    private func level(_ link: Link) -> Double {
        let (sure, silent) = (nearness.sure, nearness.silent)
        // Half-way to silence, every packet counts.
        let mean = Double(link.mean)
        let weak = min(1, max(0, 2 * (sure - mean) / (sure - silent)))
        let present = Double(link.heard / max(1, link.heard + link.missed))
        return silent + (weak * present + (1 - weak) * min(1, present * Parameters.gaps)) * (mean - silent)
    }

    private mutating func settle() {
        var sum = 0.0
        hops = 0
        for run in chances.indices where lengths[run] >= parameters.memory {
            sum += chances[run]
            hops += chances[run] * lengths[run]
        }
        share = sum
        guard sum > Parameters.least else { return }
        for column in 0..<columns {
            var mean = 0.0
            for run in chances.indices where lengths[run] >= parameters.memory {
                mean += chances[run] * level(links[run * columns + column])
            }
            settled[column] = mean / sum
        }
    }
}

extension ChangePointDetector.Link {
    /// Consumes a node's reception of an item that has not moved, and returns its probability.
    ///
    /// It is the link's method, not the run's: runs that were read while their links change would be copied.
    fileprivate mutating func weigh(
        _ reception: ChangePointDetector.Reception, _ parameters: Parameters.ChangePointDetector
    ) -> Double {
        let before = Double(self.deaf)
        let deaf = before * (1 - parameters.recovers) + (1 - before) * parameters.deafens
        self.deaf = Float(deaf)
        let likely: Double
        let drowned: Double
        switch reception {
        case .none: return 1
        case .silence: (likely, drowned) = (silence, 1)
        case .level(let level, let variance):
            var spread = parameters.spread * parameters.spread
            if heard > 0 { spread = min(spread, variance * (1 + 1 / Double(heard))) }
            likely = (1 - silence) * ChangePointDetector.density(level - Double(mean), variance: spread)
            drowned = 0
        }
        let whole = (1 - deaf) * likely + deaf * drowned + Parameters.least
        self.deaf = Float(deaf * drowned / whole)
        learn(reception, share: 1 - self.deaf, memory: Float(parameters.memory))
        return whole
    }

    /// Adds a hop to a run's knowledge of a node, as far as it was not deaf.
    private mutating func learn(_ reception: ChangePointDetector.Reception, share: Float, memory: Float) {
        if case .level(let level, _) = reception {
            heard += share
            if heard > 0 { mean += share * (Float(level) - mean) / heard }
        } else {
            missed += share
        }
        let excess = (heard + missed) / memory
        guard excess > 1 else { return }
        heard /= excess
        missed /= excess
    }

    fileprivate mutating func merge(_ other: Self, share: Float) {
        mean += share * (other.mean - mean)
        heard += share * (other.heard - heard)
        missed += share * (other.missed - missed)
        deaf += share * (other.deaf - deaf)
    }
}
