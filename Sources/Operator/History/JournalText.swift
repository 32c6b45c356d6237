internal import Bytes
internal import System
internal import WireProtocol

/// The events of a node, in readable and in machine-readable forms.
enum JournalText {
    /// The form of the output.
    enum Form {
        case table, csv, json
    }

    static func lines(_ entries: [JournalReport.Entry], of node: String, _ form: Form) -> [String] {
        switch form {
        case .table: tableLines(entries, of: node)
        case .csv: csvLines(entries, of: node)
        case .json: entries.map(jsonLine)
        }
    }

    /// A table, in the time of this machine's zone; a sentence if it is empty.
    private static func tableLines(_ entries: [JournalReport.Entry], of node: String) -> [String] {
        guard !entries.isEmpty else { return ["nothing is known of node \(node) in that time"] }
        let layout = TableLayout([
            .init(title: "AT"), .init(title: "WHAT"), .init(title: "WHO"), .init(title: "REGION"),
        ])
        return layout.lines(
            entries.map { entry in
                switch entry {
                case .event(let event):
                    let what = [event.kind.rawValue, event.rule ?? event.state?.rawValue].compactMap { $0 }
                    return [
                        .init(String(LocalTime.text(event.at).prefix(19))), .init(what.joined(separator: " ")),
                        .init(event.item ?? event.beacon ?? event.alert ?? ""), .init(event.region ?? ""),
                    ]
                case .lost(let loss, let time):
                    return [
                        .init(String(LocalTime.text(time).prefix(19))), .init(lossText(loss)), .init(""), .init(""),
                    ]
                }
            })
    }

    /// The missing events, in a sentence.
    static func lossText(_ loss: LedgerLoss) -> String {
        guard let last = loss.last else {
            return "unknown after event \(loss.first - 1) of epoch \(quotedField(loss.epoch))"
        }
        let range = loss.first == last ? "event \(last)" : "events \(loss.first) to \(last)"
        let reason =
            switch loss.reason {
            case .fellOut: "the node keeps no more"
            case .epochLost: "the node's database is lost"
            case .notTold: "told again and never come"
            case .unanswered: "the node doesn't answer"
            }
        return "\(range) of epoch \(quotedField(loss.epoch)) missing: \(reason)"
    }

    /// A header and a row each: times in ISO 8601, in UTC, and as Unix seconds.
    private static func csvLines(_ entries: [JournalReport.Entry], of node: String) -> [String] {
        ["node,kind,region,beacon,state,at,not_before,at_unix,epoch,seq,last_seq,reason"]
            + entries.map { entry in
                switch entry {
                case .event(let event):
                    [
                        node, event.kind.rawValue, event.region ?? "", event.item ?? event.beacon ?? "",
                        event.state?.rawValue ?? "", CalendarTime.iso8601(event.at),
                        CalendarTime.iso8601(event.notBefore),
                        secondsText(event.at), quotedField(event.epoch), "\(event.seq)", "\(event.seq)",
                        event.reason ?? "",
                    ].joined(separator: ",")
                case .lost(let loss, let time):
                    [
                        node, JournalReport.Entry.lost, "", "", "", CalendarTime.iso8601(time), "", secondsText(time),
                        quotedField(loss.epoch), "\(loss.first)", loss.last.map { "\($0)" } ?? "", loss.reason.rawValue,
                    ].joined(separator: ",")
                }
            }
    }

    /// An epoch, which may be any text.
    private static func quotedField(_ text: String) -> String {
        guard !text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) else { return text }
        return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    private static func jsonLine(_ entry: JournalReport.Entry) -> String {
        var json = JSONWriter()
        entry.write(to: &json)
        return json.text
    }

    private static func secondsText(_ time: Timestamp) -> String {
        var json = JSONWriter()
        json.value(time)
        return json.text
    }
}
