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

    /// The kinds of findings that the page has words for in each of its languages.
    package enum Kind: String, CaseIterable, Sendable {
        case configurationGood = "configuration_good", configurationRemark = "configuration_remark"
        case configurationUnused = "configuration_unused"
        case clockPast = "clock_past", clockUnkept = "clock_unkept", clockUnsure = "clock_unsure"
        case clockKept = "clock_kept"
        case diskUnused = "disk_unused", diskScarce = "disk_scarce", diskGood = "disk_good"
        case diskMissing = "disk_missing", diskDenied = "disk_denied", diskFull = "disk_full"
        case diskReadOnly = "disk_read_only", diskFault = "disk_fault"
        case brokerConnected = "broker_connected", brokerAway = "broker_away", brokerDenies = "broker_denies"
        case certificateExpires = "certificate_expires"
        case programOnline = "program_online", programOffline = "program_offline", programUnknown = "program_unknown"
        case programStrange = "program_strange"
        case keysMissing = "keys_missing", entryUnused = "entry_unused"
        case radioGood = "radio_good", radioIll = "radio_ill"
    }

    /// The check that found it, and how grave it is.
    package var check: Check, verdict: Verdict
    /// The observation, without a full stop.
    package var reason: String
    /// The remedy; nil if none is needed.
    package var mend: String?
    /// Its kind, for programs that have words of their own; nil for none of these.
    package var kind: Kind?
    /// The values that those words need, such as the `folder`.
    package var values: [String: String] = [:]

    /// This finding with its kind.
    package func of(_ kind: Kind, _ values: [String: String] = [:]) -> Finding {
        var finding = self
        (finding.kind, finding.values) = (kind, values)
        return finding
    }

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

    /// `{"check","verdict","reason","mend","kind","values"}`.
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
        json.field("kind", kind?.rawValue)
        guard !values.isEmpty else { return }
        json.beginObject("values")
        for (name, value) in values.sorted(by: { $0.key < $1.key }) { json.field(name, value) }
        json.endObject()
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
