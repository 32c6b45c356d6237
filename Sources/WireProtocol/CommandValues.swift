internal import Bytes

/// The keys of a command with their values of any type, validated as soon as the action is known.
struct CommandValues {
    private enum Value {
        case text(String)
        /// A number without fraction or exponent.
        case whole(Int128)
        case number(Double)
        case flag(Bool)
        case null
        /// An object or an array.
        case other
    }

    /// Keys beyond the number that any action has are ignored.
    private static let keyLimit = 64

    private(set) var id: String?
    private(set) var action: String?
    private var values: [String: Value] = [:]
    /// A Boolean value that is true if a whole number is accepted where a text is expected.
    private let readsNumbersAsText: Bool

    /// Reads a command: its id, and its action by `action`.
    static func read<Action>(
        _ payload: Span<UInt8>, readsNumbersAsText: Bool = false,
        _ action: (CommandValues) throws(CommandFault) -> Action
    ) throws(CommandRefusal) -> (id: String?, action: Action) {
        guard payload.count <= NodeCommand.payloadLimit else {
            throw CommandRefusal(id: nil, action: nil, fault: .tooLong(limit: NodeCommand.payloadLimit))
        }
        var values = CommandValues(readsNumbersAsText: readsNumbersAsText)
        do throws(JSONFault) {
            var json = JSONReader(payload)
            try values.read(&json)
            try json.end()
        } catch {
            throw CommandRefusal(id: values.id, action: values.action, fault: .notJSON(error))
        }
        do throws(CommandFault) {
            return (values.id, try action(values))
        } catch {
            throw CommandRefusal(id: values.id, action: values.action, fault: error)
        }
    }

    private init(readsNumbersAsText: Bool) {
        self.readsNumbersAsText = readsNumbersAsText
    }

    /// Reads an object. A repeated key has its last value.
    @_lifetime(json: copy json)
    private mutating func read(_ json: inout JSONReader) throws(JSONFault) {
        try json.beginObject()
        while let key = try json.nextKey() {
            let value = try Self.value(&json)
            guard values.count < Self.keyLimit || values[key] != nil else { continue }
            values[key] = value
            switch key {
            // A number is common as an id, and is accepted as its text.
            case "id":
                let text = Self.text(of: value, orWhole: true)
                if let text, text.utf8.count <= NodeCommand.idLimit { id = text }
            case "action": action = Self.text(of: value, orWhole: false) ?? action
            default: break
            }
        }
    }

    @_lifetime(json: copy json)
    private static func value(_ json: inout JSONReader) throws(JSONFault) -> Value {
        if json.isString { return .text(try json.string()) }
        if json.null() { return .null }
        var probe = json
        var value = Value.other
        if let whole = try? probe.integer(Int128.self) {
            value = .whole(whole)
        } else {
            probe = json
            if let number = try? probe.number() {
                value = .number(number)
            } else {
                probe = json
                if let flag = try? probe.boolean() { value = .flag(flag) }
            }
        }
        try json.skip()
        return value
    }

    private static func text(of value: Value?, orWhole: Bool) -> String? {
        if case .text(let text) = value { return text }
        return orWhole ? whole(value).flatMap { Int64(exactly: $0) }.map { String($0) } : nil
    }

    private static func whole(_ value: Value?) -> Int128? {
        switch value {
        case .whole(let whole): whole
        case .number(let number): Int128(exactly: number)
        case .text, .flag, .null, .other, nil: nil
        }
    }

    private func number(_ key: String) -> Double? {
        switch values[key] {
        case .whole(let whole): Double(whole)
        case .number(let number): number
        case .text, .flag, .null, .other, nil: nil
        }
    }

    /// The fault of a key that is absent or has another form than the expected one.
    private func fault(_ key: String, _ expected: String) -> CommandFault {
        has(key) ? .badValue(key: key, expected: expected) : .missing(key: key, action: action ?? "")
    }

    /// The action; a missing one or one that is no text is a fault.
    func requireAction(of known: [String]) throws(CommandFault) -> String {
        if has("id"), id == nil {
            throw .badValue(key: "id", expected: "up to \(NodeCommand.idLimit) bytes of text")
        }
        if let action { return action }
        throw has("action") ? .badValue(key: "action", expected: "text") : .missingAction(known: known)
    }

    func has(_ key: String) -> Bool { values[key] != nil }

    func isNull(_ key: String) -> Bool { if case .null = values[key] { true } else { false } }

    func isText(_ key: String) -> Bool { if case .text = values[key] { true } else { false } }

    func isTrue(_ key: String) -> Bool { if case .flag(true) = values[key] { true } else { false } }

    /// A required, valid text.
    func text(_ key: String, _ expected: String, _ isGood: (String) -> Bool) throws(CommandFault) -> String {
        guard let text = Self.text(of: values[key], orWhole: readsNumbersAsText), isGood(text) else {
            throw fault(key, expected)
        }
        return text
    }

    func id(_ key: String) throws(CommandFault) -> String {
        try text(key, "an id", Identifier.isValid)
    }

    /// A flag that is false by default.
    func flag(_ key: String) throws(CommandFault) -> Bool {
        switch values[key] {
        case .flag(let flag): return flag
        case nil: return false
        case .text, .whole, .number, .null, .other: throw .badValue(key: key, expected: "true or false")
        }
    }

    /// A moment in Unix seconds; nil if it isn't given.
    func moment(_ key: String) throws(CommandFault) -> Timestamp? {
        guard has(key) else { return nil }
        if let number = number(key), let moment = Timestamp(seconds: number) { return moment }
        throw .badValue(key: key, expected: "a time in Unix seconds")
    }

    /// A whole number from 0 up to `limit`.
    func count(_ key: String, _ expected: String, limit: UInt64 = .max) throws(CommandFault) -> UInt64 {
        guard let count = Self.whole(values[key]).flatMap({ UInt64(exactly: $0) }), count <= limit else {
            throw fault(key, expected)
        }
        return count
    }

    func number(_ key: String, _ words: String, _ range: ClosedRange<Double>) throws(CommandFault) -> Double {
        guard let number = number(key), range.contains(number) else {
            throw fault(key, "\(words) from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Seconds within bounds, rounded to a microsecond.
    func duration(_ key: String, _ range: ClosedRange<Double>) throws(CommandFault) -> Duration {
        .microseconds(Int64((try number(key, "seconds", range) * 1e6).rounded()))
    }
}
