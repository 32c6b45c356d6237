public import BeaconFrames
public import Bytes
internal import Identity

/// Single values, each read completely even if it is invalid, so that the next one can be validated.
extension ItemReader {
    /// A UUID with a major and a minor.
    @_lifetime(json: copy json)
    public mutating func uuidParts(
        _ key: String, _ json: inout JSONReader
    ) throws(JSONFault) -> (uuid: BeaconUUID, major: UInt16, minor: UInt16)? {
        let start = json.offset
        guard try isNext("{", key, "an object with uuid, major and minor", &json) else { return nil }
        var uuid: BeaconUUID?
        var major: Int?
        var minor: Int?
        var given: Set<String> = []
        try json.beginObject()
        while let name = try json.nextKey() {
            given.insert(name)
            let offset = json.offset
            switch name {
            case "uuid":
                let form = "a UUID of 8-4-4-4-12 hexadecimal digits"
                guard let text = try text("\(key).uuid", form, &json) else { continue }
                uuid = BeaconUUID(text)
                if uuid == nil { expected("\(key).uuid", form, text, offset) }
            case "major": major = try integer("\(key).major", 0...65535, "a whole number", &json)
            case "minor": minor = try integer("\(key).minor", 0...65535, "a whole number", &json)
            default: try json.skip()
            }
        }
        missing(["uuid", "major", "minor"], given, key, start)
        guard let uuid, let major, let minor else { return nil }
        return (uuid, UInt16(major), UInt16(minor))
    }

    @_lifetime(json: copy json)
    mutating func eddystone(_ key: String, _ json: inout JSONReader) throws(JSONFault) -> BeaconID? {
        let start = json.offset
        guard try isNext("{", key, "an object with namespace and instance", &json) else { return nil }
        var namespace: EddystoneUID.Namespace?
        var instance: UInt64?
        var given: Set<String> = []
        try json.beginObject()
        while let name = try json.nextKey() {
            given.insert(name)
            let offset = json.offset
            switch name {
            case "namespace":
                guard let text = try text("\(key).namespace", "20 hexadecimal digits", &json) else { continue }
                namespace = EddystoneUID.Namespace(text)
                if namespace == nil { expected("\(key).namespace", "20 hexadecimal digits", text, offset) }
            case "instance":
                guard let text = try text("\(key).instance", "12 hexadecimal digits", &json) else { continue }
                let bytes = Hex.bytes(text) ?? []
                guard bytes.count == 6 else {
                    expected("\(key).instance", "12 hexadecimal digits", text, offset)
                    continue
                }
                instance = bytes.reduce(0) { $0 << 8 | UInt64($1) }
            default: try json.skip()
            }
        }
        missing(["namespace", "instance"], given, key, start)
        guard let namespace, let instance else { return nil }
        return .eddystone(namespace, instance)
    }

    /// A name of one line.
    @_lifetime(json: copy json)
    public mutating func name(_ key: String, _ json: inout JSONReader) throws(JSONFault) -> String? {
        let offset = json.offset
        guard let text = try text(key, "text", &json) else { return nil }
        if let complaint = Self.complaint(name: text) {
            faults.append(ItemFault(key, complaint, at: offset))
            return nil
        }
        return text
    }

    /// The fault of a name, and the remedy; nil if it is valid.
    public static func complaint(name: String) -> String? {
        guard !name.isEmpty, name.utf8.count <= nameLimit else { return "expected 1 to \(nameLimit) bytes" }
        guard name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            return "expected one line without control characters"
        }
        return nil
    }

    @_lifetime(json: copy json)
    mutating func date(_ key: String, _ json: inout JSONReader) throws(JSONFault) -> Timestamp? {
        let offset = json.offset
        let form = "Unix seconds up to the year 2100"
        guard let seconds = try number(key, form, &json) else { return nil }
        guard Self.dates.contains(seconds), let time = Timestamp(seconds: seconds) else {
            expected(key, form, "\(seconds)", offset)
            return nil
        }
        return time
    }

    /// An integer within bounds; anything else is recorded as a fault.
    @_lifetime(json: copy json)
    public mutating func integer(
        _ key: String, _ range: ClosedRange<Int>, _ words: String, _ json: inout JSONReader
    ) throws(JSONFault) -> Int? {
        let offset = json.offset
        let form = "\(words) from \(range.lowerBound) to \(range.upperBound)"
        var probe = json
        if let value = try? probe.integer(Int.self) {
            json = probe
            if range.contains(value) { return value }
            expected(key, form, "\(value)", offset)
        } else if let value = try number(key, form, &json) {
            // To JSON Schema, 115.0 is a whole number as 115 is.
            if let whole = Int(exactly: value), range.contains(whole) { return whole }
            expected(key, form, "\(value)", offset)
        }
        return nil
    }

    @_lifetime(json: copy json)
    mutating func number(_ key: String, _ form: String, _ json: inout JSONReader) throws(JSONFault) -> Double? {
        var probe = json
        if let value = try? probe.number() {
            json = probe
            return value
        }
        faults.append(ItemFault(key, "expected \(form)", at: json.offset))
        try json.skip()
        return nil
    }

    /// A string; anything else is recorded as a fault.
    @_lifetime(json: copy json)
    public mutating func text(
        _ key: String, _ form: String, _ json: inout JSONReader
    ) throws(JSONFault) -> String? {
        if json.isString { return try json.string() }
        faults.append(ItemFault(key, "expected \(form), as text in quotes", at: json.offset))
        try json.skip()
        return nil
    }

    /// Returns true if an object or a list is next; anything else is recorded as a fault and skipped.
    @_lifetime(json: copy json)
    mutating func isNext(
        _ bracket: Character, _ key: String, _ form: String, _ json: inout JSONReader
    ) throws(JSONFault) -> Bool {
        var probe = json
        if bracket == "{", (try? probe.beginObject()) != nil { return true }
        if bracket == "[", (try? probe.beginArray()) != nil { return true }
        faults.append(ItemFault(key, "expected \(form)", at: json.offset))
        try json.skip()
        return false
    }

    mutating func missing(_ names: [String], _ given: Set<String>, _ key: String, _ offset: Int) {
        for name in names where !given.contains(name) {
            faults.append(ItemFault("\(key).\(name)", "is missing", at: offset))
        }
    }

    mutating func expected(_ key: String, _ form: String, _ found: String, _ offset: Int) {
        faults.append(ItemFault(key, "expected \(form), found '\(Self.short(found))'", at: offset))
    }

    /// The value that was read, short enough for a message, on one line, and without a key.
    static func short(_ text: String) -> String {
        let text = KeyText.hidden(in: String(text.prefix(256)))
        let plain = text.unicodeScalars.prefix(40).map {
            $0.properties.generalCategory == .control ? " " : Character($0)
        }
        return String(plain) + (text.unicodeScalars.count > 40 ? "…" : "")
    }
}
