/// The limit on outgoing messages: a number a second, a tenth of which may go at once.
struct Pace {
    /// The length in seconds of the burst that may go at once.
    static let burst = 0.1
    /// Seconds between checks for permission to send.
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

    /// Returns true if a message may be sent now, and counts it.
    mutating func take(at now: MonotonicTime) -> Bool {
        let seconds = Double(now.nanoseconds - filled.nanoseconds) / 1e9
        filled = now
        tokens = min(tokens + seconds * Double(rate), max(1, Double(rate) * Self.burst))
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }
}
