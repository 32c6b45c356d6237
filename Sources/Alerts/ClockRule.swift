/// The yearly changes of a zone's clocks: the `TZ` text of POSIX, such as `CET-1CEST,M3.5.0,M10.5.0/3`, with the times of
/// -167 to 167 hours of RFC 9636 (section 3.3.1).
struct ClockRule: Hashable, Sendable {
    /// A day of any year.
    enum Day: Hashable, Sendable {
        /// The day of a year from 1 to 365, without the 29th of February.
        case ofCommonYear(Int)
        /// The day of a year from 0 to 365.
        case ofYear(Int)
        /// The month, its week from 1 to 5 for the last one, and the day of the week from 0 for Sunday.
        case ofWeek(month: Int, week: Int, day: Int)
    }

    /// A change in every year.
    struct Yearly: Hashable, Sendable {
        var day: Day
        /// Seconds from the day's midnight, by the clocks before the change.
        var time: Int
        /// Seconds east of UTC before it.
        var before: Int
        /// Seconds east of UTC from it on.
        var after: Int
    }

    /// None where the offset is the same all year.
    let yearly: [Yearly]

    /// The rule of a text; nil if it isn't one.
    init?(_ text: String) {
        var reader = Reader(rest: Substring(text))
        guard reader.name(), let standard = reader.time(atMost: 24) else { return nil }
        guard !reader.rest.isEmpty else {
            yearly = []
            return
        }
        guard reader.name() else { return nil }
        let summer = reader.rest.first == "," ? standard - 3600 : reader.time(atMost: 24)
        guard let summer, let begin = reader.moment(), let end = reader.moment(), reader.rest.isEmpty else {
            return nil
        }
        // POSIX counts westwards.
        yearly = [
            Yearly(day: begin.day, time: begin.time, before: -standard, after: -summer),
            Yearly(day: end.day, time: end.time, before: -summer, after: -standard),
        ]
    }

    /// The changes of a year in their order.
    func changes(in year: Int) -> [TimeZoneRules.Change] {
        yearly.map { change in
            .init(at: change.day.midnight(in: year) + Int64(change.time - change.before), to: change.after)
        }.sorted { $0.second < $1.second }
    }
}

extension ClockRule.Day {
    /// The Unix time of its first second in UTC, in a year from 1970 on.
    fileprivate func midnight(in year: Int) -> Int64 {
        let day: Int
        switch self {
        case .ofCommonYear(let number):
            day = Self.firstDay(ofMonth: 1, year) + number - (Self.isLeap(year) && number >= 60 ? 0 : 1)
        case .ofYear(let number):
            day = Self.firstDay(ofMonth: 1, year) + number
        case .ofWeek(let month, let week, let weekday):
            let first = Self.firstDay(ofMonth: month, year)
            let next = month < 12 ? Self.firstDay(ofMonth: month + 1, year) : Self.firstDay(ofMonth: 1, year + 1)
            // The day 0 was a Thursday.
            let found = first + (weekday - (first + 4) % 7 + 7) % 7 + 7 * (week - 1)
            day = found < next ? found : found - 7
        }
        return Int64(day) * 86_400
    }

    /// Days from 1970-01-01 to the first of a month.
    private static func firstDay(ofMonth month: Int, _ year: Int) -> Int {
        let before = year - 1
        let ofYears = before * 365 + before / 4 - before / 100 + before / 400 - 719_162
        let ofMonths = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334][month - 1]
        return ofYears + ofMonths + (month > 2 && isLeap(year) ? 1 : 0)
    }

    private static func isLeap(_ year: Int) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }
}

/// Takes the parts of a `TZ` text from its beginning.
private struct Reader {
    var rest: Substring

    /// Takes a name: letters, or letters, digits and signs in angle brackets. Returns false if there is none.
    mutating func name() -> Bool {
        if take("<") {
            let name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "+" || $0 == "-") }
            rest = rest.dropFirst(name.count)
            return !name.isEmpty && take(">")
        }
        let name = rest.prefix { $0.isASCII && $0.isLetter }
        rest = rest.dropFirst(name.count)
        return !name.isEmpty
    }

    /// Takes hours and maybe minutes and seconds, with or without a sign. Returns their seconds.
    mutating func time(atMost hours: Int) -> Int? {
        let sign = take("-") ? -1 : 1
        if sign > 0 { _ = take("+") }
        guard var seconds = number(0...hours).map({ $0 * 3600 }) else { return nil }
        for unit in [60, 1] where take(":") {
            guard let part = number(0...59) else { return nil }
            seconds += part * unit
        }
        return sign * seconds
    }

    /// Takes a comma, a day, and maybe a time after a slash; two o'clock without one.
    mutating func moment() -> (day: ClockRule.Day, time: Int)? {
        guard take(","), let day = day() else { return nil }
        guard take("/") else { return (day, 7200) }
        return time(atMost: 167).map { (day, $0) }
    }

    private mutating func day() -> ClockRule.Day? {
        if take("J") { return number(1...365).map { .ofCommonYear($0) } }
        guard take("M") else { return number(0...365).map { .ofYear($0) } }
        guard let month = number(1...12), take("."), let week = number(1...5), take("."), let day = number(0...6) else {
            return nil
        }
        return .ofWeek(month: month, week: week, day: day)
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int? {
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        rest = rest.dropFirst(digits.count)
        guard digits.count <= 3, let number = Int(digits), range.contains(number) else { return nil }
        return number
    }

    private mutating func take(_ character: Character) -> Bool {
        guard rest.first == character else { return false }
        rest = rest.dropFirst()
        return true
    }
}
