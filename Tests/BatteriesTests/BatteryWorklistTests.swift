import Bytes
import Support
import Testing
import WireProtocol

@testable import Batteries

/// Fifty tags over ninety days, with cold nights, a winter, new batteries and owners who travel.
@Suite("Worklist of batteries: fifty tags over ninety days")
struct BatteryWorklistTests {
    private static let days = 90
    private static let seeds: ClosedRange<UInt64> = 1...(LongProofs.areRequested ? 3 : 2)

    /// A tag's history, and the grade of each day at noon.
    private struct Run {
        var battery: WornBattery
        var grades: [BatteryReport.Grade?] = []
        var reasons: [BatteryReport.Reason?] = []
        var ranges: [(day: Int, low: Double, days: Double, high: Double)] = []
        var away: Range<Int>
    }

    private static func number(_ dice: inout SeededGenerator, _ range: ClosedRange<Double>) -> Double {
        Double.random(in: range, using: &dice)
    }

    private static func battery(_ index: Int, _ dice: inout SeededGenerator) -> WornBattery {
        let life = number(&dice, 60...900)
        // Two of five end within the ninety days, the others later.
        let left = index % 5 < 2 ? number(&dice, 25...88) : number(&dice, 130...700)
        return WornBattery(
            kind: index % 7 == 6 ? .twoAlkaline : .coin, life: life, age: life - min(left, life),
            isOutdoors: index % 3 == 0, hasThermometer: index % 4 != 3, offset: number(&dice, -25...25),
            bend: number(&dice, 0.8...2), failure: number(&dice, 1950...2150),
            replacedOn: index % 10 == 9 ? number(&dice, 30...60) : nil)
    }

    private static func run(_ index: Int, _ dice: inout SeededGenerator) -> Run {
        let battery = battery(index, &dice)
        let away = index % 8 == 5 ? 40..<52 : 0..<0
        var run = Run(battery: battery, away: away)
        var history = BatteryHistory()
        let cell: BatteryCell = battery.kind == .coin ? .cr2032 : .twoAlkaline
        for step in 0..<(days * 48) {
            let day = Double(step) / 48
            let time = Timestamp(microseconds: 1_700_006_400_000_000).advanced(bySeconds: day * 86_400)
            if !away.contains(Int(day)), let millivolts = battery.millivolts(at: day) {
                let noisy = millivolts + number(&dice, -8...8)
                let reading = BatteryReading(
                    millivolts: (noisy / 10).rounded() * 10,
                    celsius: battery.hasThermometer ? battery.celsius(at: day) + number(&dice, -0.5...0.5) : nil)
                _ = history.hear(from: "hall", level: -70, interval: 1, at: time)
                _ = history.record(reading, at: time, cell: cell)
            }
            guard step % 48 == 24 else { continue }
            let start = Timestamp(microseconds: 1_700_006_400_000_000)
            let estimate = BatteryEstimate(history, cell: cell, at: time, listening: start...time)
            run.grades.append(estimate.grade)
            run.reasons.append(estimate.reason)
            if let trend = estimate.trend { run.ranges.append((Int(day), trend.low, trend.days, trend.high)) }
        }
        return run
    }

    /// The figures of several runs.
    private struct Figures {
        var days = 0, ended = 0, found = 0, foundEarlier = 0
        var urgentDays = 0, early = 0
        /// Tags with an alarm that came more than four weeks too early, and with one since their owner travelled.
        var falseTags = 0, travellers = 0
        var ranges = 0, inRange = 0
        var missed: [String] = []

        mutating func add(_ run: Run, _ name: String) {
            let battery = run.battery
            // The end of the battery that is in the tag on a day.
            func end(on day: Int) -> Double? {
                var limit = 1000.0
                if let replaced = battery.replacedOn, Double(day) < replaced { limit = replaced - Double(day) }
                return battery.end(after: Double(day), within: limit)
            }
            func isDue(_ day: Int, _ grade: BatteryReport.Grade) -> Bool {
                run.grades[day].map { $0 <= grade } ?? false
            }
            if let last = end(on: 0).map({ Int($0) }), last < days(of: run) {
                ended += 1
                if (max(0, last - 7)..<max(1, last)).contains(where: { isDue($0, .thisWeek) }) {
                    found += 1
                } else {
                    missed.append(name)
                }
                if (max(0, last - 21)..<max(1, last - 7)).contains(where: { isDue($0, .thisMonth) }) {
                    foundEarlier += 1
                }
            }
            var (isFalse, isTraveller) = (false, false)
            for day in 0..<days(of: run) where battery.millivolts(at: Double(day)) != nil {
                days += 1
                guard isDue(day, .thisWeek) else { continue }
                urgentDays += 1
                guard end(on: day).map({ $0 - Double(day) }) ?? .infinity > 28 else { continue }
                early += 1
                if run.reasons[day] == .silent { isTraveller = true } else { isFalse = true }
            }
            if isFalse { falseTags += 1 } else if isTraveller { travellers += 1 }
            for range in run.ranges where range.days <= 60 && battery.replacedOn == nil {
                guard let end = end(on: range.day) else { continue }
                ranges += 1
                if range.low...range.high ~= end - Double(range.day) { inRange += 1 }
            }
        }

        private func days(of run: Run) -> Int { run.grades.count }
    }

    @Test("Find nine of ten batteries in the week before their end, with few false alarms")
    func worklist() {
        var figures = Figures()
        for seed in Self.seeds {
            var dice = SeededGenerator(seed: seed)
            for index in 0..<50 { figures.add(Self.run(index, &dice), "\(seed)/\(index)") }
        }
        print(
            """
            seeds \(Self.seeds): 50 tags each, \(Self.days) days; \(figures.days) days of tags that worked
            batteries that ended                 \(figures.ended)
            found in the week before             \(figures.found), not \(figures.missed)
            'this month' one to three weeks before \(figures.foundEarlier)
            days with 'this week' or 'now'       \(figures.urgentDays), more than four weeks too early \(figures.early)
            tags with such a false alarm         \(figures.falseTags); since they travelled with a low battery \(figures.travellers)
            end within the told range            \(figures.inRange) of \(figures.ranges)
            """)
        #expect(figures.ended * 3 >= 40 * Self.seeds.count)
        #expect(figures.found * 10 >= figures.ended * 9)
        #expect(figures.falseTags * 33 <= 50 * Self.seeds.count)
        #expect(figures.travellers * 20 <= 50 * Self.seeds.count)
        #expect(figures.inRange * 3 >= figures.ranges * 2)
    }
}
