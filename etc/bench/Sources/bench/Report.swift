import Bytes
import Glibc

/// The rows of a run, for people and for machines.
struct Report {
    private struct Row {
        var group: String
        var name: String
        var unit: String
        var series: Series
        var budget: String?
        var holds: Bool?
    }

    private var rows: [Row] = []
    private var group = ""

    /// Begins a group of rows.
    mutating func begin(_ title: String) {
        group = title
        print("\n\(title)")
        print("  \(pad("", 44))\(pad("median", 12))\(pad("least", 12))\(pad("most", 12))")
    }

    /// Says something that no number says.
    func say(_ text: String) { print("  \(text)") }

    /// Adds a row; with a bound, whether the median keeps it.
    mutating func add(_ name: String, _ unit: String, _ series: Series, atMost: Double? = nil, atLeast: Double? = nil) {
        var row = Row(group: group, name: name, unit: unit, series: series)
        if let atMost {
            row.budget = "≤ \(text(atMost))"
            row.holds = series.median <= atMost
        } else if let atLeast {
            row.budget = "≥ \(text(atLeast))"
            row.holds = series.median >= atLeast
        }
        rows.append(row)
        let numbers = [series.median, series.least, series.most].map { pad(text($0), 12) }.joined()
        let verdict = row.budget.map { "  \($0): \(row.holds == true ? "kept" : "NOT KEPT")" } ?? ""
        print("  \(name)\(String(repeating: " ", count: max(1, 44 - name.count)))\(numbers) \(unit)\(verdict)")
        fflush(nil)
    }

    /// Adds a row of one value.
    mutating func add(_ name: String, _ unit: String, _ value: Double, atMost: Double? = nil) {
        var series = Series()
        series.add(value)
        add(name, unit, series, atMost: atMost)
    }

    /// Whether all bounds are kept.
    var holds: Bool { rows.allSatisfy { $0.holds != false } }

    /// All rows with every value.
    var json: [UInt8] {
        var json = JSONWriter()
        json.beginArray()
        for row in rows {
            json.beginObject()
            json.field("group", row.group)
            json.field("name", row.name)
            json.field("unit", row.unit)
            json.field("median", row.series.median, decimals: 4)
            json.field("least", row.series.least, decimals: 4)
            json.field("most", row.series.most, decimals: 4)
            json.field("budget", row.budget)
            json.field("kept", row.holds)
            json.beginArray("values")
            for value in row.series.values { json.value(value, decimals: 4) }
            json.endArray()
            json.endObject()
        }
        json.endArray()
        json.endLine()
        return json.bytes
    }

    private func pad(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    private func text(_ value: Double) -> String {
        guard value.isFinite else { return "-" }
        let decimals = value.magnitude >= 1000 || value == value.rounded() ? 0 : value.magnitude >= 10 ? 1 : 3
        var json = JSONWriter()
        json.value(value, decimals: decimals)
        return json.text
    }
}

/// What was measured again and again.
struct Series {
    private(set) var values: [Double] = []

    mutating func add(_ value: Double) { values.append(value) }

    var least: Double { values.min() ?? .nan }
    var most: Double { values.max() ?? .nan }

    var median: Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return .nan }
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    /// This series over another, pair by pair.
    func over(_ other: Series) -> Series {
        var ratios = Series()
        for (own, its) in zip(values, other.values) { ratios.add(own / its) }
        return ratios
    }
}
