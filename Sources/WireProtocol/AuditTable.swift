internal import Bytes

/// The audit as a table (RFC 4180), as the tool and the page export it.
public enum AuditTable {
    /// The first line, with its end.
    public static let header =
        "at,fuser,number,change,user,role,proof,address,method,path,status,action,subject,before,after,erased,times,since\n"

    /// A change as a line, with its end. Times are in UTC, in seconds since the Unix epoch.
    public static func line(_ entry: AuditReport.Entry, fuser: String) -> String {
        let fields = [
            seconds(entry.at), fuser, "\(entry.number)", entry.change, entry.user, entry.role, entry.proof,
            entry.address, entry.method, entry.path, "\(entry.status)", entry.action, entry.subject ?? "",
            entry.before ?? "", entry.after ?? "", entry.erased.map(seconds) ?? "", "\(entry.times)",
            entry.since.map(seconds) ?? "",
        ]
        return fields.map(quoted).joined(separator: ",") + "\n"
    }

    private static func seconds(_ time: Timestamp) -> String {
        var json = JSONWriter()
        json.value(time)
        return json.text
    }

    /// A field. One that a spreadsheet would take for a formula has an apostrophe before it.
    private static func quoted(_ text: String) -> String {
        let text = text.utf8.first.map(beginsFormula) ?? false ? "'" + text : text
        guard text.utf8.contains(where: needsQuotes) else { return text }
        return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    private static func beginsFormula(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), UInt8(ascii: "\t"),
            UInt8(ascii: "\r"):
            true
        default: false
        }
    }

    private static func needsQuotes(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: "\r"), UInt8(ascii: "\n"): true
        default: false
        }
    }
}
