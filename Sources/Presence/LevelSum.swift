internal import WireProtocol

/// The sum of the levels of one beacon in an interval, in dBm.
struct LevelSum: Sendable {
    private(set) var count = 0
    private var sum = 0
    private var sumOfSquares = 0
    private var minimum = Int.max
    private var maximum = Int.min

    mutating func add(_ level: Int) {
        count += 1
        sum += level
        sumOfSquares += level * level
        minimum = min(minimum, level)
        maximum = max(maximum, level)
    }

    /// The figures of the levels; nil without any. The mean replaces a median that isn't known.
    func figures(median: Double?) -> Window.Levels? {
        guard count > 0 else { return nil }
        let mean = Double(sum) / Double(count)
        var deviation: Double?
        if count > 1 {
            let squares = Double(sumOfSquares) - Double(sum) * mean
            deviation = (max(0, squares) / Double(count - 1)).squareRoot()
        }
        return Window.Levels(
            mean: mean, median: median ?? mean, minimum: minimum, maximum: maximum, deviation: deviation)
    }
}
