internal import Bytes
internal import CommandLine
internal import Configuration
internal import System

/// Moments as written on a command line.
enum MomentText {
    /// The forms, in a sentence.
    static let forms = "such as 2026-11-21, '2026-11-21 08:25', 2026-11-21T08:25:43Z, 2h (ago) or Unix seconds"

    /// The moment of a text; nil if it is none.
    static func moment(_ text: String, now: Timestamp) -> Timestamp? {
        if let ago = DurationText.duration(text) { return now.advanced(by: -ago) }
        if let seconds = Double(text), text.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }) {
            return seconds < 1e11 ? Timestamp(seconds: seconds) : nil
        }
        return LocalTime.moment(text)
    }

    /// The moments of two options of a command that prints a table, CSV or JSON. The second must be later than the first.
    static func readSpan(
        _ arguments: Arguments, from begin: String, to end: String, of command: Command
    ) throws(UsageError) -> (from: Timestamp?, to: Timestamp?) {
        var faults: [String] = []
        let now = WallClock.now()
        let moments = [begin, end].map { option -> Timestamp? in
            guard let text = arguments.text(option) else { return nil }
            let moment = Self.moment(text, now: now)
            if moment == nil { faults.append("\(option) takes \(forms); found '\(text)'") }
            return moment
        }
        if arguments.has("--csv"), arguments.has("--json") { faults.append("--csv and --json: one of the two") }
        if let from = moments[0], let to = moments[1], to <= from { faults.append("\(end) is not later than \(begin)") }
        guard faults.isEmpty else { throw UsageError(command: command.name, faults: faults) }
        return (moments[0], moments[1])
    }
}
