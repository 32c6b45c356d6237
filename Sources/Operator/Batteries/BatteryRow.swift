internal import Bytes
internal import Identity
internal import System
internal import WireProtocol

/// An item of the list of batteries.
struct BatteryRow {
    var id: String
    var name: String?
    var report: BatteryReport

    /// The rows of reports and of registered items without one, the most urgent first: of one grade by the days that are left.
    static func rows(_ messages: [Message], topics: Topics, book: RegistryBook) -> [BatteryRow] {
        var reports: [String: BatteryReport] = [:]
        for message in messages where !message.payload.isEmpty {
            guard case .itemBattery(let item)? = topics.kind(of: message.topic) else { continue }
            reports[item] = try? BatteryReport(payload: message.payload.span)
        }
        let registered = book.checkEntries().items.map(\.id)
        let blank = BatteryReport(fuser: "", grade: .unknown, reason: .noReadings, cell: "")
        let rows = Set(reports.keys).union(registered).map { id in
            BatteryRow(id: id, name: book.entry(id)?.item?.name, report: reports[id] ?? blank)
        }
        return rows.sorted { $0.order < $1.order }
    }

    private var order: (BatteryReport.Grade, Double, String) { (report.grade, report.days ?? .infinity, id) }

    /// The rows as a table.
    static func table(_ rows: [BatteryRow]) -> [String] {
        Columns.lines(
            [["ID", "NAME", "CHANGE", "LEVEL", "LASTS", "REASON"]]
                + rows.map { row in
                    [row.id, row.name ?? "", row.report.grade.words, row.level, row.time, row.reason]
                })
    }

    private var level: String {
        if let millivolts = report.millivolts { return "\(Self.number(Double(millivolts) / 1000, decimals: 2)) V" }
        return report.percent.map { "\($0) %" } ?? ""
    }

    private var time: String {
        guard let days = report.days, let low = report.daysLow, let high = report.daysHigh else { return "" }
        return "\(Self.number(days)) d (\(Self.number(low))-\(Self.number(high)))"
    }

    private var reason: String {
        let words = report.reason.words
        guard let since = report.silentSince else { return words }
        return "\(words) since \(LocalTime.text(since).prefix(16))"
    }

    private static func number(_ number: Double, decimals: Int = 0) -> String {
        NumberText.text(number, decimals: decimals)
    }

    /// The rows as a JSON array.
    static func json(_ rows: [BatteryRow]) -> String {
        var json = JSONWriter()
        json.beginArray()
        for row in rows {
            json.beginObject()
            json.field("id", row.id)
            json.field("name", row.name)
            json.field("grade", row.report.grade.rawValue)
            json.field("reason", row.report.reason.rawValue)
            json.field("battery_mv", row.report.millivolts)
            json.field("battery_percent", row.report.percent)
            json.field("days", row.report.days, decimals: 1)
            json.field("days_low", row.report.daysLow, decimals: 1)
            json.field("days_high", row.report.daysHigh, decimals: 1)
            json.field("cell", row.report.cell.isEmpty ? nil : row.report.cell)
            json.field("since", row.report.since)
            json.field("silent_since", row.report.silentSince)
            json.endObject()
        }
        json.endArray()
        return json.text
    }
}

extension BatteryReport.Grade {
    /// It in words.
    fileprivate var words: String {
        switch self {
        case .changeNow: "now"
        case .thisWeek: "this week"
        case .thisMonth: "this month"
        case .fine: "fine"
        case .unknown: "unknown"
        }
    }
}

extension BatteryReport.Reason {
    /// It in words.
    fileprivate var words: String {
        switch self {
        case .empty: "empty"
        case .low: "low"
        case .falling: "falls fast"
        case .slower: "sends slower than it used to"
        case .silent: "silent"
        case .steady: "steady"
        case .new: "too new for a trend"
        case .stale: "no reading for a month"
        case .noReadings: "sends no reading of its battery"
        case .otherCell: "no battery of a known kind"
        }
    }
}
