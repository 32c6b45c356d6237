public import Bytes
internal import Glibc

/// Moments in the local time of this machine (localtime_r(3)).
public enum LocalTime {
    /// Date and time to a millisecond, such as `2026-11-21 08:25:43.120`.
    public static func text(_ time: Timestamp) -> String {
        let parts = parts(of: time)
        return "\(parts.date) \(parts.clock).\(parts.milliseconds)"
    }

    /// The time of day to a second, such as `08:25:43`.
    public static func clock(_ time: Timestamp) -> String { parts(of: time).clock }

    private static func parts(of time: Timestamp) -> CalendarTime {
        let second = time.floor(toMultipleOf: 1_000_000).microseconds / 1_000_000
        return CalendarTime(time, secondsEast: offset(at: second))
    }

    /// Seconds east of UTC in the process's zone (localtime_r(3)).
    private static func offset(at second: Int64) -> Int {
        var time = time_t(second)
        var parts = unsafe tm()
        unsafe localtime_r(&time, &parts)
        return unsafe Int(parts.tm_gmtoff)
    }

    /// The moment of a date, or of a date and a time of day, in this machine's zone or in a zone given by `Z` or an
    /// offset such as `+01:00` after it; nil for any other text (mktime(3), timegm(3)).
    public static func moment(_ text: String) -> Timestamp? {
        var rest = Substring(text)
        guard let date = readNumbers(&rest, [4, 2, 2], between: "-") else { return nil }
        var time = [0, 0, 0]
        if let mark = rest.first {
            guard mark == " " || mark == "T" else { return nil }
            rest = rest.dropFirst()
            guard let parts = readNumbers(&rest, [2, 2], between: ":") else { return nil }
            time.replaceSubrange(0..<2, with: parts)
            if rest.first == ":" {
                rest = rest.dropFirst()
                guard let second = readNumbers(&rest, [2], between: ":") else { return nil }
                time[2] = second[0]
            }
        }
        guard (1...12).contains(date[1]), (1...31).contains(date[2]), time[0] < 24, time[1] < 60, time[2] < 60 else {
            return nil
        }
        var broken = unsafe tm()
        unsafe (broken.tm_year, broken.tm_mon, broken.tm_mday) = (
            Int32(date[0] - 1900), Int32(date[1] - 1), Int32(date[2])
        )
        unsafe (broken.tm_hour, broken.tm_min, broken.tm_sec) = (Int32(time[0]), Int32(time[1]), Int32(time[2]))
        // The system determines summer time at that place and date.
        unsafe broken.tm_isdst = -1
        guard !rest.isEmpty else {
            let second = unsafe Int64(mktime(&broken))
            return Timestamp(microseconds: second * 1_000_000)
        }
        guard let offset = offset(&rest), rest.isEmpty else { return nil }
        return Timestamp(microseconds: unsafe (Int64(timegm(&broken)) - offset) * 1_000_000)
    }

    /// Seconds east of Greenwich.
    private static func offset(_ rest: inout Substring) -> Int64? {
        guard let sign = rest.first else { return nil }
        rest = rest.dropFirst()
        if sign == "Z" { return 0 }
        guard sign == "+" || sign == "-", let parts = readNumbers(&rest, [2, 2], between: ":"), parts[0] < 15,
            parts[1] < 60
        else { return nil }
        return Int64(parts[0] * 3600 + parts[1] * 60) * (sign == "+" ? 1 : -1)
    }

    /// Numbers with the given counts of digits, with a mark between two.
    private static func readNumbers(_ rest: inout Substring, _ widths: [Int], between mark: Character) -> [Int]? {
        var found: [Int] = []
        for width in widths {
            if !found.isEmpty {
                guard rest.first == mark else { return nil }
                rest = rest.dropFirst()
            }
            let digits = rest.prefix(width)
            guard digits.count == width, digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(digits)
            else { return nil }
            found.append(number)
            rest = rest.dropFirst(width)
        }
        return found
    }
}
