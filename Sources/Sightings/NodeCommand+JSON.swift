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
            json.field("window", changes.window.map { Double($0) / 1e6 }, decimals: 6)
            json.field("publish", changes.publishesAll.map { $0 ? "all" : "registered" })
            json.field("exit_after", changes.exitAfter.map { Double($0) / 1e6 }, decimals: 6)
            json.field("offset_db", changes.offset, decimals: 3)
        case .silence(let subject, let duration):
            switch subject {
            case .region(let id): json.field("region", id)
            case .item(let id): json.field("item", id)
            }
            json.field("for", Double(duration) / 1e6, decimals: 6)
        case .nearby(let duration): json.field("for", Double(duration) / 1e6, decimals: 6)
        case .advertise(.stop): json.field("stop", true)
        case .advertise(.start(let data, let duration)):
            json.field("frame", hex: data.span)
            json.field("seconds", Double(duration) / 1e6, decimals: 6)
        case .log(let level): json.field("level", level)
        }
        json.endObject()
    }

    /// The payload in bytes.
    public var payload: [UInt8] {
        var json = JSONWriter()
        write(to: &json)
        return json.bytes
    }

    /// Reads such a payload. Unknown keys are passed over.
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

/// The keys that commands know, whatever the action: each as text, number or flag, and judged when the action is known.
private struct CommandFields {
    var id: String?
    var action: String?
    private var texts: [String: String] = [:]
    private var numbers: [String: Double] = [:]
    private var flags: [String: Bool] = [:]
    private var fromSeq: UInt64?
    /// Keys whose value has the wrong type.
    private var odd: Set<String> = []

    private static let textKeys: Set<String> = ["epoch", "publish", "region", "item", "frame", "level"]
    private static let numberKeys: Set<String> = ["window", "exit_after", "offset_db", "for", "seconds"]

    @_lifetime(json: copy json)
    mutating func read(_ json: inout JSONReader) throws(JSONFault) {
        try json.beginObject()
        while let key = try json.nextKey() {
            var probe = json
            switch key {
            case "id", "action":
                guard json.isString else {
                    // A number for an id is common, and its text serves as well.
                    if key == "id", let number = try? probe.integer(Int64.self) {
                        id = String(number)
                    } else {
                        odd.insert(key)
                    }
                    try json.skip()
                    continue
                }
                let text = try json.string()
                if text.utf8.count > NodeCommand.idLimit { odd.insert(key) }
                if key == "action" { action = text } else if text.utf8.count <= NodeCommand.idLimit { id = text }
            case "from_seq":
                if let number = try? probe.integer(UInt64.self) { fromSeq = number } else { odd.insert(key) }
                try json.skip()
            case "stop":
                if let flag = try? probe.boolean() { flags[key] = flag } else { odd.insert(key) }
                try json.skip()
            case _ where Self.textKeys.contains(key):
                if json.isString {
                    texts[key] = try json.string()
                } else {
                    odd.insert(key)
                    try json.skip()
                }
            case _ where Self.numberKeys.contains(key):
                if let number = try? probe.number() { numbers[key] = number } else { odd.insert(key) }
                try json.skip()
            default: try json.skip()
            }
        }
    }

    func parsed() throws(CommandFault) -> NodeCommand.Action {
        if odd.contains("id") { throw .badValue(key: "id", expected: "up to \(NodeCommand.idLimit) bytes of text") }
        guard let action else {
            throw odd.contains("action") ? .badValue(key: "action", expected: "text") : .missingAction
        }
        switch action {
        case "replay":
            let epoch = try text("epoch", "an epoch of up to 64 bytes") { Identifier.isEpoch($0) }
            guard let fromSeq else { throw absent("from_seq", "a whole number of 0 or more") }
            return .replay(epoch: epoch, fromSeq: fromSeq)
        case "set": return .set(try changes())
        case "silence":
            guard (texts["region"] == nil) != (texts["item"] == nil) else {
                throw .badValue(key: "region", expected: "either 'region' or 'item'")
            }
            let time = try duration("for", 0...(30 * 86_400))
            if texts["region"] == nil { return .silence(.item(try id("item")), for: time) }
            return .silence(.region(try id("region")), for: time)
        case "nearby":
            guard numbers["for"] != nil || odd.contains("for") else { return .nearby(for: 5_000_000) }
            return .nearby(for: try duration("for", 1...60))
        case "advertise":
            if flags["stop"] == true { return .advertise(.stop) }
            let words = "1 to 31 bytes of advertising data in hexadecimal digits"
            let digits = try text("frame", words) { (1...31).contains(Hex.bytes($0)?.count ?? 0) }
            return .advertise(.start(data: Hex.bytes(digits) ?? [], for: try duration("seconds", 0.1...86_400)))
        case "log":
            let levels = NodeCommand.logLevels
            return .log(level: try text("level", "one of \(levels.joined(separator: ", "))") { levels.contains($0) })
        default: throw .unknownAction(action)
        }
    }

    private func changes() throws(CommandFault) -> NodeChanges {
        var changes = NodeChanges()
        if has("window") { changes.window = try duration("window", 0.1...60) }
        if has("publish") {
            let word = try text("publish", "registered or all") { $0 == "registered" || $0 == "all" }
            changes.publishesAll = word == "all"
        }
        if has("exit_after") { changes.exitAfter = try duration("exit_after", 1...86_400) }
        if has("offset_db") { changes.offset = try number("offset_db", "decibels", -40...40) }
        guard !changes.isEmpty else {
            throw .missing(key: "window, publish, exit_after or offset_db", action: "set")
        }
        return changes
    }

    private func has(_ key: String) -> Bool { texts[key] != nil || numbers[key] != nil || odd.contains(key) }

    private func absent(_ key: String, _ expected: String) -> CommandFault {
        odd.contains(key) ? .badValue(key: key, expected: expected) : .missing(key: key, action: action ?? "")
    }

    private func text(
        _ key: String, _ expected: String, _ isGood: (String) -> Bool
    ) throws(CommandFault) -> String {
        guard let text = texts[key] else { throw absent(key, expected) }
        guard isGood(text) else { throw .badValue(key: key, expected: expected) }
        return text
    }

    private func id(_ key: String) throws(CommandFault) -> String {
        try text(key, "an id", Identifier.isValid)
    }

    private func number(
        _ key: String, _ words: String, _ range: ClosedRange<Double>
    ) throws(CommandFault) -> Double {
        let expected = "\(words) from \(range.lowerBound) to \(range.upperBound)"
        guard let number = numbers[key] else { throw absent(key, expected) }
        guard range.contains(number) else { throw .badValue(key: key, expected: expected) }
        return number
    }

    /// Seconds within bounds, as microseconds.
    private func duration(_ key: String, _ range: ClosedRange<Double>) throws(CommandFault) -> Int64 {
        Int64((try number(key, "seconds", range) * 1e6).rounded())
    }
}
