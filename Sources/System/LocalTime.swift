public import Bytes
internal import Glibc

/// Moments in the local time of this machine (localtime_r(3)).
public enum LocalTime {
    /// Date and time to a millisecond, such as `2026-11-21 08:25:43.120`.
    public static func text(_ time: Timestamp) -> String {
        let parts = parts(of: time)
        return "\(parts.date) \(parts.clock).\(digits(parts.milliseconds, 3))"
    }

    /// The time of day to a second, such as `08:25:43`.
    public static func clock(_ time: Timestamp) -> String { parts(of: time).clock }

    private static func parts(of time: Timestamp) -> (date: String, clock: String, milliseconds: Int) {
        let whole = time.floor(toMultipleOf: 1_000_000)
        var seconds = time_t(whole.microseconds / 1_000_000)
        var broken = unsafe tm()
        _ = unsafe localtime_r(&seconds, &broken)
        return unsafe (date(broken), clock(broken), Int(time.microseconds(since: whole) / 1000))
    }

    /// The moment of a date, or of a date and a time of day, in this machine's zone or in a zone given by `Z` or an
    /// offset such as `+01:00` after it; nil for any other text (mktime(3), timegm(3)).
    public static func moment(_ text: String) -> Timestamp? {
        var rest = Substring(text)
        guard let date = numbers(&rest, [4, 2, 2], between: "-") else { return nil }
        var time = [0, 0, 0]
        if let mark = rest.first {
            guard mark == " " || mark == "T" else { return nil }
            rest = rest.dropFirst()
            guard let parts = numbers(&rest, [2, 2], between: ":") else { return nil }
            time.replaceSubrange(0..<2, with: parts)
            if rest.first == ":" {
                rest = rest.dropFirst()
                guard let second = numbers(&rest, [2], between: ":") else { return nil }
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
        guard !rest.isEmpty else { return Timestamp(microseconds: unsafe Int64(mktime(&broken)) * 1_000_000) }
        guard let offset = offset(&rest), rest.isEmpty else { return nil }
        return Timestamp(microseconds: unsafe (Int64(timegm(&broken)) - offset) * 1_000_000)
    }

    /// Seconds east of Greenwich.
    private static func offset(_ rest: inout Substring) -> Int64? {
        guard let sign = rest.first else { return nil }
        rest = rest.dropFirst()
        if sign == "Z" { return 0 }
        guard sign == "+" || sign == "-", let parts = numbers(&rest, [2, 2], between: ":"), parts[0] < 15, parts[1] < 60
        else { return nil }
        return Int64(parts[0] * 3600 + parts[1] * 60) * (sign == "+" ? 1 : -1)
    }

    /// Numbers with the given counts of digits, with a mark between two.
    private static func numbers(_ rest: inout Substring, _ widths: [Int], between mark: Character) -> [Int]? {
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

    static func date(_ broken: tm) -> String {
        let parts = unsafe [broken.tm_year + 1900, broken.tm_mon + 1, broken.tm_mday]
        return parts.map { digits(Int($0), 2) }.joined(separator: "-")
    }

    static func clock(_ broken: tm) -> String {
        let parts = unsafe [broken.tm_hour, broken.tm_min, broken.tm_sec]
        return parts.map { digits(Int($0), 2) }.joined(separator: ":")
    }

    static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
