/// The rule of a zone without an end: the POSIX TZ string at the end of a TZif file (POSIX.1 section 8.3, RFC 8536
/// section 3.3), such as `CET-1CEST,M3.5.0,M10.5.0/3`.
public struct PosixTimeZone: Hashable, Sendable {
    /// A day of the year on which clocks change, and the time of day.
    struct Change: Hashable, Sendable {
        enum Day: Hashable, Sendable {
            /// The day 1...365, February 29 never counted.
            case julian(Int)
            /// The day 0...365, February 29 counted.
            case ordinal(Int)
            /// The weekday (0 is Sunday) of a week (5 is the last) of a month.
            case month(Int, week: Int, weekday: Int)
        }
        var day: Day
        /// Seconds after midnight by the clock before the change.
        var time: Int
    }

    /// Seconds east of UTC in the standard time.
    var standard: Int
    /// Daylight saving: its seconds east of UTC, its beginning and its end; nil if there is none.
    var saving: Saving?

    struct Saving: Hashable, Sendable {
        var offset: Int
        var begin: Change
        var end: Change
    }

    /// Reads a TZ string; nil for one that isn't well formed. An offset is at most 25 hours, a time at most 167.
    public init?(_ text: String) {
        var reader = PosixReader(text)
        guard reader.name(), let west = reader.time(bound: 25) else { return nil }
        standard = -west
        if reader.isAtEnd { return }
        guard reader.name() else { return nil }
        var offset = standard + 3600
        if !reader.skip(",") {
            guard let west = reader.time(bound: 25), reader.skip(",") else { return nil }
            offset = -west
        }
        guard let begin = reader.change(), reader.skip(","), let end = reader.change(), reader.isAtEnd else {
            return nil
        }
        saving = Saving(offset: offset, begin: begin, end: end)
    }

    /// Seconds east of UTC at a Unix time.
    func offset(at second: Int64) -> Int {
        guard saving != nil else { return standard }
        return changes(around: second).last { $0.at <= second }?.offset ?? standard
    }

    /// The first change after a Unix time.
    func nextChange(after second: Int64) -> Int64? {
        changes(around: second).first { $0.at > second }?.at
    }

    /// The changes of the year and of its neighbours, in order. Those without an effect are left out.
    private func changes(around second: Int64) -> [(at: Int64, offset: Int)] {
        guard let saving else { return [] }
        let year = CivilDate.year(ofDay: second.flooredQuotient(86400))
        var changes: [(at: Int64, offset: Int)] = []
        for year in year - 1...year + 1 {
            changes.append((saving.begin.localSecond(in: year) - Int64(standard), saving.offset))
            changes.append((saving.end.localSecond(in: year) - Int64(saving.offset), standard))
        }
        changes.sort { $0.at < $1.at }
        // An end and the next year's beginning at one moment: daylight saving all the year (RFC 8536 section 3.3.1).
        return changes.enumerated().filter { index, change in
            index + 1 == changes.count || changes[index + 1].at != change.at
        }.map(\.element)
    }
}

extension PosixTimeZone.Change {
    /// Seconds from 1970 by the clock before the change.
    func localSecond(in year: Int64) -> Int64 {
        let first = CivilDate.day(year: year, month: 1, day: 1)
        let date: Int64
        switch day {
        case .julian(let number):
            date = first + Int64(number - 1) + (CivilDate.isLeap(year) && number > 59 ? 1 : 0)
        case .ordinal(let number): date = first + Int64(number)
        case .month(let month, let week, let weekday):
            let begin = CivilDate.day(year: year, month: month, day: 1)
            // 1970-01-01 was a Thursday.
            let ahead = Int64(weekday) - (begin + 4).flooredRemainder(7)
            let number = (ahead < 0 ? ahead + 7 : ahead) + Int64(week - 1) * 7
            let length = CivilDate.length(ofMonth: month, in: year)
            date = begin + (number >= length ? number - 7 : number)
        }
        return date * 86400 + Int64(time)
    }
}

/// The pieces of a TZ string.
private struct PosixReader {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = Substring(text).utf8
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    /// Three letters or more, or anything in angle brackets.
    mutating func name() -> Bool {
        if skip("<") {
            guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
            rest = rest[rest.index(after: end)...]
            return true
        }
        let letters = rest.prefix { (0x61...0x7A).contains($0 | 0x20) }.count
        rest.removeFirst(letters)
        return letters >= 3
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int? {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard (1...3).contains(digits.count) else { return nil }
        let value = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        rest.removeFirst(digits.count)
        return range.contains(value) ? value : nil
    }

    /// `[+-]hours[:minutes[:seconds]]` in seconds.
    mutating func time(bound: Int) -> Int? {
        let isNegative = skip("-")
        if !isNegative { _ = skip("+") }
        guard let hours = number(0...bound) else { return nil }
        var seconds = hours * 3600
        if skip(":") {
            guard let minutes = number(0...59) else { return nil }
            seconds += minutes * 60
            if skip(":") {
                guard let last = number(0...59) else { return nil }
                seconds += last
            }
        }
        return isNegative ? -seconds : seconds
    }

    mutating func change() -> PosixTimeZone.Change? {
        let day: PosixTimeZone.Change.Day
        if skip("M") {
            guard let month = number(1...12), skip("."), let week = number(1...5), skip("."),
                let weekday = number(0...6)
            else { return nil }
            day = .month(month, week: week, weekday: weekday)
        } else if skip("J") {
            guard let number = number(1...365) else { return nil }
            day = .julian(number)
        } else {
            guard let number = number(0...365) else { return nil }
            day = .ordinal(number)
        }
        guard skip("/") else { return PosixTimeZone.Change(day: day, time: 7200) }
        return time(bound: 167).map { PosixTimeZone.Change(day: day, time: $0) }
    }
}
