/// How fast messages go out: at most so many a second, and a tenth of that at once.
struct Pace {
    /// Seconds that a burst of what is allowed in them may fill.
    static let burst = 0.1
    /// Seconds after which it is looked again whether one may go.
    static let pause = 0.01

    /// Messages a second.
    let rate: Int
    private var tokens: Double
    private var filled: MonotonicTime

    init(rate: Int, at now: MonotonicTime) {
        self.rate = rate
        tokens = Double(rate) * Self.burst
        filled = now
    }

    /// Whether a message may go now.
    mutating func take(at now: MonotonicTime) -> Bool {
        let seconds = Double(now.nanoseconds - filled.nanoseconds) / 1e9
        filled = now
        tokens = min(tokens + seconds * Double(rate), max(1, Double(rate) * Self.burst))
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }
}
