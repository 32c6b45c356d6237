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

    /// Reads such a payload. Unknown keys are passed over; anything that no honest node sends is a fault.
    ///
    /// The id isn't read: it follows from node, epoch and seq.
    public init(payload: Span<UInt8>) throws(PayloadFault) {
        var node: String?
        var epoch: String?
        var seq: UInt64?
        var at: Timestamp?
        var notBefore: Timestamp?
        var kind: Kind?
        var event = NodeEvent(
            node: "", epoch: "", seq: 0, at: Timestamp(microseconds: 0), notBefore: Timestamp(microseconds: 0),
            kind: .determined)
        try readPayload(payload, limit: Self.payloadLimit) { json throws(JSONFault) in
            try json.beginObject()
            while let key = try json.nextKey() {
                switch key {
                case "node": node = try json.string()
                case "epoch": epoch = try json.string()
                case "seq": seq = try json.integer(UInt64.self)
                case "at": at = try json.time()
                case "not_before": notBefore = try json.time()
                case "kind": kind = Kind(rawValue: try json.string())
                case "region": event.region = try json.string()
                case "state": event.state = RegionReport.State(rawValue: try json.string())
                case "beacon": event.beacon = try json.string()
                case "proximity": event.proximity = Window.Proximity(rawValue: try json.string())
                case "alert": event.alert = try json.string()
                case "rule": event.rule = try json.string()
                case "item": event.item = try json.string()
                case "count": event.count = try json.integer(Int.self)
                case "reason": event.reason = try json.string()
                case "replayed": event.isReplayed = try json.boolean()
                default: try json.skip()
                }
            }
        }
        event.node = try require(node, "node")
        event.epoch = try require(epoch, "epoch")
        event.seq = try require(seq, "seq")
        event.at = try require(at, "at")
        event.notBefore = try require(notBefore, "not_before")
        event.kind = try require(kind, "kind")
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
