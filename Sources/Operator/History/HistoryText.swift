internal import Bytes
internal import System
internal import WireProtocol

/// A history in readable and in machine-readable forms.
enum HistoryText {
    /// A table, in the time of this machine's zone; a sentence if it is empty.
    static func table(_ report: HistoryReport, names: NameBook) -> [String] {
        guard !report.visits.isEmpty else { return ["nothing is known of \(names.item(report.item)) in that time"] }
        let layout = TableLayout([
            .init(title: "FROM"), .init(title: "TO"), .init(title: "FOR", isNumber: true), .init(title: "ROOM"),
            .init(title: "SURE", isNumber: true),
        ])
        return layout.lines(
            report.visits.map { visit in
                let room = visit.room == Location.State.away.rawValue ? visit.room : names.room(visit.room)
                let end = visit.to ?? report.now
                return [
                    .init(minuteText(visit.from)), .init(visit.to.map(minuteText) ?? "lasts"),
                    .init(length(end.seconds(since: visit.from))), .init(room),
                    .init("\(Int((visit.confidence * 100).rounded())) %"),
                ]
            })
    }

    /// A header and a row a visit: times in ISO 8601, in UTC, and as Unix seconds.
    static func csv(_ report: HistoryReport) -> [String] {
        ["item,room,from,to,from_unix,to_unix,seconds,confidence"]
            + report.visits.map { visit in
                let to = visit.to.map { (CalendarTime.iso8601($0), numberText($0.seconds)) } ?? ("", "")
                let seconds = (visit.to ?? report.now).seconds(since: visit.from)
                return [
                    report.item, visit.room, CalendarTime.iso8601(visit.from), to.0, numberText(visit.from.seconds),
                    to.1,
                    numberText(seconds), numberText(visit.confidence),
                ].joined(separator: ",")
            }
    }

    /// A JSON object with the same.
    static func json(_ report: HistoryReport) -> String {
        var json = JSONWriter()
        json.beginObject()
        json.field("item", report.item)
        json.beginArray("visits")
        for visit in report.visits {
            json.beginObject()
            json.field("room", visit.room)
            json.field("from", CalendarTime.iso8601(visit.from))
            json.field("to", visit.to.map(CalendarTime.iso8601))
            json.field("from_unix", visit.from)
            json.field("to_unix", visit.to)
            json.field("seconds", (visit.to ?? report.now).seconds(since: visit.from), decimals: 3)
            json.field("confidence", visit.confidence, decimals: 3)
            json.endObject()
        }
        json.endArray()
        json.endObject()
        return json.text
    }

    /// A duration, in its two largest units.
    static func length(_ seconds: Double) -> String {
        let whole = Int(max(0, min(seconds, 1e12)).rounded())
        if whole < 60 { return "\(whole) s" }
        if whole < 3600 { return "\(whole / 60) min \(whole % 60) s" }
        if whole < 86_400 { return "\(whole / 3600) h \(whole % 3600 / 60) min" }
        return "\(whole / 86_400) d \(whole % 86_400 / 3600) h"
    }

    private static func minuteText(_ time: Timestamp) -> String { String(LocalTime.text(time).prefix(19)) }

    /// Thousandths, without trailing zeros.
    private static func numberText(_ value: Double) -> String {
        NumberText.text(value, decimals: 3)
    }
}
