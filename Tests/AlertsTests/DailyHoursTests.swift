import Alerts
import Bytes
import Support
import Testing

@Suite struct DailyHoursTests {
    /// Central European time: clocks are set forward on the last Sunday of March at 02:00, back in October at 03:00.
    static let vienna = TimeZoneRules(
        offset: 3600, changes: [.init(at: 1_774_746_000, to: 7200), .init(at: 1_792_890_000, to: 3600)])

    static func hours(_ from: Int, _ to: Int, _ zone: TimeZoneRules = vienna) -> DailyHours {
        DailyHours(from: from * 60, to: to * 60, zone: zone)
    }

    static func utc(_ day: Int, _ hour: Int, _ minute: Int = 0) -> Timestamp {
        Timestamp(microseconds: Int64(day * 86400 + hour * 3600 + minute * 60) * 1_000_000)
    }

    /// 2026-03-28, the day before clocks go forward, and 2026-10-24, the day before they go back.
    static let march = 20540
    static let october = 20750

    @Test func theMorningComesAnHourEarlierByUTCAfterTheSpringChange() {
        let hours = Self.hours(7 * 60, 22 * 60)
        #expect(hours.contains(Self.utc(Self.march, 6)) && !hours.contains(Self.utc(Self.march, 5, 59)))
        #expect(hours.opening(from: Self.utc(Self.march, 21)) == Self.utc(Self.march + 1, 5))
        #expect(hours.contains(Self.utc(Self.march + 1, 5)) && !hours.contains(Self.utc(Self.march + 1, 20)))
    }

    @Test func theMorningComesAnHourLaterByUTCAfterTheAutumnChange() {
        let hours = Self.hours(7 * 60, 22 * 60)
        #expect(hours.opening(from: Self.utc(Self.october, 20)) == Self.utc(Self.october + 1, 6))
        #expect(hours.opening(from: Self.utc(Self.october - 1, 20)) == Self.utc(Self.october, 5))
    }

    @Test func anHourThatIsLeaptOverOpensAtTheChange() {
        // 02:30 to 06:00 on the night in which clocks are set from 02:00 to 03:00, at 01:00 UTC.
        let hours = Self.hours(150, 360)
        #expect(hours.opening(from: Self.utc(Self.march + 1, 0)) == Self.utc(Self.march + 1, 1))
        let lost = Self.hours(130, 170)
        #expect(lost.opening(from: Self.utc(Self.march + 1, 0)) == Self.utc(Self.march + 2, 0, 10))
    }

    @Test func anHourThatComesTwiceIsTakenAsTheClockShowsIt() {
        // 02:30 to 02:45 by the clock, twice: at 00:30 and at 01:30 UTC.
        let hours = Self.hours(150, 165)
        let night = Self.october + 1
        #expect(hours.contains(Self.utc(night, 0, 30)) && !hours.contains(Self.utc(night, 0, 45)))
        #expect(hours.opening(from: Self.utc(night, 0, 45)) == Self.utc(night, 1, 30))
        #expect(hours.opening(from: Self.utc(night, 1, 45)) == Self.utc(night + 1, 1, 30))
    }

    @Test func hoursOverMidnightAndWholeDays() {
        let night = Self.hours(22 * 60, 6 * 60, .utc)
        #expect(night.contains(Self.utc(0, 23)) && night.contains(Self.utc(0, 5)) && !night.contains(Self.utc(0, 6)))
        #expect(night.opening(from: Self.utc(0, 6)) == Self.utc(0, 22))
        #expect(Self.hours(60, 60).contains(Self.utc(0, 13)))
        #expect(Self.hours(0, 1440, .utc).contains(Self.utc(5, 23, 59)))
    }

    @Test func theOpeningIsTheFirstMomentThatIsOpen() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let hours = Self.hours(.random(in: 0..<1440, using: &random), .random(in: 0...1440, using: &random))
            let day = Bool.random(using: &random) ? Self.march : Self.october
            let start = Self.utc(day, .random(in: 0..<48, using: &random), .random(in: 0..<60, using: &random))
            let opening = try #require(hours.opening(from: start))
            var minute = start
            while !hours.contains(minute) { minute = minute.advanced(byMicroseconds: 60_000_000) }
            #expect(opening == minute, "seed \(seed)")
        }
    }

    @Test(arguments: [Int64.min, Int64.max])
    func theEndsOfTimeAreNoFault(_ microseconds: Int64) {
        let hours = Self.hours(60, 120)
        _ = hours.contains(Timestamp(microseconds: microseconds))
        _ = hours.opening(from: Timestamp(microseconds: microseconds))
    }

    @Test func anAlertOfTheNightIsToldInTheMorningOverEitherChange() throws {
        for (day, morning) in [
            (Self.march, Self.utc(Self.march + 1, 5)), (Self.october, Self.utc(Self.october + 1, 6)),
        ] {
            let rule = AlertRule(
                .leftBehind, item: "keys", companions: ["phone"], interval: .seconds(36000),
                hours: Self.hours(7 * 60, 22 * 60))
            var book = AlertBook(rules: [rule])
            let evening = Self.utc(day, 21)
            _ = book.receive(Crossing(.item("keys"), .determined(isInside: true), at: evening))
            _ = book.receive(Crossing(.item("phone"), .exit, at: evening))
            func told() throws -> [Timestamp] { try book.advance(to: #require(book.nextDeadline)).map(\.at) }
            #expect(try told().isEmpty && book.nextDeadline == morning)
            #expect(try told() == [morning])
            // Ten hours later it is still day; the next after that would be night.
            #expect(try told() == [morning.advanced(byMicroseconds: 36_000_000_000)])
            #expect(book.nextDeadline == Self.utc(day + 2, morning == Self.utc(day + 1, 5) ? 5 : 6))
        }
    }

    @Test func anAlertThatEndsInTheNightWasNeverTold() {
        let rule = AlertRule(
            .leftBehind, item: "keys", companions: ["phone"], hours: Self.hours(7 * 60, 22 * 60, .utc))
        var line = AlertLine(rule)
        #expect(line.play("0 keys inside\n100 phone exit\n20000 phone enter", until: 90_000).isEmpty)
    }
}
