/// The highest value that one transmitter gives, as it is learned from all values.
struct LearnedCeiling: Sendable {
    /// The excess over the highest value above which a value is strange.
    private let margin: Float
    /// The rise with each strange value: what stays so for a day is normal, and an attack teaches nothing sooner.
    private let leak: Float
    private let prior: Float
    /// The number of values until the highest one counts, and the prior no more.
    private let lessons: UInt16
    private var highest: Float = -.infinity
    private var count: UInt16 = 0

    init(prior: Float, margin: Float, leak: Float, lessons: UInt16) {
        (self.prior, self.margin, self.leak, self.lessons) = (prior, margin, leak, lessons)
    }

    /// The highest usual value.
    var value: Float { count < lessons ? max(highest, prior) : highest }

    /// Consumes a value; true if it is strange.
    mutating func consume(_ number: Float) -> Bool {
        let excess = number - value
        if count < lessons {
            count += 1
            highest = max(highest, number)
        } else if excess > margin {
            highest += leak
        } else if excess > 0 {
            highest += excess / 2
        }
        return excess > margin
    }
}

/// The steps in which evidence of one kind was found, the latest in the lowest bit.
struct EvidenceSteps: Sendable {
    /// The number of steps that count, and the least with evidence among them: three in a minute.
    static let count = 12, least = 3

    private var bits: UInt16 = 0

    /// Records a step. True if it has evidence and enough others have.
    mutating func record(_ isStrange: Bool) -> Bool {
        bits = (bits << 1 | (isStrange ? 1 : 0)) & (1 << UInt16(Self.count) - 1)
        return isStrange && bits.nonzeroBitCount >= Self.least
    }

    /// Lets steps pass in which nothing was heard.
    mutating func skip(_ steps: Int) { bits = steps >= Self.count ? 0 : bits << UInt16(steps) }
}
