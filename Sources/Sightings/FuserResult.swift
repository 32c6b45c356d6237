public import Bytes

/// A fuser's answer to a command, on `fuser/<name>/command/result`.
///
///     {"v":1,"id":"7","action":"learn","ok":true,"lesson":{…},"at":1753862400.123}
///     {"v":1,"ok":false,"error":"'action' is missing; …","at":1753862400.123}
public struct FuserResult: Hashable, Sendable {
    /// What became of the command.
    public enum Answer: Hashable, Sendable {
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
        /// What is not known any more.
        case purged(PurgeReport)
        /// Events were told again.
        case replayed(ReplayReport)
        /// It was not done, for this reason.
        case failed(String)
    }

    /// The longest answer that is read, in bytes.
    public static let payloadLimit = 1 << 20

    /// The command's id; nil where it had none or none could be read.
    public var id: String?
    /// The action, as far as it could be read.
    public var action: String?
    /// When it was answered, by the fuser's clock.
    public var at: Timestamp
    /// What became of it.
    public var answer: Answer

    /// An answer to a command.
    public init(to command: FuserCommand, _ answer: Answer, at time: Timestamp) {
        (id, action) = (command.id, command.action.name)
        self.answer = answer
        at = time
    }

    /// The answer to what can't be done.
    public init(to refusal: CommandRefusal, at time: Timestamp) {
        (id, action) = (refusal.id, refusal.action.map(ItemReader.short))
        answer = .failed("\(refusal.fault)")
        at = time
    }

    /// Writes the payload.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("v", Window.version)
        json.field("id", id)
        json.field("action", action)
        if case .failed(let reason) = answer {
            json.field("ok", false)
            json.field("error", reason)
        } else {
            json.field("ok", true)
        }
        switch answer {
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
        case .purged(let report):
            json.key("purged")
            report.write(to: &json)
        case .replayed(let report):
            json.key("replay")
            report.write(to: &json)
        }
        json.field("at", at)
        json.endObject()
    }

    /// The payload in bytes.
    public var payload: [UInt8] {
        var json = JSONWriter()
        write(to: &json)
        return json.bytes
    }

    /// Reads such a payload. Unknown keys are passed over.
    public init(payload: Span<UInt8>) throws(PayloadFault) {
        var id: String?
        var action: String?
        var at: Timestamp?
        var isGood: Bool?
        var error: String?
        var answer = Answer.done
        var taught: TaughtReport?
        try readPayload(payload, limit: Self.payloadLimit) { json throws(JSONFault) in
            try json.beginObject()
            while let key = try json.nextKey() {
                switch key {
                case "id": id = try json.string()
                case "action": action = try json.string()
                case "at": at = try json.time()
                case "ok": isGood = try json.boolean()
                case "error": error = try json.string()
                case "lesson": answer = .lesson(try LessonReport.read(from: &json))
                case "why": answer = .why(try Explanation.read(from: &json))
                case "history": answer = .history(try HistoryReport.read(from: &json))
                case "purged": answer = .purged(try PurgeReport.read(from: &json))
                case "replay": answer = .replayed(try ReplayReport.read(from: &json))
                default:
                    var report = taught ?? TaughtReport()
                    if try report.read(key, from: &json) { taught = report } else { try json.skip() }
                }
            }
        }
        self.id = id
        self.action = action
        self.at = try require(at, "at")
        guard try require(isGood, "ok") else {
            self.answer = .failed(error ?? "no reason given")
            return
        }
        self.answer = taught.map(Answer.taught) ?? answer
    }
}
