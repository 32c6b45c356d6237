internal import Bytes
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
}
