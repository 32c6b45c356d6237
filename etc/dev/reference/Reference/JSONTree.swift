internal import Bytes

/// A JSON text as a tree, in the order of its keys.
indirect enum JSONTree {
    case object([(key: String, value: JSONTree)])
    case array([JSONTree])
    case text(String)
    case number(Double)
    case flag(Bool)
    case null

    /// Reads a payload; nil where it is no JSON.
    init?(_ payload: [UInt8]) {
        var json = JSONReader(payload.span)
        guard let tree = try? Self.read(&json) else { return nil }
        self = tree
    }

    @_lifetime(json: copy json)
    private static func read(_ json: inout JSONReader) throws(JSONFault) -> JSONTree {
        if json.isString { return .text(try json.string()) }
        var probe = json
        if (try? probe.beginObject()) != nil {
            var pairs: [(key: String, value: JSONTree)] = []
            try json.beginObject()
            while let key = try json.nextKey() { pairs.append((key, try read(&json))) }
            return .object(pairs)
        }
        probe = json
        if (try? probe.beginArray()) != nil {
            var elements: [JSONTree] = []
            try json.beginArray()
            while try json.nextElement() { elements.append(try read(&json)) }
            return .array(elements)
        }
        probe = json
        if let number = try? probe.number() {
            try json.skip()
            return .number(number)
        }
        probe = json
        if let flag = try? probe.boolean() {
            try json.skip()
            return .flag(flag)
        }
        try json.skip()
        return .null
    }

    /// The tree in bytes.
    var payload: [UInt8] {
        var json = JSONWriter()
        write(to: &json)
        return json.bytes
    }

    private func write(to json: inout JSONWriter) {
        switch self {
        case .object(let pairs):
            json.beginObject()
            for (key, value) in pairs {
                json.key(key)
                value.write(to: &json)
            }
            json.endObject()
        case .array(let elements):
            json.beginArray()
            for element in elements { element.write(to: &json) }
            json.endArray()
        case .text(let text): json.value(text)
        case .number(let number): json.value(number, decimals: 6)
        case .flag(let flag): json.value(flag)
        case .null: json.null()
        }
    }

    /// The word of its type.
    var type: String {
        switch self {
        case .object: "object"
        case .array(let elements): elements.first.map { "list of \(Self.plural($0.type))" } ?? "list"
        case .text: "text"
        case .number: "number"
        case .flag: "true or false"
        case .null: "null"
        }
    }

    private static func plural(_ type: String) -> String {
        if type.hasPrefix("list of ") { return "lists of " + type.dropFirst("list of ".count) }
        return type == "text" ? "texts" : type + "s"
    }

    /// The types of all keys by their paths: keys joined by `.`, `[]` for the elements of a list.
    var types: [(path: String, type: String)] { types(under: "") }

    private func types(under path: String) -> [(path: String, type: String)] {
        switch self {
        case .object(let pairs):
            return pairs.flatMap { key, value in
                let child = path.isEmpty ? key : "\(path).\(key)"
                return [(child, value.type)] + value.types(under: child)
            }
        case .array(let elements): return elements.flatMap { $0.types(under: path + "[]") }
        default: return []
        }
    }
}
