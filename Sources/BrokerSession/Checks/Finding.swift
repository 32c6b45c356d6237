package import Bytes
internal import CommandLine
internal import Configuration

/// The result of one check of `doctor`, or of the page's.
package struct Finding: Hashable, Sendable {
    /// The checks, in the order of their report.
    package enum Check: String, CaseIterable, Sendable {
        case configuration, clock, disk, broker, agent, items, permissions, adapter, radio
    }

    /// The severity of a finding.
    package enum Verdict: String, Sendable {
        case ok, warning, fault
    }

    /// The check that found it, and how grave it is.
    package var check: Check, verdict: Verdict
    /// The observation, without a full stop.
    package var reason: String
    /// The remedy; nil if none is needed.
    package var mend: String?

    /// A check that found nothing.
    package static func ok(_ check: Check, _ reason: String) -> Finding {
        Finding(check: check, verdict: .ok, reason: reason, mend: nil)
    }

    /// Something to look at.
    package static func warning(_ check: Check, _ reason: String, mend: String) -> Finding {
        Finding(check: check, verdict: .warning, reason: reason, mend: mend)
    }

    /// Something that does not work.
    package static func fault(_ check: Check, _ reason: String, mend: String) -> Finding {
        Finding(check: check, verdict: .fault, reason: reason, mend: mend)
    }

    /// The exit status of the command if no other finding is worse.
    package var exitStatus: Int32 {
        guard verdict == .fault else { return ExitStatus.success.rawValue }
        return (check == .configuration ? ExitStatus.usage : .failure).rawValue
    }

    /// A readable line: the verdict, the check, the reason; the remedy on a line below.
    package var text: String {
        let head = "\(Self.padded(verdict.rawValue, 8))\(Self.padded(check.rawValue, 14))\(reason)"
        return mend.map { "\(head)\n\(Self.padded("", 22))→ \($0)" } ?? head
    }

    /// `{"check","verdict","reason","mend"}`.
    package var json: String {
        var json = JSONWriter()
        json.beginObject()
        writeKeys(to: &json)
        json.endObject()
        return json.text
    }

    /// Writes these keys into an object.
    package func writeKeys(to json: inout JSONWriter) {
        json.field("check", check.rawValue)
        json.field("verdict", verdict.rawValue)
        json.field("reason", reason)
        json.field("mend", mend)
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
