import WireProtocol
import Support
import Testing

@Suite struct CadenceTests {
    /// The last window's `expected` of a beacon received at these times, in windows of `length` seconds.
    private func expected(_ times: [Double], length: Double = 1) -> Double? {
        var ear = Ear(length: length)
        for time in times { ear.hear(time) }
        ear.close()
        return ear.windows.last?.expected
    }

    @Test("Estimate 1 Hz for a tag at 1 Hz of which every third packet is lost")
    func lossy() throws {
        for seed in 1...20 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            var times: [Double] = []
            for second in 0..<60 where Double.random(in: 0..<1, using: &random) > 0.3 {
                times.append(Double(second) + Double.random(in: 0...0.01, using: &random))
            }
            let value = try #require(expected(times))
            #expect(abs(value - 1) < 0.03, "seed \(seed)")
        }
    }

    @Test("Expect ten reports a second of a beacon that sends every 100 ms")
    func fast() throws {
        let value = try #require(expected((0..<200).map { Double($0) * 0.1025 }))
        #expect(abs(value - 9.76) < 0.3)
        let slow = try #require(expected((0..<20).map { Double($0) * 5 }, length: 10))
        #expect(slow == 2)
    }

    @Test("Expect no number of reports before the cadence is known")
    func tooFew() {
        #expect(expected((0..<8).map { Double($0) }) == nil)
        #expect(expected((0..<9).map { Double($0) }) == 1)
        #expect(expected([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]) == nil)
    }

    @Test("Count an advertisement on three channels, or with its scan response, once")
    func channels() {
        let times = (0..<80).map { [0, 0.0007, 0.0014, 0.005][$0 % 4] + Double($0 / 4) } as [Double]
        #expect(expected(times) == 1)
    }

    @Test("Learn a change of mode within seconds, and nothing from an hour's absence")
    func change() throws {
        let fast = (0..<20).map { 100 + Double($0) * 0.2 }
        #expect(try abs(#require(expected((0..<30).map { Double($0) } + fast)) - 5) < 0.1)
        let back = (0..<10).map { 3700 + Double($0) }
        #expect(try abs(#require(expected((0..<30).map { Double($0) } + back)) - 1) < 0.01)
    }

    @Test("Expect a plausible number after packets out of order")
    func disorder() throws {
        var random = SeededGenerator(seed: 4)
        var times: [Double] = []
        for number in 0..<300 { times.append(1000 + Double(number) / 10 + .random(in: -0.2...0.2, using: &random)) }
        let value = try #require(expected(times))
        #expect(value > 0 && value <= 1 / 0.015)
    }
}
