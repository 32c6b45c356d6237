internal import Bytes

/// The keys of a command with their values of any type, validated as soon as the action is known.
struct CommandValues {
    private enum Value {
        case text(String)
        case number(Double)
        case flag(Bool)
        /// `null`, an object or an array.
        case other
    }

    /// Keys beyond the number that any action has are ignored.
    private static let keyLimit = 64

    private(set) var id: String?
    private(set) var action: String?
    private var values: [String: Value] = [:]

    /// Reads an object. A repeated key has its last value.
    @_lifetime(json: copy json)
    mutating func read(_ json: inout JSONReader) throws(JSONFault) {
        try json.beginObject()
        while let key = try json.nextKey() {
            let value = try Self.value(&json)
            guard values.count < Self.keyLimit || values[key] != nil else { continue }
            values[key] = value
            switch (key, value) {
            case ("id", .text(let text)) where text.utf8.count <= NodeCommand.idLimit: id = text
            // A number is common as an id, and is accepted as its text.
            case ("id", .number(let number)): id = Int64(exactly: number).map { String($0) }
            case ("action", .text(let text)): action = text
            default: break
            }
        }
    }

    @_lifetime(json: copy json)
    private static func value(_ json: inout JSONReader) throws(JSONFault) -> Value {
        if json.isString { return .text(try json.string()) }
        var probe = json
        var value = Value.other
        if let number = try? probe.number() {
            value = .number(number)
        } else {
            probe = json
            if let flag = try? probe.boolean() { value = .flag(flag) }
        }
        try json.skip()
        return value
    }

    /// The action; a missing one or one that is no text is a fault.
    func requireAction(of known: [String]) throws(CommandFault) -> String {
        if values["id"] != nil, id == nil {
            throw .badValue(key: "id", expected: "up to \(NodeCommand.idLimit) bytes of text")
        }
        if let action { return action }
        throw values["action"] == nil
            ? .missingAction(known: known) : .badValue(key: "action", expected: "text")
    }

    func has(_ key: String) -> Bool { values[key] != nil }

    /// A required, valid text.
    func text(
        _ key: String, _ expected: String, _ isGood: (String) -> Bool
    ) throws(CommandFault) -> String {
        switch values[key] {
        case .text(let text) where isGood(text): return text
        // A text may look like a number.
        case .number(let number):
            guard let whole = Int64(exactly: number), isGood(String(whole)) else { break }
            return String(whole)
        case nil: throw .missing(key: key, action: action ?? "")
        default: break
        }
        throw .badValue(key: key, expected: expected)
    }

    func id(_ key: String) throws(CommandFault) -> String {
        try text(key, "an id", Identifier.isValid)
    }

    /// A flag that is false by default.
    func flag(_ key: String) throws(CommandFault) -> Bool {
        switch values[key] {
        case .flag(let flag): return flag
        case nil: return false
        default: throw .badValue(key: key, expected: "true or false")
        }
    }

    /// A moment in Unix seconds; nil if it isn't given.
    func moment(_ key: String) throws(CommandFault) -> Timestamp? {
        guard let value = values[key] else { return nil }
        if case .number(let number) = value, let moment = Timestamp(seconds: number) { return moment }
        throw .badValue(key: key, expected: "a time in Unix seconds")
    }

    /// A whole number from 0 up to the largest that is exact in JSON.
    func count(_ key: String) throws(CommandFault) -> UInt64 {
        switch values[key] {
        case .number(let number) where (0...0x1p53).contains(number):
            if let count = UInt64(exactly: number) { return count }
        case nil: throw .missing(key: key, action: action ?? "")
        default: break
        }
        throw .badValue(key: key, expected: "a whole number, 0 or more")
    }

    /// Seconds within bounds, as microseconds.
    func duration(_ key: String, _ range: ClosedRange<Double>) throws(CommandFault) -> Int64 {
        switch values[key] {
        case .number(let number) where range.contains(number): return Int64((number * 1e6).rounded())
        case nil: throw .missing(key: key, action: action ?? "")
        default:
            throw .badValue(key: key, expected: "seconds from \(range.lowerBound) to \(range.upperBound)")
        }
    }
}
