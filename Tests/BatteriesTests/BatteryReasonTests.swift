import Bytes
import Testing
import WireProtocol

@testable import Batteries

/// One battery, with a reading each half an hour.
private struct Watched {
    static let begin = Timestamp(microseconds: 1_700_006_400_000_000)
    var history = BatteryHistory()
    var cell = BatteryCell.cr2032
    var day = 0.0
    var interval = 1.0

    var now: Timestamp { Self.begin.advanced(bySeconds: day * 86_400) }

    mutating func pass(_ days: Double, _ reading: (Double) -> BatteryReading?) {
        for _ in 0..<Int(days * 48) {
            _ = history.hear(from: "hall", level: -60, interval: interval, at: now)
            if let reading = reading(day) { _ = history.record(reading, at: now, cell: cell) }
            day += 1.0 / 48
        }
    }

    func estimate(listeningSince start: Timestamp = begin) -> BatteryEstimate {
        BatteryEstimate(history, cell: cell, at: now, listening: start...max(start, now))
    }
}

private func volts(_ millivolts: Double, at celsius: Double? = nil) -> BatteryReading {
    BatteryReading(millivolts: (millivolts / 10).rounded() * 10, celsius: celsius)
}

@Suite("Reasons to change a battery")
struct BatteryReasonTests {
    @Test("An item that says nothing of its battery is unknown")
    func noReadings() {
        var tag = Watched()
        tag.pass(10) { _ in nil }
        #expect(tag.estimate().grade == .unknown && tag.estimate().reason == .noReadings)
    }

    @Test("The first reading is judged by its level, and a good one is of a trend not known yet")
    func first() {
        var tag = Watched()
        tag.pass(1.0 / 24) { _ in volts(2950) }
        #expect(tag.estimate().grade == .fine && tag.estimate().reason == .new)
        var low = Watched()
        low.pass(1.0 / 24) { _ in volts(2450) }
        #expect(low.estimate().grade == .thisWeek && low.estimate().reason == .low)
        var empty = Watched()
        empty.pass(1.0 / 24) { _ in volts(2100) }
        #expect(empty.estimate().grade == .changeNow && empty.estimate().reason == .empty)
    }

    @Test("A battery that keeps its level is fine")
    func steady() {
        var tag = Watched()
        tag.pass(30) { _ in volts(2950) }
        #expect(tag.estimate().grade == .fine && tag.estimate().reason == .steady && tag.estimate().trend == nil)
    }

    @Test("A level that falls fast is of the month in which it ends, with a range around the days")
    func falling() throws {
        var tag = Watched()
        tag.pass(20) { day in volts(2900 - day * 9) }
        let estimate = tag.estimate()
        #expect(estimate.grade == .thisMonth && estimate.reason == .falling)
        let trend = try #require(estimate.trend)
        #expect(trend.low <= trend.days && trend.days <= trend.high && trend.low > 0)
    }

    @Test("A low flag of the transmitter itself counts")
    func saidLow() {
        var tag = Watched()
        tag.pass(10) { _ in BatteryReading(millivolts: nil, isLow: true) }
        #expect(tag.estimate().grade == .thisWeek && tag.estimate().reason == .low)
        tag.pass(1) { _ in BatteryReading(millivolts: nil, isLow: false) }
        #expect(tag.estimate().grade == .unknown)
    }

    @Test("Per cent are judged where there is no voltage")
    func percent() {
        for (percent, grade) in [(80.0, BatteryReport.Grade.fine), (18, .thisMonth), (8, .thisWeek), (2, .changeNow)] {
            var tag = Watched()
            tag.pass(2) { _ in BatteryReading(millivolts: nil, percent: percent) }
            #expect(tag.estimate().grade == grade && tag.estimate().cell == .percent)
        }
    }

    @Test("A voltage of no cell of 3 V is not judged")
    func otherCell() {
        var tag = Watched()
        tag.pass(10) { _ in volts(4100) }
        #expect(tag.estimate().grade == .unknown && tag.estimate().reason == .otherCell)
    }

    @Test("Silence for a day after a low level is a reason, after a good one none, and none while no node listened")
    func silent() {
        var tag = Watched()
        tag.pass(10) { _ in volts(2650) }
        let last = tag.now
        #expect(tag.estimate().grade == .thisMonth)
        tag.day += 1.1
        let estimate = tag.estimate()
        #expect(estimate.grade == .changeNow && estimate.reason == .silent)
        #expect(estimate.silentSince.map { last.seconds(since: $0) <= 1800 } == true)
        #expect(tag.estimate(listeningSince: tag.now).grade == .thisMonth)
        var good = Watched()
        good.pass(10) { _ in volts(2950) }
        good.day += 5
        #expect(good.estimate().grade == .fine)
    }

    @Test("A reading of more than a month ago tells nothing")
    func stale() {
        var tag = Watched()
        tag.pass(10) { _ in volts(2950) }
        tag.day += 40
        #expect(tag.estimate().grade == .unknown && tag.estimate().reason == .stale)
    }

    @Test("A slower cadence raises a grade by one step, and never to the first")
    func slower() {
        var tag = Watched()
        tag.pass(12) { _ in volts(2650) }
        #expect(tag.estimate().grade == .thisMonth)
        tag.interval = 2
        tag.pass(4) { _ in volts(2650) }
        #expect(tag.estimate().grade == .thisWeek && tag.estimate().reason == .slower)
        var good = Watched()
        good.pass(12) { _ in volts(2980) }
        good.interval = 3
        good.pass(6) { _ in volts(2980) }
        #expect(good.estimate().grade == .fine, "with a good battery it is a setting")
        var mute = Watched()
        mute.pass(12) { _ in nil }
        mute.interval = 3
        mute.pass(6) { _ in nil }
        #expect(mute.estimate().grade == .thisMonth && mute.estimate().reason == .slower)
    }

    @Test("Interruptions beside a node that hears well are a sign as well")
    func interrupted() {
        var history = BatteryHistory()
        for minute in 0..<(16 * 1440) {
            let time = Watched.begin.advanced(bySeconds: Double(minute) * 60)
            // From the twelfth day on it is away for ten minutes of each hour.
            if minute >= 12 * 1440, minute % 60 < 10 { continue }
            _ = history.hear(from: "hall", level: -60, interval: 1, at: time)
            _ = history.record(volts(2650), at: time, cell: .cr2032)
        }
        #expect(history.isSlower)
    }

    @Test("A week of cold nights is no trend where the item sends its temperature, and no end where it does not")
    func cold() {
        for sendsTemperature in [true, false] {
            var tag = Watched()
            tag.pass(20) { day in
                let celsius =
                    day > 10 ? -5.0 + 8 * Mathematics.sin(day * 2 * .pi) : 20 + 3 * Mathematics.sin(day * 2 * .pi)
                return volts(2900 - (20 - celsius) * 4, at: sendsTemperature ? celsius : nil)
            }
            let estimate = tag.estimate()
            #expect(estimate.grade >= .thisMonth)
            if sendsTemperature { #expect(estimate.grade == .fine && (estimate.level ?? 0) > 2860) }
        }
    }

    @Test("A new battery begins a new history within the hour")
    func replaced() {
        var tag = Watched()
        tag.pass(20) { day in volts(2560 - day * 16) }
        #expect(tag.estimate().grade <= .thisWeek)
        tag.pass(2.0 / 24) { _ in volts(3000) }
        #expect(tag.estimate().grade == .fine && tag.estimate().reason == .new)
        #expect(tag.history.days.isEmpty && tag.history.since.map { tag.now.seconds(since: $0) <= 2 * 3600 } == true)
    }

    @Test("One strange reading is no new battery, and no end")
    func spike() {
        var tag = Watched()
        tag.pass(10) { _ in volts(2700) }
        _ = tag.history.record(volts(3100), at: tag.now, cell: .cr2032)
        tag.pass(1) { _ in volts(2700) }
        _ = tag.history.record(volts(1500), at: tag.now, cell: .cr2032)
        tag.pass(1) { _ in volts(2700) }
        #expect(tag.history.levels.count >= 11 && tag.estimate().level.map { abs($0 - 2700) < 15 } == true)
    }

    @Test("Two alkaline cells end lower than a coin cell")
    func cells() {
        var tag = Watched(cell: BatteryCell(tags: ["battery-2xaa", "garden"]))
        tag.pass(2) { _ in volts(2480) }
        #expect(tag.estimate().grade == .fine && tag.estimate().cell == .twoAlkaline)
        #expect(BatteryCell(tags: ["garden"]) == .cr2032 && BatteryCell(tags: ["battery-percent"]) == .cr2032)
    }

    @Test("A history comes back from its text, and a broken text is none")
    func text() throws {
        var tag = Watched()
        tag.pass(15.3) { day in volts(2700 - day * 8, at: 18) }
        let text = tag.history.text
        let again = try #require(BatteryHistory(text: text))
        #expect(
            again.days
                == tag.history.days.map { day in
                    var day = day
                    day.level = day.level?.rounded()
                    return day
                })
        let estimate = BatteryEstimate(again, cell: .cr2032, at: tag.now, listening: Watched.begin...tag.now)
        #expect(estimate.grade == tag.estimate().grade && estimate.reason == tag.estimate().reason)
        #expect(again.text.split(separator: ";").count == text.split(separator: ";").count)
        for length in 0..<text.utf8.count {
            _ = BatteryHistory(text: String(decoding: text.utf8.prefix(length), as: UTF8.self))
        }
        #expect(BatteryHistory(text: "") == nil && BatteryHistory(text: "2 mv;") == nil)
    }

    @Test("A history is bounded, and adopts the days of another fuser where it has none")
    func bounds() {
        var tag = Watched()
        tag.pass(200) { _ in volts(2900) }
        #expect(
            tag.history.days.count == BatteryHistory.dayBound
                && tag.history.dailyLevels.levels.count == BatteryHistory.dayBound)
        var new = BatteryHistory()
        _ = new.record(volts(2890), at: tag.now, cell: .cr2032)
        let (until, levels) = tag.history.dailyLevels
        new.adopt(levels: levels, until: until ?? tag.now, since: nil, isPercent: false)
        #expect(new.days.count == BatteryHistory.dayBound)
        new.adopt(levels: [1], until: tag.now, since: nil, isPercent: false)
        #expect(new.days.count == BatteryHistory.dayBound)
        var other = BatteryHistory()
        other.adopt(levels: [2900, 0, 2880], until: Watched.begin, since: nil, isPercent: false)
        #expect(other.days.map(\.level) == [2900, 2880])
        tag.history.forget(before: tag.now.advanced(by: .days(-3)))
        #expect(tag.history.days.count <= 3)
    }
}
