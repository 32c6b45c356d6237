/// The dependence of a battery's voltage on its temperature, learned from the hours of single days: within a day the
/// discharge is small, and the temperature is not.
struct BatteryTemperature: Sendable {
    /// The temperature to which levels are corrected, in degrees Celsius.
    static let normal = 20.0
    /// Millivolts a degree before anything was learned …
    private static let expected = 1.5
    /// … and the weight of that, in squared degrees.
    private static let weight = 100.0
    /// The most millivolts a degree.
    private static let most = 8.0
    /// The share of what was learned that is left after a day.
    private static let memory = 0.97

    /// The sums of products and of squares of the deviations within days.
    private(set) var product = 0.0
    private(set) var square = 0.0
    /// The hours of the running day: their number, means and sums.
    private var day = (count: 0.0, celsius: 0.0, level: 0.0, product: 0.0, square: 0.0)

    /// Nothing learned, or the sums of an earlier run.
    init(product: Double = 0, square: Double = 0) {
        if product.isFinite, square.isFinite, square >= 0 { (self.product, self.square) = (product, square) }
    }

    /// Millivolts a degree.
    var coefficient: Double {
        let learned =
            (product + day.product + Self.expected * Self.weight) / (square + day.square + Self.weight)
        return min(max(learned, 0), Self.most)
    }

    /// A level as it would be at the normal temperature.
    func corrected(_ level: Double, at celsius: Double?) -> Double {
        celsius.map { level + coefficient * (Self.normal - $0) } ?? level
    }

    /// Learns from the mean level and temperature of an hour.
    mutating func addHour(_ level: Double, at celsius: Double) {
        day.count += 1
        let offset = celsius - day.celsius
        day.celsius += offset / day.count
        day.level += (level - day.level) / day.count
        day.product += offset * (level - day.level)
        day.square += offset * (celsius - day.celsius)
    }

    /// Ends a day.
    mutating func endDay() {
        product = product * Self.memory + day.product
        square = square * Self.memory + day.square
        day = (0, 0, 0, 0, 0)
    }
}
