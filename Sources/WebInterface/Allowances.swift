internal import Bytes

/// The rates of requests of single viewers.
struct Allowances {
    private let bound: Int, burst: Int, interval: Duration
    private var buckets: [String: (bucket: TokenBucket<MonotonicTime>, last: MonotonicTime)] = [:]

    var count: Int { buckets.count }

    /// Rates of so many viewers, each with a burst and a number of requests a second after it.
    init(bound: Int, burst: Int, perSecond: Int) {
        self.bound = bound
        self.burst = burst
        interval = .seconds(1) / perSecond
    }

    /// Counts a request; false if a viewer asks too often.
    mutating func take(_ viewer: String, at now: MonotonicTime) -> Bool {
        if buckets[viewer] == nil, buckets.count >= bound,
            let oldest = buckets.min(by: { $0.value.last < $1.value.last })
        {
            buckets[oldest.key] = nil
        }
        var bucket = buckets[viewer]?.bucket ?? TokenBucket(burst: burst, interval: interval)
        defer { buckets[viewer] = (bucket, now) }
        return bucket.take(at: now)
    }
}
