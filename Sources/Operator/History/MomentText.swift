internal import Bytes
internal import Configuration
internal import System

/// Moments as they are given on a command line.
enum MomentText {
    /// The forms, in words.
    static let forms = "such as 2026-11-21, '2026-11-21 08:25', 2026-11-21T08:25:43Z, 2h (ago) or Unix seconds"

    /// The moment that a text means; nil for one that means none.
    static func moment(_ text: String, now: Timestamp) -> Timestamp? {
        if let ago = DurationText.duration(text) { return now.advanced(byMicroseconds: -ago.microseconds) }
        if let seconds = Double(text), text.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }) {
            return seconds < 1e11 ? Timestamp(seconds: seconds) : nil
        }
        return LocalTime.moment(text)
    }
}
