import Bytes
import Support
import Testing

@Suite struct TokenBucketTests {
    @Test("Grant a burst, then one token an interval, and the whole burst after a pause")
    func burst() {
        var bucket = TokenBucket<MonotonicTime>(burst: 5, interval: .seconds(4))
        let first = (0..<6).map { _ in bucket.take(at: .second(1)) }
        #expect(first == [true, true, true, true, true, false])
        #expect(bucket.nextChance(from: .second(1)) == .second(5))
        #expect(bucket.nextChance(from: .second(7)) == .second(7))
        let next = (0..<2).map { _ in bucket.take(at: .second(5)) }
        #expect(next == [true, false])
        let later = (0..<6).map { _ in bucket.take(at: .second(100)) }
        #expect(later == first)
    }

    @Test("Never grant more than the burst and the refill of any period, and all of it to a flood")
    func flood() {
        for (burst, interval) in [(1, 10), (5, 80), (100, 1)] as [(Int, Int)] {
            var bucket = TokenBucket<MonotonicTime>(burst: burst, interval: .seconds(interval))
            var taken: [Int] = []
            for now in 0..<2000 {
                for _ in 0...burst where bucket.take(at: .second(now)) { taken.append(now) }
            }
            for first in taken.indices {
                let many = taken[first...].prefix { $0 < taken[first] + 500 }.count
                #expect(many <= burst + 500 / interval)
            }
            #expect(taken.count == burst + 1999 / interval)
        }
    }

    @Test("Move with the clock, and do not trap at the ends of time")
    func clock() {
        var bucket = TokenBucket<MonotonicTime>(burst: 1, interval: .seconds(10))
        bucket.clockStepped(by: .seconds(-50))
        let before = [100, 109].map { bucket.take(at: .second($0)) }
        bucket.clockStepped(by: .seconds(-50))
        let after = [59, 60].map { bucket.take(at: .second($0)) }
        #expect(before == [true, false] && after == [false, true])
        for now in [MonotonicTime.distantFuture, .distantPast, .start] { _ = bucket.take(at: now) }
        bucket.clockStepped(by: .seconds(Int64.min))
        bucket.clockStepped(by: .seconds(Int64.max))
        #expect(bucket.nextChance(from: .distantFuture) == .distantFuture)
    }
}
