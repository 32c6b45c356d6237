public import Bytes
internal import WireProtocol

/// The readings of one item's battery: a level a day, and how often the item was heard.
///
/// The level of a day is the upper quartile of its hours, each corrected to 20 °C where the item sends its temperature: a cold
/// night lowers the voltage, and is no sign of a battery's end. A new battery begins a new history.
public struct BatteryHistory: Sendable {
    /// The most days that are remembered; the oldest are dropped.
    public static let dayBound = 120
    /// The least hours of a day that count as one.
    static let leastHours = 6
    /// The days by whose median level a new battery is recognised.
    private static let referenceDays = 5
    /// The readings, and their time, that show a new battery.
    private static let proof = (readings: 3, time: Duration.minutes(30))

    /// A day that is over.
    struct Day: Hashable, Sendable {
        /// The days since 1970, in UTC.
        var number: Int
        /// The level in millivolts or per cent; nil without a reading.
        var level: Double?
        /// Seconds between advertisements; nil if it is not known.
        var interval: Double?
        /// The times that it fell silent for minutes and was heard as well as before.
        var dropouts = 0
    }

    /// The days that are over since the battery was new, the oldest first; days in which it was not heard are missing.
    private(set) var days: [Day] = []
    /// True if levels are per cent; nil before the first.
    private(set) var isPercent: Bool?
    /// The first reading of this battery.
    public private(set) var since: Timestamp?
    /// The last reading.
    public private(set) var lastReading: Timestamp?
    /// True if the transmitter says that its battery is low.
    private(set) var isSaidLow = false
    /// True if the item fell silent after a low level, and was not heard since.
    public private(set) var isSilent = false
    /// The cadence of the running day.
    private(set) var cadence = BatteryCadence()
    private var temperature = BatteryTemperature()
    /// True if the item sends its temperature.
    private var knowsTemperature = false
    /// The running day, and the levels of its hours that are over.
    private var today: Int?
    private var hours: [Double] = []
    /// The running hour: its number since 1970, the readings, and the sums of their levels and temperatures.
    private var hour = (number: 0, count: 0.0, level: 0.0, celsius: 0.0, warm: 0.0)
    /// Readings that may be of a new battery: the first one's time, and their number.
    private var rise: (since: Timestamp, count: Int)?

    /// An empty history.
    public init() {}

    /// The last packet that was heard.
    public var lastHeard: Timestamp? { cadence.lastHeard }

    // MARK: Readings

    /// Records a reading. Returns true if the estimate may differ from the one before.
    public mutating func record(_ reading: BatteryReading, at time: Timestamp, cell: BatteryCell) -> Bool {
        var isNew = advance(to: time)
        if let isLow = reading.isLow, isLow != isSaidLow { (isSaidLow, isNew) = (isLow, true) }
        guard let level = takeLevel(reading) else { return isNew }
        if since == nil { (since, isNew) = (time, true) }
        lastReading = time
        if reading.celsius != nil { knowsTemperature = true }
        let corrected = isPercent == true ? level : temperature.corrected(level, at: reading.celsius)
        if noteRise(corrected, at: time, cell) { isNew = true }
        hour.count += 1
        hour.level += level
        if let celsius = reading.celsius {
            hour.warm += 1
            hour.celsius += celsius
        }
        return isNew
    }

    /// The level of a reading, of the one kind that counts: a voltage counts before a charge, which is derived from it.
    private mutating func takeLevel(_ reading: BatteryReading) -> Double? {
        if let millivolts = reading.millivolts {
            if isPercent == true { forgetBattery() }
            isPercent = false
            return millivolts
        }
        guard isPercent != false, let percent = reading.percent else { return nil }
        isPercent = true
        return percent
    }

    /// Returns true if the readings show a new battery, whose history begins now.
    private mutating func noteRise(_ level: Double, at time: Timestamp, _ cell: BatteryCell) -> Bool {
        let kind = isPercent == true ? BatteryCell.percent : cell
        guard let reference, level >= reference + kind.rise(knowsTemperature: knowsTemperature) else {
            rise = nil
            return false
        }
        let begin = rise?.since ?? time
        let count = (rise?.count ?? 0) + 1
        guard count >= Self.proof.readings, time.duration(since: begin) >= Self.proof.time else {
            rise = (begin, count)
            return false
        }
        forgetBattery()
        since = begin
        return true
    }

    /// The level before: the median of the last days, or of the hours of the first.
    private var reference: Double? {
        let levels = days.lazy.compactMap(\.level).suffix(Self.referenceDays)
        return levels.isEmpty ? hours.isEmpty ? nil : Self.quantile(0.5, hours) : Self.quantile(0.5, Array(levels))
    }

    private mutating func forgetBattery() {
        days.removeAll()
        hours.removeAll()
        (hour, rise, since, isSaidLow) = ((hour.number, 0, 0, 0, 0), nil, nil, false)
        cadence.beginAnew()
    }

    // MARK: Hearing

    /// Records that a node heard the item. Returns true if the estimate may differ from the one before.
    public mutating func hear(
        from node: String, level: Double?, interval: Double?, at time: Timestamp
    ) -> Bool {
        let isNew = advance(to: time) || isSilent
        isSilent = false
        cadence.hear(from: node, level: level, interval: interval, at: time)
        return isNew
    }

    /// Records that the item has fallen silent.
    public mutating func noteSilence() { isSilent = true }

    // MARK: Time

    /// Ends the hour and the day if they are over. Returns true if one was.
    public mutating func advance(to time: Timestamp) -> Bool {
        let number = Self.number(of: time, in: .hours(1))
        guard let today else {
            (self.today, hour.number) = (number / 24, number)
            return false
        }
        guard number != hour.number else { return false }
        endHour(next: number)
        if number / 24 != today { endDay(today, next: number / 24) }
        return true
    }

    private mutating func endHour(next number: Int) {
        defer { hour = (number, 0, 0, 0, 0) }
        cadence.endHour()
        guard let level = hourLevel else { return }
        if hour.warm > 0, isPercent == false {
            temperature.addHour(hour.level / hour.count, at: hour.celsius / hour.warm)
        }
        if hours.count < 24 { hours.append(level) }
    }

    /// The level of the running hour; nil before a reading.
    private var hourLevel: Double? {
        guard hour.count > 0 else { return nil }
        let mean = hour.level / hour.count
        guard isPercent == false, hour.warm > 0 else { return mean }
        return temperature.corrected(mean, at: hour.celsius / hour.warm)
    }

    private mutating func endDay(_ number: Int, next: Int) {
        let heard = cadence.endDay()
        let day = Day(
            number: number, level: hours.isEmpty ? nil : Self.quantile(0.75, hours), interval: heard.interval,
            dropouts: heard.dropouts)
        // A clock that was set back repeats days.
        days.removeAll { $0.number >= number }
        if day.level != nil || day.interval != nil { days.append(day) }
        if days.count > Self.dayBound { days.removeFirst(days.count - Self.dayBound) }
        temperature.endDay()
        hours.removeAll(keepingCapacity: true)
        today = next
    }

    /// The number of a moment's hour or day since 1970.
    static func number(of time: Timestamp, in length: Duration) -> Int {
        Int(time.floor(toMultipleOf: length).microseconds / length.microseconds)
    }

    // MARK: Levels

    /// The levels by day, the oldest first, with the running day if enough of it is over, or if there is no other.
    var levels: [(day: Int, level: Double)] {
        var levels = days.compactMap { day in day.level.map { (day: day.number, level: $0) } }
        let running = hours + [hourLevel].compactMap(\.self)
        if let today, !running.isEmpty, hours.count >= Self.leastHours || levels.isEmpty {
            levels.append((today, Self.quantile(0.75, running)))
        }
        return levels
    }

    /// The levels of the days that are over, without gaps, and the begin of the last one; none without a level.
    public var dailyLevels: (until: Timestamp?, levels: [Int]) {
        let known = days.filter { $0.level != nil }
        guard let last = known.last else { return (nil, []) }
        let length = min(last.number - known[0].number + 1, Self.dayBound)
        var levels = Array(repeating: BatteryReport.noLevel, count: length)
        for day in known where last.number - day.number < length {
            levels[length - 1 - (last.number - day.number)] = Int((day.level ?? 0).rounded())
        }
        return (Timestamp(microseconds: Int64(last.number) * Duration.days(1).microseconds), levels)
    }

    /// A quantile of numbers that are not empty.
    static func quantile(_ share: Double, _ numbers: [Double]) -> Double {
        let sorted = numbers.sorted()
        let place = share * Double(sorted.count - 1)
        let below = Int(place)
        guard below + 1 < sorted.count else { return sorted[sorted.count - 1] }
        return sorted[below] + (place - Double(below)) * (sorted[below + 1] - sorted[below])
    }

    // MARK: Other histories

    /// Drops the days that began before a moment.
    public mutating func forget(before moment: Timestamp) {
        days.removeAll { $0.number <= Self.number(of: moment, in: .days(1)) }
        if since.map({ $0 < moment }) ?? false { since = days.isEmpty ? lastReading : moment }
    }

    /// Adopts the daily levels of another fuser, up to a day, where this history has no day that is over.
    public mutating func adopt(levels: [Int], until: Timestamp, since: Timestamp?, isPercent: Bool) {
        guard days.isEmpty, self.isPercent ?? isPercent == isPercent, !levels.isEmpty else { return }
        let last = Self.number(of: until, in: .days(1))
        let first = last - levels.count + 1
        for (offset, level) in levels.suffix(Self.dayBound).enumerated()
        where level > 0 && first + offset < today ?? .max {
            days.append(Day(number: first + offset + max(0, levels.count - Self.dayBound), level: Double(level)))
        }
        guard !days.isEmpty else { return }
        self.isPercent = isPercent
        self.since = since ?? self.since
    }
}

// MARK: Text

extension BatteryHistory {
    /// The history as a line of text, to be stored.
    public var text: String {
        let head: [String] = [
            "1", isPercent.map { $0 ? "percent" : "mv" } ?? "-", Self.text(since), Self.text(lastReading),
            Self.text(cadence.lastHeard), isSaidLow ? "low" : "-", knowsTemperature ? "t" : "-",
            "\(Int(temperature.product.rounded()))", "\(Int(temperature.square.rounded()))", isSilent ? "silent" : "-",
        ]
        let days = days.map { day in
            [
                "\(day.number)", day.level.map { "\(Int($0.rounded()))" } ?? "-",
                day.interval.map { "\(Int(($0 * 1000).rounded()))" } ?? "-", "\(day.dropouts)",
            ].joined(separator: " ")
        }
        let running =
            [today.map { "\($0)" } ?? "-"] + (hours + [hourLevel].compactMap(\.self)).map { "\(Int($0.rounded()))" }
        return ([head.joined(separator: " "), running.joined(separator: " ")] + days).joined(separator: ";")
    }

    /// A history that was stored; nil if the text is of none.
    public init?(text: String) {
        let parts = text.split(separator: ";").map { $0.split(separator: " ").map { String($0) } }
        guard parts.count >= 2, parts[0].count == 10, parts[0][0] == "1" else { return nil }
        let head = parts[0]
        isPercent = head[1] == "percent" ? true : head[1] == "mv" ? false : nil
        (since, lastReading) = (Self.time(head[2]), Self.time(head[3]))
        cadence = BatteryCadence(lastHeard: Self.time(head[4]))
        (isSaidLow, knowsTemperature, isSilent) = (head[5] == "low", head[6] == "t", head[9] == "silent")
        temperature = BatteryTemperature(product: Double(head[7]) ?? 0, square: Double(head[8]) ?? 0)
        for part in parts.dropFirst(2).suffix(Self.dayBound) {
            guard part.count == 4, let number = Int(part[0]), days.last.map({ $0.number < number }) ?? true else {
                return nil
            }
            days.append(
                Day(
                    number: number, level: Double(part[1]), interval: Double(part[2]).map { $0 / 1000 },
                    dropouts: Int(part[3]) ?? 0))
        }
        today = parts[1].first.flatMap { Int($0) }
        hours = parts[1].dropFirst().prefix(24).compactMap { Double($0) }
        // The hour that runs is over at its first reading.
        hour.number = today.map { $0 * 24 - 1 } ?? 0
    }

    private static func text(_ time: Timestamp?) -> String { time.map { "\($0.milliseconds)" } ?? "-" }

    private static func time(_ text: String) -> Timestamp? {
        Int64(text).flatMap { $0.magnitude < 1 << 50 ? Timestamp(microseconds: $0 * 1000) : nil }
    }
}
