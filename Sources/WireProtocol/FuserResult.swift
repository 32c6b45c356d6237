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
    /// The changes that were made.
    case audit(AuditReport)
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
        case .done, .lesson, .taught, .why, .history, .journal, .purged, .audit: nil
        }
    }

    /// Writes the report of the answer.
    public func write(to json: inout JSONWriter) {
        switch self {
        case .done, .failed: break
        case .lesson(let report): json.write("lesson", report)
        case .taught(let report): report.writeFields(to: &json)
        case .why(let explanation): json.write("why", explanation)
        case .history(let report): json.write("history", report)
        case .journal(let report): json.write("journal", report)
        case .purged(let report): json.write("purged", report)
        case .audit(let report): json.write("audit", report)
        case .replayed(let report): json.write("replay", report)
        }
    }

    /// Reads the value of a key of the report; false if the key isn't part of it.
    @_lifetime(json: copy json)
    public mutating func read(_ key: String, from json: inout JSONReader) throws(JSONFault) -> Bool {
        switch key {
        case "lesson": self = try LessonReport.read(from: &json).map(Self.lesson) ?? self
        case "why": self = try Explanation.read(from: &json).map(Self.why) ?? self
        case "history": self = try HistoryReport.read(from: &json).map(Self.history) ?? self
        case "journal": self = try JournalReport.read(from: &json).map(Self.journal) ?? self
        case "purged": self = try PurgeReport.read(from: &json).map(Self.purged) ?? self
        case "audit": self = try AuditReport.read(from: &json).map(Self.audit) ?? self
        case "replay": self = try ReplayReport.read(from: &json).map(Self.replayed) ?? self
        default:
            var report = TaughtReport()
            if case .taught(let known) = self { report = known }
            guard try report.read(key, from: &json) else { return false }
            self = .taught(report)
        }
        return true
    }
}
