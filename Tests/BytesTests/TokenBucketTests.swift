import Bytes
import Testing

@Suite struct TokenBucketTests {
    @Test("Grant a burst, then one token an interval, and the whole burst after a pause")
    func burst() {
        var bucket = TokenBucket(burst: 5, interval: 4)
        let first = (0..<6).map { _ in bucket.take(at: 1) }
        #expect(first == [true, true, true, true, true, false])
        #expect(bucket.nextChance(from: 1) == 5 && bucket.nextChance(from: 7) == 7)
        let next = (0..<2).map { _ in bucket.take(at: 5) }
        #expect(next == [true, false])
        let later = (0..<6).map { _ in bucket.take(at: 100) }
        #expect(later == first)
    }

    @Test("Never grant more than the burst and the refill of any period, and all of it to a flood")
    func flood() {
        for (burst, interval) in [(1, 10), (5, 80), (100, 1)] as [(Int, Int64)] {
            var bucket = TokenBucket(burst: burst, interval: interval)
            var taken: [Int64] = []
            for now in Int64(0)..<2000 { for _ in 0...burst where bucket.take(at: now) { taken.append(now) } }
            for first in taken.indices {
                let many = taken[first...].prefix { $0 < taken[first] + 500 }.count
                #expect(many <= burst + Int(500 / interval))
            }
            #expect(taken.count == burst + Int(1999 / interval))
        }
    }

    @Test("Move with the clock, and do not trap at the ends of time")
    func clock() {
        var bucket = TokenBucket(burst: 1, interval: 10)
        bucket.clockStepped(by: -50)
        let before = [100, 109].map { bucket.take(at: $0) }
        bucket.clockStepped(by: -50)
        let after = [59, 60].map { bucket.take(at: $0) }
        #expect(before == [true, false] && after == [false, true])
        for now in [Int64.max, .min, 0] { _ = bucket.take(at: now) }
        bucket.clockStepped(by: .min)
        bucket.clockStepped(by: .max)
        #expect(bucket.nextChance(from: .max) == .max)
    }
}
