/// The distribution of values: how many were at most each of some bounds, how many there were, and their sum.
public struct MetricHistogram: Hashable, Sendable {
    /// The upper bounds, in rising order.
    public let bounds: [Double]
    /// The values at most each bound and above the one before; the last count is of those above all bounds.
    public private(set) var counts: [UInt64]
    /// The sum of all values.
    public private(set) var sum = 0.0

    /// An empty distribution.
    public init(bounds: [Double]) {
        self.bounds = bounds
        counts = [UInt64](repeating: 0, count: bounds.count + 1)
    }

    /// The number of values.
    public var count: UInt64 { counts.reduce(0, +) }

    /// Adds a value; one that is no number is left out.
    public mutating func add(_ value: Double) {
        guard value.isFinite else { return }
        counts[bounds.firstIndex { value <= $0 } ?? bounds.count] += 1
        sum += value
    }
}
