public import Bytes

/// A request to a fuser, on `fuser/<name>/command`: `{"id":…,"action":…,…}`.
///
/// A new action needs a case of `Action` with its name, a line in `write`, and one in `action`.
public struct FuserCommand: CommandRequest {
    /// The actions of a fuser.
    public enum Action: Hashable, Sendable {
        /// Teach it the signals of a room, or request what it was taught.
        case learn(Learning)
        /// Explain an item's location: `item`.
        case why(item: String)
        /// Report the visits of an item: `item`, `from`, `to`.
        case history(item: String, from: Timestamp?, to: Timestamp?)
        /// Report the events of a node: `node`, `region`, `from`, `to`, `after` (a row).
        case journal(node: String, region: String?, from: Timestamp?, to: Timestamp?, after: UInt64)
        /// Remove the visits of an item: `item`, `before`.
        case purge(item: String, before: Timestamp?)
        /// Report the changes that were made: `from`, `to`, `after` (a number).
        case audit(from: Timestamp?, to: Timestamp?, after: UInt64)
        /// Silence the alerts about an item: `item`, `for` (zero ends it).
        case silence(item: String, for: Duration)
        /// Change settings, which persist over restarts: `away_after`, `detect_clones`.
        case set(FuserChanges)
        /// Publish retained events again: `epoch` (the current one by default), `from_seq`.
        case replay(epoch: String?, fromSeq: UInt64)

        /// Its name on the wire.
        public var name: String {
            switch self {
            case .learn: "learn"
            case .why: "why"
            case .history, .journal: "history"
            case .purge: "purge"
            case .audit: "audit"
            case .silence: "silence"
            case .set: "set"
            case .replay: "replay"
            }
        }
    }

    /// The variants of `learn`.
    public enum Learning: Hashable, Sendable {
        /// Record an item that is in a room from now on: `item`, `room`, `start`; for so long (`for`) or until it is
        /// stopped; as a part of a walk through several rooms (`walk`, an id of the sender's).
        case start(item: String, room: String, for: Duration?, walk: String?)
        /// Report the progress of a lesson: `item`.
        case status(item: String)
        /// End it: `item`, `stop`; and discard it: `discard`.
        case stop(item: String, keeps: Bool)
        /// List the lessons.
        case list
        /// Remove a lesson: `undo`, its id.
        case undo(String)
    }

    /// All actions' names.
    public static let actions = ["learn", "why", "history", "purge", "audit", "silence", "set", "replay"]
    /// The longest time for which alerts may be silenced, in seconds: 30 days.
    static let silenceLimit = 2_592_000.0
    /// The valid duration of a lesson: 5 s to half an hour.
    public static let lessonTimes = Duration.seconds(5)...Duration.minutes(30)

    /// The sender's id of the request, which the answer repeats; nil if it gave none.
    public var id: String?
    /// The requested action.
    public var action: Action

    /// A command.
    public init(id: String?, action: Action) {
        self.id = id
        self.action = action
    }

    /// The action's name on the wire.
    public var name: String { action.name }
}

extension FuserCommand {
    /// Writes the payload of a `fuser/<name>/command` topic.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("id", id)
        json.field("action", action.name)
        switch action {
        case .learn(let learning): Self.write(learning, to: &json)
        case .why(let item): json.field("item", item)
        case .history(let item, let from, let to):
            json.field("item", item)
            json.field("from", from)
            json.field("to", to)
        case .journal(let node, let region, let from, let to, let after):
            json.field("node", node)
            json.field("region", region)
            json.field("from", from)
            json.field("to", to)
            if after > 0 { json.field("after", after) }
        case .purge(let item, let before):
            json.field("item", item)
            json.field("before", before)
        case .audit(let from, let to, let after):
            json.field("from", from)
            json.field("to", to)
            if after > 0 { json.field("after", after) }
        case .silence(let item, let duration):
            json.field("item", item)
            json.field("for", duration.seconds, decimals: 6)
        case .set(let changes): changes.writeFields(to: &json)
        case .replay(let epoch, let seq):
            json.field("epoch", epoch)
            json.field("from_seq", seq)
        }
        json.endObject()
    }

    private static func write(_ learning: Learning, to json: inout JSONWriter) {
        switch learning {
        case .start(let item, let room, let duration, let walk):
            json.field("item", item)
            json.field("room", room)
            json.field("start", true)
            json.field("for", duration?.seconds, decimals: 6)
            json.field("walk", walk)
        case .status(let item): json.field("item", item)
        case .stop(let item, let keeps):
            json.field("item", item)
            json.field("stop", true)
            if !keeps { json.field("discard", true) }
        case .list: break
        case .undo(let id): json.field("undo", id)
        }
    }

    /// Reads such a payload. Unknown keys are ignored.
    public init(payload: Span<UInt8>) throws(CommandRefusal) {
        (id, action) = try CommandValues.read(payload, readsNumbersAsText: true, Self.action)
    }

    private static func action(_ values: CommandValues) throws(CommandFault) -> Action {
        let name = try values.requireAction(of: actions)
        switch name {
        case "learn": return .learn(try learning(values))
        case "why": return .why(item: try values.id("item"))
        case "history" where values.has("node"):
            return .journal(
                node: try values.id("node"), region: values.has("region") ? try values.id("region") : nil,
                from: try values.moment("from"), to: try values.moment("to"),
                after: values.has("after") ? try count("after", values) : 0)
        case "history":
            return .history(item: try values.id("item"), from: try values.moment("from"), to: try values.moment("to"))
        case "purge": return .purge(item: try values.id("item"), before: try values.moment("before"))
        case "audit":
            return .audit(
                from: try values.moment("from"), to: try values.moment("to"),
                after: values.has("after") ? try count("after", values) : 0)
        case "silence":
            return .silence(item: try values.id("item"), for: try values.duration("for", 0...silenceLimit))
        case "set": return .set(try changes(values))
        case "replay":
            let epoch = values.has("epoch") ? try values.text("epoch", "an epoch", Identifier.isEpoch) : nil
            return .replay(epoch: epoch, fromSeq: try count("from_seq", values))
        default: throw .unknownAction(name, known: actions)
        }
    }

    private static func changes(_ values: CommandValues) throws(CommandFault) -> FuserChanges {
        var changes = FuserChanges()
        changes.awayAfter = try values.change("away_after") { key throws(CommandFault) in
            try values.duration(key, FuserSettings.awaySeconds)
        }
        changes.detectsClones = try values.change("detect_clones") { key throws(CommandFault) in
            try values.flag(key)
        }
        guard !changes.isEmpty else { throw .missing(key: "away_after or detect_clones", action: "set") }
        return changes
    }

    /// A whole number up to the largest that is exact in every reader of JSON.
    private static func count(_ key: String, _ values: CommandValues) throws(CommandFault) -> UInt64 {
        try values.count(key, "a whole number, 0 or more", limit: 1 << 53)
    }

    private static func learning(_ values: CommandValues) throws(CommandFault) -> Learning {
        if values.has("undo") {
            try refuse(["item", "room", "start", "stop", "discard", "for", "walk"], of: values, "no 'undo' beside it")
            return .undo(try values.text("undo", "a lesson's id") { !$0.isEmpty && $0.utf8.count <= 64 })
        }
        let (starts, stops) = (try values.flag("start"), try values.flag("stop"))
        let discards = try values.flag("discard")
        if starts, stops || discards { throw .badValue(key: "start", expected: "either 'start' or 'stop'") }
        // The keys of a beginning lesson without `start` are a mistake.
        if !starts { try refuse(["room", "for", "walk"], of: values, "'start': true beside it") }
        guard values.has("item") || starts || stops || discards else { return .list }
        let item = try values.id("item")
        if stops || discards { return .stop(item: item, keeps: !discards) }
        guard starts else { return .status(item: item) }
        let bounds = lessonTimes.lowerBound.seconds...lessonTimes.upperBound.seconds
        return .start(
            item: item, room: try values.id("room"), for: values.has("for") ? try values.duration("for", bounds) : nil,
            walk: values.has("walk") ? try values.id("walk") : nil)
    }

    private static func refuse(
        _ keys: [String], of values: CommandValues, _ expected: String
    ) throws(CommandFault) {
        if let key = keys.first(where: values.has) { throw .badValue(key: key, expected: expected) }
    }
}
