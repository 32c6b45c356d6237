internal import Bytes

/// Clocks that seem to be far off. Each is confirmed by three consecutive identifiers, each in its own time slot: a
/// replayed old frame doesn't change. Of identifiers that change fast, some in between are left out.
struct ClockSuspicions: Sendable {
    /// The number of consecutive identifiers that confirm a clock.
    static let confirmations = 3
    /// The distance in seconds up to which two identifiers count as consecutive, also if the period is shorter.
    static let together: Int64 = 60

    private var suspicions: [Int: (counter: UInt32, count: Int, at: Timestamp)] = [:]

    /// Removes the suspicion of a beacon that was received as expected.
    mutating func clear(_ place: Int) { suspicions[place] = nil }

    /// Records an identifier by the beginning of its time slot. Returns true if it confirms the clock.
    mutating func confirm(_ place: Int, counter: UInt32, period: Int64, at time: Timestamp) -> Bool {
        let before = suspicions[place]
        // A repetition of an identifier proves nothing.
        if let before, before.counter == counter { return false }
        let isNext =
            before.map { before in
                let passed = Int64(counter &- before.counter)
                return (1...max(period, Self.together)).contains(passed)
                    && abs(passed - time.microseconds(since: before.at) / 1_000_000) <= period
            } ?? false
        let count = isNext ? (before?.count ?? 0) + 1 : 1
        suspicions[place] = count >= Self.confirmations ? nil : (counter, count, time)
        return count >= Self.confirmations
    }
}
