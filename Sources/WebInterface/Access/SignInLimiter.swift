internal import Bytes

/// The waiting time of addresses from which wrong tokens came: it doubles with each.
struct SignInLimiter {
    private struct Record {
        var failures: Int
        var last: MonotonicTime
        var until: MonotonicTime
    }

    /// The most addresses that are remembered; of more the one that failed first is forgotten.
    static let bound = 1024
    /// The longest waiting time.
    static let longest: Duration = .seconds(16)
    /// The time after which failures are forgotten.
    static let memory: Duration = .seconds(600)

    private var records: [String: Record] = [:]

    var count: Int { records.count }

    /// The time that an address must still wait before its next attempt.
    func waitingTime(of address: String, at now: MonotonicTime) -> Duration {
        records[address].map { max(.zero, $0.until - now) } ?? .zero
    }

    /// Records a wrong token. Returns the time after which the address may try again.
    mutating func recordFailure(of address: String, at now: MonotonicTime) -> Duration {
        records = records.filter { now - $0.value.last < Self.memory }
        if records[address] == nil, records.count >= Self.bound,
            let first = records.min(by: { $0.value.last < $1.value.last })
        {
            records[first.key] = nil
        }
        let failures = (records[address]?.failures ?? 0) + 1
        let wait = min(Self.longest, .seconds(1) * (1 << min(failures - 1, 10)))
        records[address] = Record(failures: failures, last: now, until: now + wait)
        return wait
    }

    /// Records a right token.
    mutating func recordSuccess(of address: String) { records[address] = nil }
}
