import Bytes
import Presence
import Support
import Testing

/// A rule that receives a beacon on a clock of its own.
private struct Heard {
    var rule: ExitRule
    var now = ListeningTime.zero
    var random: SeededGenerator

    init(expected: Double? = nil, seed: UInt64 = 1) {
        rule = ExitRule(expectedInterval: expected.map { .microseconds(Int64($0 * 1e6)) })
        random = SeededGenerator(seed: seed)
        rule.recordPacket(after: nil, rssi: -60, listened: now)
    }

    mutating func gap(_ seconds: Double, rssi: Int8? = -60) {
        let gap = Int64(seconds * 1e6)
        now.microseconds += gap
        rule.recordPacket(after: gap, rssi: rssi, listened: now)
    }

    /// Receives gaps of an interval with the standard's delay (Core Vol 6 Part B 4.4.2.2.1), with a share of lost
    /// packets.
    mutating func gaps(_ count: Int, every interval: Double, lost: Double = 0) {
        var gap = 0.0
        var heard = 0
        while heard < count {
            gap += interval + Double.random(in: 0...0.01, using: &random)
            guard Double.random(in: 0..<1, using: &random) >= lost else { continue }
            self.gap(gap, rssi: Int8(-60 + Int.random(in: -4...4, using: &random)))
            gap = 0
            heard += 1
        }
    }

    var seconds: Double { rule.exitAfter.seconds }
}

@Suite struct ExitRuleTests {
    @Test("Wait 30 s for an unknown beacon, or five of its expected intervals")
    func start() {
        #expect(Heard().seconds == 30)
        #expect(Heard(expected: 20).seconds == 100)
        #expect(Heard(expected: 0.1).seconds == 10)
        #expect(Heard(expected: 3600).seconds == 900)
        var slow = Heard()
        slow.gap(60)
        #expect(slow.seconds == 900)
        #expect(!slow.rule.isTooSlow)
    }

    @Test("Learn a slow beacon with a varying level, but not the absences of one that leaves now and then")
    func habits() {
        var swaying = Heard()
        for index in 0..<40 { swaying.gap(31, rssi: index % 2 == 0 ? -60 : -75) }
        #expect((100...400).contains(swaying.seconds), "\(swaying.seconds) s")
        #expect(swaying.rule.isTooSlow)

        var leaving = Heard()
        for _ in 0..<10 {
            leaving.gaps(60, every: 1)
            leaving.gap(120, rssi: -80)
        }
        #expect(leaving.seconds < 30, "\(leaving.seconds) s")

        var irregular = Heard()
        for (index, gap) in [40.0, 70, 110, 60, 35, 90, 50].enumerated() {
            irregular.gap(gap, rssi: index % 2 == 0 ? -85 : -60)
        }
        #expect(irregular.seconds == 30)
    }

    @Test(
        "Derive a beacon's exit time from its interval and its losses, within 10 and 180 s",
        arguments: 1...10 as ClosedRange<UInt64>)
    func learned(_ seed: UInt64) {
        for (interval, range) in [(0.1, 10.0...11), (1, 14...22), (2, 29...45), (5, 74...110), (10, 148...180)] {
            var heard = Heard(seed: seed)
            heard.gaps(1000, every: interval, lost: 0.3)
            #expect(range.contains(heard.seconds), "every \(interval) s, seed \(seed): \(heard.seconds) s")
            #expect(!heard.rule.isTooSlow)
        }
    }

    @Test("Wait longer than 180 s for a beacon that sends too seldom, and report that", arguments: [30.0, 60])
    func tooSlow(_ interval: Double) {
        var heard = Heard()
        heard.gaps(20, every: interval, lost: 0.3)
        #expect(heard.rule.isTooSlow)
        heard.gaps(500, every: interval, lost: 0.3)
        #expect(heard.rule.isTooSlow)
        #expect(abs(heard.seconds - min(900, 15 * interval)) < 10)
    }

    @Test("Wait for a fade after its first occurrence, without counting it as a slow mode")
    func fade() {
        var heard = Heard()
        heard.gaps(100, every: 1)
        #expect(abs(heard.seconds - 10) < 1)
        heard.gap(25)
        heard.gaps(5, every: 1)
        #expect(abs(heard.seconds - 37.5) < 0.1)
    }

    @Test("Wait for a long fade after the third of its kind in a day, and not after one or two")
    func longFade() {
        var heard = Heard()
        heard.gaps(100, every: 1)
        for seconds in [80.0, 60] {
            heard.gap(seconds)
            heard.gaps(3600, every: 1)
            #expect(abs(heard.seconds - 10) < 1)
        }
        heard.gap(100)
        heard.gaps(20, every: 1)
        #expect(abs(heard.seconds - 150) < 0.1)
    }

    @Test(
        "Report each absence of a minute or two a day that ends in the same place",
        arguments: 1...(LongProofs.areRequested ? 3 : 1) as ClosedRange<UInt64>, [1.0, 5])
    func errands(seed: UInt64, interval: Double) {
        var heard = Heard(seed: seed)
        var random = SeededGenerator(seed: seed)
        // In the first minute as well, with little data of the beacon.
        heard.gaps(10, every: interval)
        heard.gap(100)
        for day in 1...6 {
            heard.gaps(Int(.random(in: 28_800...100_000, using: &random) / interval), every: interval, lost: 0.1)
            let (length, exitTime) = (Double.random(in: 90...120, using: &random), heard.seconds)
            #expect(length > exitTime && exitTime <= 15 * interval + 10, "day \(day): \(exitTime) s")
            heard.gap(length)
        }
    }

    @Test("Detect a slow mode at its first gap, and retain it after the beacon is fast again")
    func slowMode() {
        var heard = Heard()
        heard.gaps(100, every: 1)
        heard.gap(30)
        #expect(heard.seconds >= 300)
        heard.gaps(40, every: 30)
        heard.gaps(3000, every: 1)
        #expect(heard.seconds >= 300)
        #expect(heard.rule.isTooSlow)
    }

    @Test("Learn nothing from a silence that began while the level fell, or from one of half an hour")
    func absence() {
        var heard = Heard()
        heard.gaps(100, every: 1)
        for step in 1...15 { heard.gap(1, rssi: Int8(-60 - 2 * step)) }
        heard.gap(100, rssi: -85)
        heard.gaps(20, every: 1)
        #expect(abs(heard.seconds - 10) < 1)
        heard.gap(1800)
        heard.gaps(20, every: 1)
        #expect(abs(heard.seconds - 10) < 1)
        heard.gap(100, rssi: -100)
        heard.gaps(20, every: 1)
        #expect(abs(heard.seconds - 10) < 1)
    }

    @Test("Restore the learned state after a restart, and tolerate an invalid record")
    func record() {
        var heard = Heard()
        heard.gaps(300, every: 10, lost: 0.3)
        let restored = ExitRule(heard.rule.record)
        #expect(restored.exitAfter == heard.rule.exitAfter)
        #expect(restored.record == heard.rule.record)
        let bytes = heard.rule.record.bytes
        #expect(ExitRule.Record(bytes: bytes.span) == heard.rule.record)
        for length in 0..<bytes.count where (bytes.count - length) % 4 != 0 || length < 62 {
            #expect(ExitRule.Record(bytes: bytes.span.extracting(0..<length)) == nil)
        }
        var random = SeededGenerator(seed: 3)
        for _ in 0..<200 {
            let nonsense = [bytes[0]] + (1..<bytes.count).map { _ in UInt8.random(in: 0...255, using: &random) }
            guard let record = ExitRule.Record(bytes: nonsense.span) else {
                Issue.record("a row of the right length isn't read")
                return
            }
            var rule = ExitRule(record)
            for second in 0..<50 as Range<Int64> {
                rule.recordPacket(
                    after: 1_000_000, rssi: -60, listened: ListeningTime(microseconds: second * 1_000_000))
                #expect((ExitRule.shortest...ExitRule.longestOfAll).contains(rule.exitAfter))
            }
        }
    }

    @Test("Bound the exit time for any gaps at any levels")
    func hostile() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<50 {
            var rule = ExitRule()
            for _ in 0..<500 {
                let exponent = Int.random(in: 0...62, using: &random)
                let gap = Int64.random(in: -(1 << exponent)...(1 << exponent), using: &random)
                let rssi = Bool.random(using: &random) ? nil : Int8.random(in: .min ... .max, using: &random)
                let listened = ListeningTime(microseconds: .random(in: .min ... .max, using: &random))
                rule.recordPacket(after: gap, rssi: rssi, listened: listened)
                #expect((ExitRule.shortest...ExitRule.longestOfAll).contains(rule.exitAfter))
            }
        }
    }
}
