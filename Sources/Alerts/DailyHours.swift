public import Bytes

/// Hours of the day in a time zone, such as 07:00 to 22:00 in Vienna: from `from` on, before `to`.
///
/// They follow the local clock over every change of daylight saving: an opening that such a change skips is at the
/// change; one in an hour that is repeated opens, and closes, by the time on the clock. With `to` before `from` they
/// cross midnight; if both are equal they are the whole day.
public struct DailyHours: Hashable, Sendable {
    /// Seconds since midnight by the clock at which they begin, 0 ..< 86400.
    public var from: Int
    /// Seconds since midnight by the clock at which they end, 0 ..< 86400, or 86400 for the day's end.
    public var to: Int
    /// The clock.
    public var zone: TimeZoneRules

    /// Hours by the clock of a zone.
    public init(from: Int, to: Int, zone: TimeZoneRules) {
        self.from = from
        self.to = to
        self.zone = zone
    }

    /// Returns true if a moment is within them.
    public func contains(_ time: Timestamp) -> Bool { contains(clock: clock(Self.second(time))) }

    /// The first moment at or after `time` that is within them, to a second; nil if there is none.
    public func opening(from time: Timestamp) -> Timestamp? {
        if contains(time) { return time }
        var second = Self.second(time)
        // A zone changes a few times a year: a day has far fewer stretches than this.
        for _ in 0..<16 {
            let wait = Int64((from - clock(second) + 86400) % 86400)
            let change = zone.nextChange(after: second)
            guard let change, change <= second + wait else {
                return Timestamp(microseconds: (second + wait) * 1_000_000)
            }
            if contains(clock: clock(change)) { return Timestamp(microseconds: change * 1_000_000) }
            second = change
        }
        return nil
    }

    /// Seconds since midnight by the clock.
    private func clock(_ second: Int64) -> Int {
        let local = (second + Int64(zone.offset(at: second))) % 86400
        return Int(local < 0 ? local + 86400 : local)
    }

    private func contains(clock: Int) -> Bool {
        if from == to { return true }
        return from < to ? from <= clock && clock < to : clock >= from || clock < to
    }

    /// Whole Unix seconds, in which a zone's changes are given, within 10,000 years of 1970: far enough that no sum overflows its type.
    private static func second(_ time: Timestamp) -> Int64 {
        let second = time.floor(toMultipleOf: 1_000_000).microseconds / 1_000_000
        return min(max(second, -315_000_000_000), 315_000_000_000)
    }
}
