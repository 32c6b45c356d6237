internal import Bytes

/// Clocks that seem to be far off, until they have shown it in three identifiers on end, each in its own time: an old frame
/// that somebody sends again stays the same. Of identifiers that change fast some are left out between.
struct ClockSuspicions: Sendable {
    /// How many identifiers on end a clock that is off must have shown.
    static let confirmations = 3
    /// Seconds between two identifiers that are on end all the same.
    static let together: Int64 = 60

    private var suspicions: [Int: (counter: UInt32, count: Int, at: Timestamp)] = [:]

    /// Forgets what was suspected of a beacon, which was heard as expected.
    mutating func clear(_ place: Int) { suspicions[place] = nil }

    /// Notes an identifier by the begin of its time slot; whether it is the last that was needed.
    mutating func confirm(_ place: Int, counter: UInt32, period: Int64, at time: Timestamp) -> Bool {
        let before = suspicions[place]
        // The same identifier again proves nothing new.
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
