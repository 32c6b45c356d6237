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
            changes.writeFields(to: &json)
        case .determine(let region): json.field("region", region)
        case .silence(let subject, let duration):
            switch subject {
            case .region(let id): json.field("region", id)
            case .item(let id): json.field("item", id)
            case .all: json.field("all", true)
            }
            json.field("for", duration.seconds, decimals: 6)
        case .rescan: break
        case .nearby(let duration): json.field("for", duration.seconds, decimals: 6)
        case .advertise(.stop): json.field("stop", true)
        case .advertise(.start(let data, let duration)):
            json.field("frame", hex: data.span)
            json.field("seconds", duration.seconds, decimals: 6)
        case .log(let level): json.field("level", level)
        case .clock(let offset): json.field("offset", offset.seconds, decimals: 3)
        case .upgrade(let version): json.field("version", version)
        }
        json.endObject()
    }

    /// Reads such a payload. Unknown keys are ignored.
    public init(payload: Span<UInt8>) throws(CommandRefusal) {
        (id, action) = try CommandValues.read(payload, Self.action)
    }

    private static func action(_ values: CommandValues) throws(CommandFault) -> Action {
        let name = try values.requireAction(of: actions)
        switch name {
        case "replay":
            return .replay(
                epoch: try values.text("epoch", "an epoch of up to 64 bytes", Identifier.isEpoch),
                fromSeq: try values.count("from_seq", "a whole number of 0 or more"))
        case "set": return .set(try changes(values))
        case "determine": return .determine(region: values.has("region") ? try values.id("region") : nil)
        case "silence":
            let isForAll = values.isTrue("all")
            guard [values.isText("region"), values.isText("item"), isForAll].count(where: \.self) == 1 else {
                throw .badValue(key: "region", expected: "one of 'region', 'item' and 'all'")
            }
            let time = try values.duration("for", 0...(30 * 86_400))
            if isForAll { return .silence(.all, for: time) }
            if values.isText("item") { return .silence(.item(try values.id("item")), for: time) }
            return .silence(.region(try values.id("region")), for: time)
        case "rescan": return .rescan
        case "nearby": return .nearby(for: values.has("for") ? try values.duration("for", 1...60) : .seconds(5))
        case "advertise":
            if values.isTrue("stop") { return .advertise(.stop) }
            let words = "1 to 31 bytes of advertising data in hexadecimal digits"
            let digits = try values.text("frame", words) { (1...31).contains(Hex.bytes($0)?.count ?? 0) }
            let time = try values.duration("seconds", 0.1...86_400)
            return .advertise(.start(data: Hex.bytes(digits) ?? [], for: time))
        case "log":
            return .log(
                level: try values.text("level", "one of \(logLevels.joined(separator: ", "))", logLevels.contains))
        case "clock": return .clock(offset: try values.duration("offset", -1e11...1e11))
        case "upgrade":
            return .upgrade(version: try values.text("version", "the version of a Debian package", isPackageVersion))
        default: throw .unknownAction(name, known: actions)
        }
    }

    private static func changes(_ values: CommandValues) throws(CommandFault) -> NodeChanges {
        var changes = NodeChanges()
        changes.window = try values.change("window") { key throws(CommandFault) in
            let time = try values.duration(key, 0.1...60)
            guard time == .milliseconds(time.milliseconds) else {
                throw .badValue(key: key, expected: "seconds from 0.1 to 60.0 in whole milliseconds")
            }
            return time
        }
        changes.publishesAll = try values.change("publish") { key throws(CommandFault) in
            try values.text(key, "registered or all") { $0 == "registered" || $0 == "all" } == "all"
        }
        changes.exitAfter = try values.change("exit_after") { key throws(CommandFault) in
            try values.duration(key, 1...86_400)
        }
        changes.offset = try values.change("offset_db") { key throws(CommandFault) in
            let decibels = try values.number(key, "whole decibels", -40...40)
            guard decibels == decibels.rounded() else {
                throw .badValue(key: key, expected: "whole decibels, as levels are")
            }
            return Int(decibels)
        }
        guard !changes.isEmpty else {
            throw .missing(key: "window, publish, exit_after or offset_db", action: "set")
        }
        return changes
    }
}
