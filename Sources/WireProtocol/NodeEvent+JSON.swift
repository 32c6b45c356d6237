public import Bytes

extension NodeEvent {
    /// Writes the payload of a `nodes/<node>/events` topic.
    public func write(to json: inout JSONWriter) { writeObject(to: &json) }

    /// Reads such a payload. Unknown keys are ignored; a value that no valid node sends is a fault.
    ///
    /// The id isn't read: it follows from node, epoch and seq.
    public init(payload: Span<UInt8>) throws(PayloadFault) { try self.init(payload: payload, limit: 4096) }
}

extension NodeEvent: WireObject {
    static var blank: Self {
        let none = Timestamp(microseconds: 0)
        return Self(node: "", epoch: "", seq: 0, at: none, notBefore: none, kind: .determined)
    }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        fields.version()
        try fields.required("node", &node, where: Identifier.isValid)
        try fields.required("epoch", &epoch, where: Identifier.isEpoch)
        try fields.required("seq", &seq, where: { (1...ItemEvent.latest).contains($0) })
        fields.written { $0.field("id", id) }
        try fields.required("at", &at)
        try fields.required("not_before", &notBefore)
        fields.check("not_before", notBefore <= at)
        try fields.required("kind", &kind)
        try fields.field("region", &region, where: Identifier.isValid)
        try fields.field("state", &state)
        try fields.field("beacon", &beacon, where: Identifier.isBeaconLevel)
        try fields.field("proximity", &proximity)
        try fields.field("alert", &alert, where: Identifier.isValid)
        try fields.field("rule", &rule, where: Identifier.isValid)
        try fields.field("item", &item, where: Identifier.isValid)
        try fields.field("count", &count) { (1...ItemAlerts.countLimit).contains($0) }
        try fields.field("reason", &reason, where: Identifier.isValid)
        try fields.field("replayed", &isReplayed, unless: false)
    }
}

extension NodeEvent.Kind: WireValue {}
