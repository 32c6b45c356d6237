/// Days since 1970-01-01 and dates of the Gregorian calendar, unbounded in either direction.
enum CivilDate {
    static func isLeap(_ year: Int64) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    static func length(ofMonth month: Int, in year: Int64) -> Int64 {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: isLeap(year) ? 29 : 28
        default: 31
        }
    }

    /// The day of a date.
    static func day(year: Int64, month: Int, day: Int) -> Int64 {
        // In a year that begins in March the leap day is at its end.
        let year = month <= 2 ? year - 1 : year
        let era = year.flooredQuotient(400)
        let yearOfEra = year - era * 400
        let dayOfYear = Int64((153 * ((month + 9) % 12) + 2) / 5 + day - 1)
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The year of a day.
    static func year(ofDay day: Int64) -> Int64 {
        var year = 1970 + (day * 400).flooredQuotient(146_097)
        while self.day(year: year, month: 1, day: 1) > day { year -= 1 }
        while self.day(year: year + 1, month: 1, day: 1) <= day { year += 1 }
        return year
    }
}

extension Int64 {
    /// The quotient, rounded towards minus infinity. `divisor` must be positive.
    func flooredQuotient(_ divisor: Int64) -> Int64 { (self - flooredRemainder(divisor)) / divisor }

    /// The remainder, 0 ..< divisor. `divisor` must be positive.
    func flooredRemainder(_ divisor: Int64) -> Int64 {
        let remainder = self % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}
