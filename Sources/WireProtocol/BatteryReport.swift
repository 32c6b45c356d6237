public import Bytes

/// The state of an item's battery, and when it is to be changed; retained.
public struct BatteryReport: Hashable, Sendable {
    /// The urgency of a change, the most urgent first.
    public enum Grade: String, CaseIterable, Hashable, Sendable, Comparable {
        /// The battery is empty, or the item fell silent after a low reading.
        case changeNow = "change_now"
        /// It will hardly last another week.
        case thisWeek = "this_week"
        /// It will hardly last another month.
        case thisMonth = "this_month"
        /// It lasts longer.
        case fine
        /// Its readings tell nothing.
        case unknown

        /// True if the first is more urgent.
        public static func < (left: Grade, right: Grade) -> Bool { left.order < right.order }

        private var order: Int { Self.allCases.firstIndex(of: self) ?? Self.allCases.count }
    }

    /// The reason for a grade.
    public enum Reason: String, CaseIterable, Hashable, Sendable {
        /// The level is so low that transmitters fail.
        case empty
        /// The level is low, or the transmitter itself says so.
        case low
        /// The level falls so fast that it ends within the time of the grade.
        case falling
        /// It advertises more seldom than it used to, or falls silent at times.
        case slower
        /// It fell silent after a low level.
        case silent
        /// The level is good, and its trend too.
        case steady
        /// The level is good, and its trend is not known yet.
        case new
        /// The last reading is too old.
        case stale
        /// It has sent no reading of its battery.
        case noReadings = "no_readings"
        /// The voltage is of no battery whose course is known.
        case otherCell = "other_cell"
    }

    static let payloadLimit = 8192
    /// The most daily levels in a report; the oldest are left out.
    public static let levelBound = 120
    /// The voltages and charges that a reader takes, in millivolts or per cent.
    private static let levelRange = 0...65_535
    /// A day without a reading in `levels`.
    public static let noLevel = 0

    /// The fuser that publishes it.
    public var fuser: String
    /// The urgency of a change.
    public var grade: Grade
    /// The reason for the grade.
    public var reason: Reason
    /// The voltage in millivolts, at 20 °C where the item sends its temperature; nil if it sends none.
    public var millivolts: Int?
    /// The charge in per cent as the item sends it; nil if it sends none, or a voltage.
    public var percent: Int?
    /// The likeliest number of days that are left; nil without a trend.
    public var days: Double?
    /// The lower end of the range in which about two of three batteries end …
    public var daysLow: Double?
    /// … and its upper end.
    public var daysHigh: Double?
    /// The kind of battery whose course is assumed: `cr2032`, `2xaa` or `percent`.
    public var cell: String
    /// The first reading of this battery; of the earliest that is remembered.
    public var since: Timestamp?
    /// The last packet of an item that fell silent.
    public var silentSince: Timestamp?
    /// The last day of `levels`, as the moment of its begin in UTC; nil without levels.
    public var until: Timestamp?
    /// The level of each day up to `until`, the oldest first, in millivolts or per cent; `noLevel` for a day without one.
    public var levels: [Int] = []

    /// A report of a grade and its reason.
    public init(fuser: String, grade: Grade, reason: Reason, cell: String) {
        (self.fuser, self.grade, self.reason, self.cell) = (fuser, grade, reason, cell)
    }

    /// Writes the payload of an `items/<item>/battery` topic.
    public func write(to json: inout JSONWriter) { writeObject(to: &json) }

    /// Reads such a payload. Unknown keys are ignored.
    public init(payload: Span<UInt8>) throws(PayloadFault) { try self.init(payload: payload, limit: Self.payloadLimit) }
}

extension BatteryReport.Grade: WireValue {}
extension BatteryReport.Reason: WireValue {}

extension BatteryReport: WireObject {
    static var blank: Self { Self(fuser: "", grade: .unknown, reason: .noReadings, cell: "") }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        fields.version()
        try fields.required("fuser", &fuser)
        try fields.required("grade", &grade, unknown: PayloadFault.outOfRange)
        try fields.field("reason", &reason)
        try fields.field("battery_mv", &millivolts, where: { Self.levelRange.contains($0) })
        try fields.field("battery_percent", &percent, where: { (0...100).contains($0) })
        try fields.number("days", &days, decimals: 1, in: 0...1e5)
        try fields.number("days_low", &daysLow, decimals: 1, in: 0...1e5)
        try fields.number("days_high", &daysHigh, decimals: 1, in: 0...1e5)
        try fields.field("cell", &cell)
        try fields.field("since", &since)
        try fields.field("silent_since", &silentSince)
        try fields.field("until", &until)
        try fields.field("levels", &levels, unless: [], where: { $0.allSatisfy { Self.levelRange.contains($0) } })
    }

    mutating func normalize() {
        if levels.count > Self.levelBound { levels.removeFirst(levels.count - Self.levelBound) }
    }
}
