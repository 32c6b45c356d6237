import Bytes
import Testing

@Suite struct TimestampTests {
    private let ends = [Timestamp(microseconds: .min), Timestamp(microseconds: .max)]

    @Test("Begin intervals at the multiple before a moment, before 1970 too")
    func floor() {
        let floor = { (time: Int64, length: Int64) in
            Timestamp(microseconds: time).floor(toMultipleOf: length).microseconds
        }
        #expect(floor(2_999_999, 1_000_000) == 2_000_000)
        #expect(floor(3_000_000, 1_000_000) == 3_000_000)
        #expect(floor(-1, 1_000_000) == -1_000_000)
        #expect(floor(-1_000_000, 1_000_000) == -1_000_000)
        #expect(floor(-1_000_001, 1_000_000) == -2_000_000)
        #expect(floor(0, 7) == 0)
        #expect(floor(.max, .max) == .max)
    }

    @Test("Stop a clock at the end of the representable range instead of ending the program")
    func overflow() {
        for end in ends {
            _ = end.floor(toMultipleOf: 1_000_000)
            #expect(end.advanced(byMicroseconds: 1) >= end.advanced(byMicroseconds: -1))
            #expect(end.advanced(bySeconds: 1e300).microseconds == .max)
            #expect(end.advanced(bySeconds: -.infinity).microseconds == .min)
            #expect(end.advanced(bySeconds: .nan) == end)
        }
        #expect(ends[1].microseconds(since: ends[0]) == .max)
        #expect(ends[0].microseconds(since: ends[1]) == .min)
        #expect(ends[0].seconds(since: ends[1]) < 0)
        #expect(Timestamp(microseconds: 0).advanced(bySeconds: 9.3e12).microseconds == .max)
    }

    @Test("Convert seconds from the wire to a moment only in a plausible range")
    func seconds() {
        #expect(Timestamp(seconds: 1763715138.123)?.microseconds == 1_763_715_138_123_000)
        #expect(Timestamp(seconds: -0.5)?.microseconds == -500_000)
        for seconds in [Double.nan, .infinity, -.infinity, 1e308, -1e13, 3.2e12] {
            #expect(Timestamp(seconds: seconds) == nil)
        }
        #expect(Timestamp(microseconds: 1_500_000).seconds == 1.5)
        #expect(Timestamp(microseconds: 0).advanced(bySeconds: -1.5).microseconds == -1_500_000)
    }
}
