public import Bytes

/// A fuser's answer to a command.
public typealias FuserResult = CommandReply<FuserAnswer>

/// What became of a command to a fuser.
public enum FuserAnswer: CommandAnswer {
    /// What it answers.
    public typealias Asked = FuserCommand

    /// It was done.
    case done
    /// A lesson began, goes on, or has ended.
    case lesson(LessonReport)
    /// What was taught.
    case taught(TaughtReport)
    /// Why an item is where it is said to be.
    case why(Explanation)
    /// Where an item was.
    case history(HistoryReport)
    /// What happened at a node.
    case journal(JournalReport)
    /// What is not known any more.
    case purged(PurgeReport)
    /// Events were told again; or not, where the report says that nothing is known of their epoch.
    case replayed(ReplayReport)
    /// It was not done, for this reason.
    case failed(String)

    /// The longest answer that is read, in bytes.
    public static let payloadLimit = 1 << 20

    /// The reason where it was not done.
    public var failure: String? {
        switch self {
        case .failed(let reason): reason
        case .replayed(let report): report.failure
        default: nil
        }
    }

    /// Writes what it tells beside that.
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

    /// Reads the value of a key that tells of it; false where the key doesn't.
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
