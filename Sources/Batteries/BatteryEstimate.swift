public import Bytes
public import WireProtocol

/// The urgency of a change of an item's battery, by the history of its levels and of its packets.
public struct BatteryEstimate: Hashable, Sendable {
    /// Numbers of days that bound the grades: a week and a month, with what an estimate errs.
    private static let week = 10.0, month = 35.0
    /// The silence that is a sign, after a low level.
    private static let silence = Duration.hours(24)
    /// The time after which a reading tells nothing.
    private static let validity = Duration.days(30)
    /// Days left within which a slower cadence counts as a sign.
    private static let near = 90.0
    /// The height above the declining level within which it does.
    private static let doubtful = 100.0

    /// The urgency.
    public var grade: BatteryReport.Grade
    /// Its reason.
    public var reason: BatteryReport.Reason
    /// The level, in millivolts or per cent; nil without readings.
    public var level: Double?
    /// The trend; nil while there is none.
    public var trend: BatteryTrend?
    /// The last packet of an item that fell silent after a low level.
    public var silentSince: Timestamp?
    /// The kind of battery that is assumed.
    public var cell: BatteryCell

    /// Estimates at a time.
    ///
    /// - Parameters:
    ///   - cell: the kind of battery, if levels are voltages.
    ///   - listening: the time in which nodes listened without a pause: silence outside of it is no sign.
    public init(
        _ history: BatteryHistory, cell: BatteryCell, at time: Timestamp, listening: ClosedRange<Timestamp>
    ) {
        self.cell = history.isPercent == true ? .percent : cell
        (grade, reason) = (.unknown, .noReadings)
        let levels = history.levels
        // Of two days the better one: a single cold day is no sign.
        level = levels.suffix(2).map(\.level).max()
        let isSlower = history.isSlower
        if let level {
            trend = BatteryTrend(levels, cell: self.cell, today: BatteryHistory.number(of: time, in: .days(1)))
            (grade, reason) = judge(level, days: levels.count)
        }
        if history.isSaidLow, grade > .thisWeek { (grade, reason) = (.thisWeek, .low) }
        if isSlower { noteSlower() }
        judgeSilence(of: history, at: time, listening)
    }

    /// The grade of a level and its trend.
    private func judge(_ level: Double, days: Int) -> (BatteryReport.Grade, BatteryReport.Reason) {
        let limits = cell.limits
        guard level <= cell.highest else { return (.unknown, .otherCell) }
        if level <= limits.empty { return (.changeNow, .empty) }
        if let trend {
            let reason: BatteryReport.Reason = level <= limits.declining ? .low : .falling
            if trend.days <= 1, level <= limits.low { return (.changeNow, reason) }
            if trend.days <= Self.week { return (.thisWeek, reason) }
            if trend.days <= Self.month { return (.thisMonth, reason) }
            return level <= limits.low ? (.thisMonth, .low) : (.fine, .steady)
        }
        let isKnown = days >= BatteryTrend.leastDays
        if level <= limits.low { return (isKnown ? .thisMonth : .thisWeek, .low) }
        if level <= limits.declining { return (.thisMonth, .low) }
        return (.fine, isKnown ? .steady : .new)
    }

    /// A slower cadence raises the grade by one step at most, and never to the first.
    private mutating func noteSlower() {
        switch grade {
        case .changeNow, .thisWeek: break
        case .thisMonth: (grade, reason) = (.thisWeek, .slower)
        case .fine:
            let isDoubtful = level.map { cell != .percent && $0 <= cell.limits.declining + Self.doubtful } ?? false
            if isDoubtful || trend.map({ $0.days <= Self.near }) ?? false { (grade, reason) = (.thisMonth, .slower) }
        case .unknown: if level == nil { (grade, reason) = (.thisMonth, .slower) }
        }
    }

    private mutating func judgeSilence(
        of history: BatteryHistory, at time: Timestamp, _ listening: ClosedRange<Timestamp>
    ) {
        guard let level, let last = history.lastHeard ?? history.lastReading else { return }
        let isLow = reason != .otherCell && (level <= cell.limits.declining || grade <= .thisMonth)
        let silent = listening.upperBound.duration(since: max(last, listening.lowerBound))
        if isLow, silent >= Self.silence || history.isSilent {
            (grade, reason, silentSince) = (.changeNow, .silent, last)
        } else if let reading = history.lastReading, time.duration(since: reading) > Self.validity, !isLow {
            (grade, reason, trend) = (.unknown, .stale, nil)
        }
    }
}

/// The trend of a battery's levels, and the days that are left by it.
public struct BatteryTrend: Hashable, Sendable {
    /// The least days with a level for a trend, and the days that it spans at most: the end of a battery comes fast.
    static let leastDays = 7
    private static let span = 21, bentSpan = 8, leastPoints = 5
    /// The share by which the course of batteries of one kind differs.
    private static let spread = 1.35
    /// Standard errors within which two of three slopes are.
    private static let errors = 1.3

    /// The likeliest number of days that are left.
    public var days: Double
    /// The lower end of the range in which about two of three batteries end …
    public var low: Double
    /// … and its upper end.
    public var high: Double

    /// The trend of levels by day; nil if there are too few, or if they do not fall beyond their noise.
    ///
    /// The slope is the median of all pairs' (Theil and Sen), of the charge that the levels stand for: under an even load
    /// the charge falls evenly, and a fourth of wrong days changes nothing.
    init?(_ levels: [(day: Int, level: Double)], cell: BatteryCell, today: Int) {
        guard let last = levels.last?.day, let level = levels.suffix(2).map(\.level).max() else { return nil }
        let isBent = level <= cell.limits.declining
        let recent = levels.filter { $0.day > last - (isBent ? Self.bentSpan : Self.span) }
        guard levels.count >= Self.leastDays,
            let charge = Line(recent.map { (Double($0.day), cell.charge(at: $0.level)) }, finest: cell.step(at: level)),
            let course = Line(recent.map { (Double($0.day), $0.level) }, finest: cell.deviation / 3)
        else { return nil }
        guard -charge.slope > charge.error else { return nil }
        let passed = Double(max(0, today - last))
        let (left, loss) = (max(0, charge.end), -charge.slope)
        var time = left / loss
        // Below its bend the level of most falls faster than the course says.
        if isBent, course.slope < 0 { time = min(time, max(0, level - cell.limits.empty) / -course.slope) }
        let above = max(left, cell.charge(at: level + cell.deviation))
        let below = min(left, cell.charge(at: level - cell.deviation))
        let (least, most) = (below / (loss + charge.error) / Self.spread, above / (loss - charge.error) * Self.spread)
        days = max(0, time - passed)
        low = max(0, min(time / Self.spread, least) - passed)
        high = max(days, most - passed)
    }

    /// A line through points, by medians.
    private struct Line {
        /// The slope a day, and its standard error.
        var slope: Double, error: Double
        /// The value at the last day.
        var end: Double

        /// A line; nil for too few points.
        init?(_ points: [(day: Double, value: Double)], finest: Double) {
            guard let first = points.first, let last = points.last, points.count >= BatteryTrend.leastPoints else {
                return nil
            }
            var slopes: [Double] = []
            for (index, later) in points.enumerated() {
                for earlier in points[..<index] where later.day - earlier.day >= 2 {
                    slopes.append((later.value - earlier.value) / (later.day - earlier.day))
                }
            }
            guard !slopes.isEmpty else { return nil }
            let slope = BatteryHistory.quantile(0.5, slopes)
            let ends = points.map { $0.value + slope * (last.day - $0.day) }
            let end = BatteryHistory.quantile(0.5, ends)
            // The step of the readings is a noise as well, even where all are alike.
            let noise = max(BatteryHistory.quantile(0.5, ends.map { ($0 - end).magnitude }) * 1.48, finest)
            let length = last.day - first.day
            (self.slope, self.end) = (slope, end)
            error = BatteryTrend.errors * noise * (12 / (Double(points.count) * length * length)).squareRoot()
        }
    }
}

extension BatteryHistory {
    /// Days that are compared with the earlier ones, and the least number of those.
    private static let recent = 3, earlier = 7
    /// The growth of the interval that is a sign.
    private static let growth = 1.5
    /// Interruptions a day that are a sign.
    private static let often = 3

    /// True if the item advertised more seldom on each of the last days than on three of four days before, or was
    /// interrupted often and was not before.
    var isSlower: Bool {
        let intervals = days.compactMap(\.interval)
        if intervals.count >= Self.recent + Self.earlier, let least = intervals.suffix(Self.recent).min(),
            least > Self.quantile(0.75, Array(intervals.dropLast(Self.recent))) * Self.growth
        {
            return true
        }
        let dropouts = days.map { Double($0.dropouts) }
        guard dropouts.count >= Self.recent + Self.earlier else { return false }
        return dropouts.suffix(Self.recent).allSatisfy { $0 >= Double(Self.often) }
            && Self.quantile(0.75, Array(dropouts.dropLast(Self.recent))) <= 1
    }
}
