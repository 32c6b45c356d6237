internal import Bytes
internal import Configuration

/// The result of one check of `doctor`.
struct Finding: Hashable {
    /// The checks, in the order of their report.
    enum Check: String, CaseIterable {
        case configuration, clock, disk, broker, agent, items, permissions, adapter, radio
    }

    /// The severity of a finding.
    enum Verdict: String {
        case ok, warning, fault
    }

    var check: Check
    var verdict: Verdict
    /// The observation, without a full stop.
    var reason: String
    /// The remedy; nil if none is needed.
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

    /// The exit status of the command if no other finding is worse.
    var exitStatus: Int32 {
        guard verdict == .fault else { return 0 }
        return check == .configuration ? ConfigurationFaults.exitStatus : 1
    }

    /// A readable line: the verdict, the check, the reason; the remedy on a line below.
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
