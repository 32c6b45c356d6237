import Bytes
import Support
import Testing

@Suite struct MonotonicTimeTests {
    @Test("Move by durations, and give the time between two moments")
    func differences() {
        let time = MonotonicTime.second(5)
        #expect(time + .milliseconds(1500) == .second(6.5) && time - .seconds(6) == .second(-1))
        #expect(
            MonotonicTime.second(8) - time == .seconds(3) && MonotonicTime.second(8).duration(to: time) == .seconds(-3))
        #expect(MonotonicTime.distantPast < .start && .start < time && time < .distantFuture)
        #expect((time + .nanoseconds(1)).nanoseconds == 5_000_000_001)
    }

    @Test("Stop at the ends of what can be represented")
    func ends() {
        let (past, future) = (MonotonicTime.distantPast, MonotonicTime.distantFuture)
        #expect(future + .nanoseconds(1) == future && past - .nanoseconds(1) == past)
        #expect(MonotonicTime.start + .seconds(Int64.max) == future && .start + .seconds(Int64.min) == past)
        #expect(future - past == .nanoseconds(Int64.max) - .nanoseconds(Int64.min))
        let times = [Timestamp(microseconds: .min), Timestamp(microseconds: .max)]
        #expect(
            times[1].advanced(by: .microseconds(1)) == times[1] && times[0].advanced(by: .microseconds(-1)) == times[0])
        #expect(times[0].advanced(by: times[1].duration(since: times[0])) == Timestamp(microseconds: -1))
    }

    @Test("Give a duration in whole units, truncated, and in seconds")
    func units() {
        let duration = Duration.nanoseconds(1_999_999_999)
        #expect(
            duration.milliseconds == 1999 && duration.microseconds == 1_999_999 && duration.seconds == 1.999_999_999)
        #expect((-duration).milliseconds == -1999 && (-duration).magnitude == duration && (-duration).seconds < -1.9)
        #expect(Duration.seconds(Int64.max).nanoseconds == .max && Duration.seconds(Int64.min).microseconds == .min)
        #expect(Duration.seconds(9_223_372_036).nanoseconds == 9_223_372_036_000_000_000)
        #expect(Duration.milliseconds(9_223_372_036_900).nanoseconds == .max)
        #expect(Duration.microseconds(5_300_000).seconds == 5.3 && Duration.days(365_000).seconds == 31_536_000_000)
        #expect(Duration.days(1) == .hours(24) && Duration.hours(1) == .minutes(60))
    }

    @Test("Find the multiple of a duration at or before a moment")
    func multiples() {
        #expect(Timestamp(microseconds: -1).floor(toMultipleOf: .seconds(1)) == Timestamp(microseconds: -1_000_000))
        #expect(
            Timestamp(microseconds: 2_500_000).floor(toMultipleOf: .seconds(1)) == Timestamp(microseconds: 2_000_000))
    }
}
