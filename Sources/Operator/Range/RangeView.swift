internal import BeaconFrames
internal import WireProtocol

/// Rows as a readable table.
struct RangeView {
    /// True to show the nodes' names: not for a single node, in this process.
    var showsNodes: Bool

    /// The table's lines in a layout of a width; at most `limit` rows, and a line about the rest.
    func lines(_ rows: [RangeRow], width: Int?, hasColours: Bool, limit: Int = .max) -> [String] {
        let layout = TableLayout(Self.columns, width: width, hasColours: hasColours)
        guard !rows.isEmpty else { return [] }
        let cut = rows.count > limit ? max(0, limit - 1) : rows.count
        var lines = layout.lines(rows.prefix(cut).map(cells))
        if cut < rows.count { lines.append(layout.text("… and \(rows.count - cut) more", .dim)) }
        return lines
    }

    private static let columns = [
        TableLayout.Column(title: "NAME", least: 8),
        TableLayout.Column(title: "PROXIMITY"),
        TableLayout.Column(title: "DISTANCE", dispensable: 2),
        TableLayout.Column(title: "RSSI", isNumber: true),
        TableLayout.Column(title: "SEEN", isNumber: true),
        TableLayout.Column(title: "NODE", least: 6, dispensable: 3),
        TableLayout.Column(title: "ID", least: 12, cutsMiddle: true, dispensable: 4),
        TableLayout.Column(title: "URL", least: 12, dispensable: 5),
        TableLayout.Column(title: "CLASS", least: 8, dispensable: 1),
    ]

    private func cells(_ row: RangeRow) -> [TableLayout.Cell] {
        let dim: TableLayout.Style = row.isStale ? .dim : .plain
        let style: TableLayout.Style =
            switch row.proximity {
            case .immediate, .near: .green
            case .far: .yellow
            case .unknown: .dim
            }
        return [
            TableLayout.Cell(row.name ?? "–", row.isStale ? .dim : .bold),
            TableLayout.Cell(row.proximity.rawValue, style),
            TableLayout.Cell(row.window.distance.map(Self.distance) ?? "", dim),
            TableLayout.Cell(row.window.rssi.map { "\(Int($0.mean.rounded()))" } ?? "", dim),
            TableLayout.Cell(row.age.map(Self.age) ?? "", dim),
            TableLayout.Cell(showsNodes ? row.window.node : "", dim),
            TableLayout.Cell(row.window.id, dim),
            TableLayout.Cell(row.url ?? "", dim),
            TableLayout.Cell(row.window.transmitterClass?.title ?? "", dim),
        ]
    }

    /// Such as `2.4 m (1.5–3.9)`.
    static func distance(_ distance: Window.Distance) -> String {
        "\(metresText(distance.metres)) m (\(metresText(distance.low))–\(metresText(distance.high)))"
    }

    /// One decimal below ten metres: more would exceed the accuracy of any level.
    private static func metresText(_ metres: Double) -> String {
        let tenths = Int((min(metres, 1e6) * 10).rounded())
        return tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : "\((tenths + 5) / 10)"
    }

    /// Such as `now`, `12 s`, `3 min` or `2 h`.
    static func age(_ seconds: Double) -> String {
        if seconds < 1.5 { return "now" }
        if seconds < 90 { return "\(Int(seconds.rounded())) s" }
        return seconds < 5400
            ? "\(Int((seconds / 60).rounded())) min" : "\(Int((min(seconds, 1e9) / 3600).rounded())) h"
    }
}
