internal import Bytes

/// The keys of commands, independent of the action: each as text, number or flag, validated as soon as the action is
/// known.
struct CommandFields {
    var id: String?
    var action: String?
    private var texts: [String: String] = [:]
    private var numbers: [String: Double] = [:]
    private var flags: [String: Bool] = [:]
    private var fromSeq: UInt64?
    /// Keys whose value has the wrong type.
    private var odd: Set<String> = []
    /// Keys whose value is `null`: of the wrong type except for settings, which it restores.
    private var nulls: Set<String> = []

    private static let textKeys: Set<String> = ["epoch", "publish", "region", "item", "frame", "level"]
    private static let settingKeys: Set<String> = ["window", "publish", "exit_after", "offset_db"]
    private static let numberKeys: Set<String> = ["window", "exit_after", "offset_db", "for", "seconds", "offset"]

    @_lifetime(json: copy json)
    mutating func read(_ json: inout JSONReader) throws(JSONFault) {
        try json.beginObject()
        while let key = try json.nextKey() {
            var probe = json
            if Self.settingKeys.contains(key), probe.null() {
                nulls.insert(key)
                try json.skip()
                continue
            }
            switch key {
            case "id", "action":
                guard json.isString else {
                    // A number is common as an id, and is accepted as its text.
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
            case "stop", "all":
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
            throw odd.contains("action")
                ? .badValue(key: "action", expected: "text")
                : .missingAction(known: NodeCommand.actions)
        }
        switch action {
        case "replay":
            let epoch = try text("epoch", "an epoch of up to 64 bytes") { Identifier.isEpoch($0) }
            guard let fromSeq else { throw absent("from_seq", "a whole number of 0 or more") }
            return .replay(epoch: epoch, fromSeq: fromSeq)
        case "set": return .set(try changes())
        case "determine":
            return .determine(region: texts["region"] == nil && !odd.contains("region") ? nil : try id("region"))
        case "silence":
            let isForAll = flags["all"] == true
            guard [texts["region"] != nil, texts["item"] != nil, isForAll].count(where: \.self) == 1 else {
                throw .badValue(key: "region", expected: "one of 'region', 'item' and 'all'")
            }
            let time = try duration("for", 0...(30 * 86_400))
            if isForAll { return .silence(.all, for: time) }
            if texts["region"] == nil { return .silence(.item(try id("item")), for: time) }
            return .silence(.region(try id("region")), for: time)
        case "rescan": return .rescan
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
        case "clock": return .clock(offset: try duration("offset", -1e11...1e11))
        default: throw .unknownAction(action, known: NodeCommand.actions)
        }
    }

    private func changes() throws(CommandFault) -> NodeChanges {
        var changes = NodeChanges()
        changes.window = try change("window") { key throws(CommandFault) in
            let time = try duration(key, 0.1...60)
            guard time % 1000 == 0 else {
                throw .badValue(key: key, expected: "seconds from 0.1 to 60.0 in whole milliseconds")
            }
            return time
        }
        changes.publishesAll = try change("publish") { key throws(CommandFault) in
            try text(key, "registered or all") { $0 == "registered" || $0 == "all" } == "all"
        }
        changes.exitAfter = try change("exit_after") { key throws(CommandFault) in try duration(key, 1...86_400) }
        changes.offset = try change("offset_db") { key throws(CommandFault) in
            let decibels = try number(key, "whole decibels", -40...40)
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

    private func change<Value>(
        _ key: String, _ read: (String) throws(CommandFault) -> Value
    ) throws(CommandFault) -> NodeChanges.Change<Value>? {
        if nulls.contains(key) { return .restore }
        return has(key) ? .override(try read(key)) : nil
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
