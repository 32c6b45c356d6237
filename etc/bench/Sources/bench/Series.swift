/// What was measured again and again.
struct Series {
    private(set) var values: [Double] = []

    mutating func add(_ value: Double) { values.append(value) }

    var least: Double { values.min() ?? .nan }
    var most: Double { values.max() ?? .nan }

    var median: Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return .nan }
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    /// This series over another, pair by pair.
    func over(_ other: Series) -> Series {
        var ratios = Series()
        for (own, its) in zip(values, other.values) { ratios.add(own / its) }
        return ratios
    }
}
