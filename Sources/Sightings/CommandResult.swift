public import Bytes

/// A node's answer to a command, on `nodes/<node>/command/result`.
///
///     {"v":1,"id":"7","action":"nearby","ok":true,"at":1753862400.123,"beacons":[…]}
///     {"v":1,"ok":false,"error":"'action' is missing; …","at":1753862400.123}
public struct CommandResult: Hashable, Sendable {
    /// What became of the command.
    public enum Answer: Hashable, Sendable {
        /// It was done.
        case done
        /// The strongest unregistered beacons.
        case nearby([NearbyBeacon])
        /// It was not, for this reason.
        case failed(String)
    }

    static let payloadLimit = 65_536

    /// The command's id; nil where it had none or none could be read.
    public var id: String?
    /// The action, as far as it could be read.
    public var action: String?
    /// When it was answered.
    public var at: Timestamp
    /// What became of it.
    public var answer: Answer

    /// An answer to a command.
    public init(to command: NodeCommand, _ answer: Answer, at time: Timestamp) {
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
        switch answer {
        case .done: json.field("ok", true)
        case .nearby(let beacons):
            json.field("ok", true)
            json.beginArray("beacons")
            for beacon in beacons { beacon.write(to: &json) }
            json.endArray()
        case .failed(let reason):
            json.field("ok", false)
            json.field("error", reason)
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
        var beacons: [NearbyBeacon]?
        try readPayload(payload, limit: Self.payloadLimit) { json throws(JSONFault) in
            try json.beginObject()
            while let key = try json.nextKey() {
                switch key {
                case "id": id = try json.string()
                case "action": action = try json.string()
                case "at": at = try json.time()
                case "ok": isGood = try json.boolean()
                case "error": error = try json.string()
                case "beacons":
                    var found: [NearbyBeacon] = []
                    try json.beginArray()
                    while try json.nextElement() {
                        if let beacon = try NearbyBeacon.read(from: &json) { found.append(beacon) }
                    }
                    beacons = found
                default: try json.skip()
                }
            }
        }
        self.id = id
        self.action = action
        self.at = try require(at, "at")
        if try require(isGood, "ok") {
            answer = beacons.map(Answer.nearby) ?? .done
        } else {
            answer = .failed(error ?? "no reason given")
        }
    }
}
