public import Bytes

/// A request read from a command topic, with an id and an action.
public protocol CommandRequest: WirePayload, Hashable, Sendable {
    /// The sender's id of the request, which the answer repeats; nil if it gave none.
    var id: String? { get }
    /// The action's name on the wire.
    var name: String { get }
    /// Reads a payload.
    init(payload: Span<UInt8>) throws(CommandRefusal)
}

/// The result of a request: done, not done for a reason, or a report of its kind.
public protocol CommandAnswer: Hashable, Sendable {
    /// The request that it answers.
    associatedtype Asked: CommandRequest
    /// The maximum size of an accepted answer, in bytes.
    static var payloadLimit: Int { get }
    /// It was done.
    static var done: Self { get }
    /// It was not done, for this reason.
    static func failed(_ reason: String) -> Self
    /// The reason if it was not done.
    var failure: String? { get }
    /// Writes the report of the answer.
    func write(to json: inout JSONWriter)
    /// Reads the value of a key of the report; false if the key isn't part of it.
    @_lifetime(json: copy json)
    mutating func read(_ key: String, from json: inout JSONReader) throws(JSONFault) -> Bool
}

/// An answer to a command with its envelope, on `nodes/<node>/command/result` and `fuser/<name>/command/result`.
///
///     {"v":1,"id":"7","action":"nearby","ok":true,"beacons":[…],"others":[…],"at":1753862400.123}
///     {"v":1,"ok":false,"error":"'action' is missing; …","at":1753862400.123}
public struct CommandReply<Answer: CommandAnswer>: WirePayload, Hashable, Sendable {
    /// The command's id; nil if it had none or none could be read.
    public var id: String?
    /// The action, as far as it could be read.
    public var action: String?
    /// The time of the answer, by the clock of the answering program.
    public var at: Timestamp
    /// The result.
    public var answer: Answer

    /// An answer to a command.
    public init(to command: Answer.Asked, _ answer: Answer, at time: Timestamp) {
        (id, action, at) = (command.id, command.name, time)
        self.answer = answer
    }

    /// The answer to a rejected command.
    public init(to refusal: CommandRefusal, at time: Timestamp) {
        (id, action, at) = (refusal.id, refusal.action.map(ItemReader.short), time)
        answer = .failed("\(refusal.fault)")
    }

    /// Writes the payload.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("v", Window.version)
        json.field("id", id)
        json.field("action", action)
        json.field("ok", answer.failure == nil)
        json.field("error", answer.failure)
        answer.write(to: &json)
        json.field("at", at)
        json.endObject()
    }

    /// Reads such a payload. Unknown keys are ignored.
    public init(payload: Span<UInt8>) throws(PayloadFault) {
        var (id, action, error): (String?, String?, String?)
        var at: Timestamp?
        var isGood: Bool?
        var answer = Answer.done
        try readPayload(payload, limit: Answer.payloadLimit) { json throws(JSONFault) in
            try json.beginObject()
            while let key = try json.nextKey() {
                switch key {
                case "id": id = try json.string()
                case "action": action = try json.string()
                case "at": at = try json.time()
                case "ok": isGood = try json.boolean()
                case "error": error = try json.string()
                default: if try !answer.read(key, from: &json) { try json.skip() }
                }
            }
        }
        (self.id, self.action, self.at) = (id, action, try require(at, "at"))
        // An answer with a report beside its failure, such as an unknown epoch, is read whole.
        let isWhole = try require(isGood, "ok") || answer.failure != nil
        self.answer = isWhole ? answer : .failed(error ?? "no reason given")
    }
}
