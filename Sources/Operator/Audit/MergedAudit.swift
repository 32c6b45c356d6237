internal import Bytes
internal import System
internal import WireProtocol

/// The audits of several fusers as one: each change once.
struct MergedAudit {
    /// A change, with a fuser that recorded it.
    struct Change {
        var fuser: String
        var entry: AuditReport.Entry

        /// The change as a JSON object; its values are objects of their own.
        var json: String {
            var plain = entry
            (plain.before, plain.after) = (nil, nil)
            return JSONLine.text { json in
                json.field("fuser", fuser)
                plain.writeKeys(to: &json)
                if let before = entry.before { json.field("before", json: Array(before.utf8)) }
                if let after = entry.after { json.field("after", json: Array(after.utf8)) }
            }
        }
    }

    private var found: [String: Change] = [:]

    /// Adds the changes that a fuser recorded. Of one that several have, the one with the better proof of the user counts.
    mutating func add(_ entries: [AuditReport.Entry], of fuser: String) {
        for entry in entries {
            let name = entry.change.isEmpty ? "\(fuser) \(entry.number)" : entry.change
            if let there = found[name], Self.rank(there.entry) <= Self.rank(entry) { continue }
            found[name] = Change(fuser: fuser, entry: entry)
        }
    }

    /// All changes, in the order of their times.
    var changes: [Change] {
        found.values.sorted { ($0.entry.at, $0.fuser, $0.entry.number) < ($1.entry.at, $1.fuser, $1.entry.number) }
    }

    /// The proofs from the best on: who served the user knows it.
    private static func rank(_ entry: AuditReport.Entry) -> Int {
        ["page", "machine", "broker", "sender"].firstIndex(of: entry.proof) ?? 4
    }

    /// Changes as a table for people.
    static func table(_ changes: [Change]) -> [String] {
        guard !changes.isEmpty else { return ["no changes are recorded"] }
        return Columns.lines(
            [["TIME", "USER", "BY", "FROM", "ACTION", "ABOUT", "STATUS", "TIMES", "BEFORE", "AFTER"]]
                + changes.map { change in
                    let entry = change.entry
                    let erased = entry.erased == nil ? "" : "erased by a purge"
                    return [
                        String(LocalTime.text(entry.at).prefix(19)), entry.user.isEmpty ? "unknown" : entry.user,
                        entry.proof, entry.address,
                        entry.action.isEmpty ? "\(entry.method) \(entry.path)" : entry.action,
                        entry.subject ?? "", "\(entry.status)", entry.times > 1 ? "\(entry.times)" : "",
                        short(entry.before ?? erased), short(entry.after ?? ""),
                    ].map(plain)
                })
    }

    private static func short(_ text: String) -> String { text.count > 60 ? String(text.prefix(59)) + "…" : text }

    /// A text of others without characters that could move a terminal's cursor.
    private static func plain(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.properties.generalCategory != .control }))
    }
}
