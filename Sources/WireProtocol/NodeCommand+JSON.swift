public import Bytes

extension NodeCommand {
    /// Writes the payload of a `nodes/<node>/command` topic.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("id", id)
        json.field("action", action.name)
        switch action {
        case .replay(let epoch, let fromSeq):
            json.field("epoch", epoch)
            json.field("from_seq", fromSeq)
        case .set(let changes):
            Self.write(changes, to: &json)
        case .determine(let region): json.field("region", region)
        case .silence(let subject, let duration):
            switch subject {
            case .region(let id): json.field("region", id)
            case .item(let id): json.field("item", id)
            case .all: json.field("all", true)
            }
            json.field("for", Double(duration) / 1e6, decimals: 6)
        case .rescan: break
        case .nearby(let duration): json.field("for", Double(duration) / 1e6, decimals: 6)
        case .advertise(.stop): json.field("stop", true)
        case .advertise(.start(let data, let duration)):
            json.field("frame", hex: data.span)
            json.field("seconds", Double(duration) / 1e6, decimals: 6)
        case .log(let level): json.field("level", level)
        case .clock(let offset): json.field("offset", Double(offset) / 1e6, decimals: 3)
        }
        json.endObject()
    }

    /// Reads such a payload. Unknown keys are ignored.
    public init(payload: Span<UInt8>) throws(CommandRefusal) {
        guard payload.count <= Self.payloadLimit else {
            throw CommandRefusal(id: nil, action: nil, fault: .tooLong(limit: Self.payloadLimit))
        }
        var fields = CommandFields()
        do throws(JSONFault) {
            var json = JSONReader(payload)
            try fields.read(&json)
            try json.end()
        } catch {
            throw CommandRefusal(id: fields.id, action: fields.action, fault: .notJSON(error))
        }
        do throws(CommandFault) {
            self.init(id: fields.id, action: try fields.parsed())
        } catch {
            throw CommandRefusal(id: fields.id, action: fields.action, fault: error)
        }
    }
}

extension NodeCommand {
    private static func write(_ changes: NodeChanges, to json: inout JSONWriter) {
        write("window", changes.window, to: &json) { $0.value(Double($1) / 1e6, decimals: 3) }
        write("publish", changes.publishesAll, to: &json) { $0.value($1 ? "all" : "registered") }
        write("exit_after", changes.exitAfter, to: &json) { $0.value(Double($1) / 1e6, decimals: 6) }
        write("offset_db", changes.offset, to: &json) { $0.value($1) }
    }

    private static func write<Value>(
        _ key: String, _ change: NodeChanges.Change<Value>?, to json: inout JSONWriter,
        _ write: (inout JSONWriter, Value) -> Void
    ) {
        guard let change else { return }
        json.key(key)
        switch change {
        case .override(let value): write(&json, value)
        case .restore: json.null()
        }
    }
}
