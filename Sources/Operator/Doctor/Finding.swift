internal import Bytes
internal import Configuration

/// What one check of `doctor` found.
struct Finding: Hashable {
    /// What is looked at, in the order in which it is told.
    enum Check: String, CaseIterable {
        case configuration, clock, disk, broker, agent, items, permissions, adapter, radio
    }

    /// How it stands.
    enum Verdict: String {
        case ok, warning, fault
    }

    var check: Check
    var verdict: Verdict
    /// What was seen, without a full stop.
    var reason: String
    /// What to do about it; nil where nothing is to be done.
    var mend: String?

    static func ok(_ check: Check, _ reason: String) -> Finding {
        Finding(check: check, verdict: .ok, reason: reason, mend: nil)
    }

    static func warning(_ check: Check, _ reason: String, mend: String) -> Finding {
        Finding(check: check, verdict: .warning, reason: reason, mend: mend)
    }

    static func fault(_ check: Check, _ reason: String, mend: String) -> Finding {
        Finding(check: check, verdict: .fault, reason: reason, mend: mend)
    }

    /// What the command ends with where nothing is worse.
    var exitStatus: Int32 {
        guard verdict == .fault else { return 0 }
        return check == .configuration ? ConfigurationFaults.exitStatus : 1
    }

    /// A line for people: the verdict, the check, the reason; the mend on a line below.
    var text: String {
        let head = "\(Self.padded(verdict.rawValue, 8))\(Self.padded(check.rawValue, 14))\(reason)"
        return mend.map { "\(head)\n\(Self.padded("", 22))→ \($0)" } ?? head
    }

    /// `{"check","verdict","reason","mend"}`.
    var json: String {
        var json = JSONWriter()
        json.beginObject()
        json.field("check", check.rawValue)
        json.field("verdict", verdict.rawValue)
        json.field("reason", reason)
        json.field("mend", mend)
        json.endObject()
        return json.text
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
