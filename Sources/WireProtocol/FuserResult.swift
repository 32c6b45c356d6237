public import Bytes

/// A fuser's answer to a command.
public typealias FuserResult = CommandReply<FuserAnswer>

/// The result of a command to a fuser.
public enum FuserAnswer: CommandAnswer {
    /// The request that it answers.
    public typealias Asked = FuserCommand

    /// It was done.
    case done
    /// A lesson began, continues, or has ended.
    case lesson(LessonReport)
    /// The lessons.
    case taught(TaughtReport)
    /// The reasons for an item's location.
    case why(Explanation)
    /// The visits of an item.
    case history(HistoryReport)
    /// The events of a node.
    case journal(JournalReport)
    /// The data that was removed.
    case purged(PurgeReport)
    /// Events were published again, or were not if the report names an unknown epoch.
    case replayed(ReplayReport)
    /// It was not done, for this reason.
    case failed(String)

    /// The maximum size of an accepted answer, in bytes.
    public static let payloadLimit = 1 << 20

    /// The reason if it was not done.
    public var failure: String? {
        switch self {
        case .failed(let reason): reason
        case .replayed(let report): report.failure
        default: nil
        }
    }

    /// Writes the report of the answer.
    public func write(to json: inout JSONWriter) {
        switch self {
        case .done, .failed: break
        case .lesson(let report):
            json.key("lesson")
            report.write(to: &json)
        case .taught(let report): report.write(to: &json)
        case .why(let explanation):
            json.key("why")
            explanation.write(to: &json)
        case .history(let report):
            json.key("history")
            report.write(to: &json)
        case .journal(let report):
            json.key("journal")
            report.write(to: &json)
        case .purged(let report):
            json.key("purged")
            report.write(to: &json)
        case .replayed(let report):
            json.key("replay")
            report.write(to: &json)
        }
    }

    /// Reads the value of a key of the report; false if the key isn't part of it.
    @_lifetime(json: copy json)
    public mutating func read(_ key: String, from json: inout JSONReader) throws(JSONFault) -> Bool {
        switch key {
        case "lesson": self = .lesson(try LessonReport.read(from: &json))
        case "why": self = .why(try Explanation.read(from: &json))
        case "history": self = .history(try HistoryReport.read(from: &json))
        case "journal": self = .journal(try JournalReport.read(from: &json))
        case "purged": self = .purged(try PurgeReport.read(from: &json))
        case "replay": self = .replayed(try ReplayReport.read(from: &json))
        default:
            var report = TaughtReport()
            if case .taught(let known) = self { report = known }
            guard try report.read(key, from: &json) else { return false }
            self = .taught(report)
        }
        return true
    }
}
