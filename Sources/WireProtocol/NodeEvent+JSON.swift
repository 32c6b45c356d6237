public import Bytes

extension NodeEvent {
    static let payloadLimit = 4096

    /// Writes the payload of a `nodes/<node>/events` topic.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("v", Window.version)
        json.field("node", node)
        json.field("epoch", epoch)
        json.field("seq", seq)
        json.field("id", id)
        json.field("at", at)
        json.field("not_before", notBefore)
        json.field("kind", kind.rawValue)
        json.field("region", region)
        json.field("state", state?.rawValue)
        json.field("beacon", beacon)
        json.field("proximity", proximity?.rawValue)
        json.field("alert", alert)
        json.field("rule", rule)
        json.field("item", item)
        json.field("count", count)
        json.field("reason", reason)
        if isReplayed { json.field("replayed", true) }
        json.endObject()
    }

    /// Reads such a payload. Unknown keys are ignored; a value that no valid node sends is a fault.
    ///
    /// The id isn't read: it follows from node, epoch and seq.
    public init(payload: Span<UInt8>) throws(PayloadFault) {
        try self.init(
            try readPayload(payload, limit: Self.payloadLimit) { json throws(JSONFault) in try Self.parts(&json) })
    }

    /// The fields of an object before validation.
    struct Parts {
        fileprivate var node: String?
        fileprivate var epoch: String?
        fileprivate var seq: UInt64?
        fileprivate var at: Timestamp?
        fileprivate var notBefore: Timestamp?
        fileprivate var kind: Kind?
        fileprivate var event = NodeEvent(
            node: "", epoch: "", seq: 0, at: Timestamp(microseconds: 0), notBefore: Timestamp(microseconds: 0),
            kind: .determined)
    }

    /// Reads an object.
    @_lifetime(json: copy json)
    static func parts(_ json: inout JSONReader) throws(JSONFault) -> Parts {
        var parts = Parts()
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "node": parts.node = try json.string()
            case "epoch": parts.epoch = try json.string()
            case "seq": parts.seq = try json.integer(UInt64.self)
            case "at": parts.at = try json.time()
            case "not_before": parts.notBefore = try json.time()
            case "kind": parts.kind = Kind(rawValue: try json.string())
            case "region": parts.event.region = try json.string()
            case "state": parts.event.state = RegionReport.State(rawValue: try json.string())
            case "beacon": parts.event.beacon = try json.string()
            case "proximity": parts.event.proximity = Window.Proximity(rawValue: try json.string())
            case "alert": parts.event.alert = try json.string()
            case "rule": parts.event.rule = try json.string()
            case "item": parts.event.item = try json.string()
            case "count": parts.event.count = try json.integer(Int.self)
            case "reason": parts.event.reason = try json.string()
            case "replayed": parts.event.isReplayed = try json.boolean()
            default: try json.skip()
            }
        }
        return parts
    }

    /// Validates the fields.
    init(_ parts: Parts) throws(PayloadFault) {
        var event = parts.event
        event.node = try require(parts.node, "node")
        event.epoch = try require(parts.epoch, "epoch")
        event.seq = try require(parts.seq, "seq")
        event.at = try require(parts.at, "at")
        event.notBefore = try require(parts.notBefore, "not_before")
        event.kind = try require(parts.kind, "kind")
        guard Identifier.isValid(event.node) else { throw .outOfRange("node") }
        guard Identifier.isEpoch(event.epoch) else { throw .outOfRange("epoch") }
        guard event.seq > 0 else { throw .outOfRange("seq") }
        guard event.notBefore <= event.at else { throw .outOfRange("not_before") }
        guard event.region.map(Identifier.isValid) ?? true else { throw .outOfRange("region") }
        guard event.beacon.map(Identifier.isBeaconLevel) ?? true else { throw .outOfRange("beacon") }
        guard event.alert.map(Identifier.isValid) ?? true else { throw .outOfRange("alert") }
        guard event.rule.map(Identifier.isValid) ?? true else { throw .outOfRange("rule") }
        guard event.item.map(Identifier.isValid) ?? true else { throw .outOfRange("item") }
        guard event.count.map({ $0 > 0 }) ?? true else { throw .outOfRange("count") }
        guard event.reason.map(Identifier.isValid) ?? true else { throw .outOfRange("reason") }
        self = event
    }
}
