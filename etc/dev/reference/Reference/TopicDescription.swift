/// One key of a payload, as the documentation describes it. Its type comes from a sample that the encoder wrote.
public struct PayloadKey: Sendable {
    /// Keys joined by `.`, `[]` for the elements of a list, `<name>` for any other key of an object.
    public var path: String
    /// The unit, or the values that there are, in Markdown; empty for neither.
    public var unit: String
    /// The meaning, in Markdown.
    public var meaning: String

    init(_ path: String, _ unit: String, _ meaning: String) {
        (self.path, self.unit, self.meaning) = (path, unit, meaning)
    }

    /// The same keys in an object, or in the objects of a list, at a path.
    static func nested(_ parent: String, _ keys: [PayloadKey]) -> [PayloadKey] {
        keys.map { PayloadKey("\(parent).\($0.path)", $0.unit, $0.meaning) }
    }
}

/// A value of the program with the payload that it was encoded to.
public struct PayloadSample: Sendable {
    /// The value.
    public var value: any Sendable
    /// Its payload.
    public var payload: [UInt8]
}

/// An object in JSON: its keys, and samples that together hold each of them.
public struct PayloadObject: Sendable {
    /// The described keys.
    public var keys: [PayloadKey]
    /// Payloads as the program encodes them.
    public var samples: [PayloadSample]

    /// The described path of a key in a payload; nil where none is described.
    public func described(_ path: String) -> String? {
        let known = Set(keys.map(\.path))
        if known.contains(path) { return path }
        // Names are keys of objects that no description lists.
        var way: [Substring] = []
        for step in path.split(separator: ".") {
            let exact = (way + [step]).joined(separator: ".")
            if known.contains(exact) {
                way.append(step)
                continue
            }
            let parent = way.joined(separator: ".")
            let open = known.first { key in
                let (head, last) = Self.split(key)
                return head == parent && last.hasPrefix("<")
            }
            guard let open else { return nil }
            way = open.split(separator: ".")
        }
        return way.joined(separator: ".")
    }

    /// The types of keys, by their described paths, as they stand in the samples; undescribed keys by their own.
    public var types: [String: String] {
        var types: [String: String] = [:]
        for sample in samples {
            for (path, type) in JSONTree(sample.payload)?.types ?? [] {
                let name = described(path) ?? path
                // A list that is empty in one sample says less.
                if types[name] == nil || types[name] == "list" { types[name] = type }
            }
        }
        return types
    }

    /// The keys of a payload that are not described.
    public func undescribed(in payload: [UInt8]) -> [String] {
        (JSONTree(payload)?.types ?? []).map(\.path).filter { described($0) == nil }
    }

    private static func split(_ path: String) -> (head: String, last: String) {
        guard let dot = path.lastIndex(of: ".") else { return ("", path) }
        return (String(path[..<dot]), String(path[path.index(after: dot)...]))
    }

    /// The page's table.
    var table: String {
        let types = types
        return Markdown.table(
            ["key", "type", "unit or values", "meaning"],
            keys.map { [Markdown.code($0.path), types[$0.path] ?? "", $0.unit, $0.meaning] })
    }

    /// The samples, as the program encodes them.
    var examples: String {
        Markdown.block(samples.map { String(decoding: $0.payload, as: UTF8.self) }.joined(separator: "\n"), "json")
    }
}

/// One kind of topic.
public struct TopicDescription: Sendable {
    /// The content of a message.
    public enum Payload: Sendable {
        /// Plain text, described in words.
        case text(String)
        /// JSON.
        case object(PayloadObject)
        /// Described elsewhere, in Markdown.
        case elsewhere(String)
    }

    /// The topic without the prefix, with `<name>` for each level that varies.
    public var pattern: String
    /// The quality of service of its messages.
    public var qos: Int
    /// True if the broker retains them.
    public var isRetained: Bool
    /// The programs that publish on it.
    public var publishers: Set<Publisher>
    /// The purpose, a sentence.
    public var meaning: String
    /// The payload.
    public var payload: Payload

    /// A kind of client.
    public enum Publisher: String, Sendable, CaseIterable {
        case node, fuser, client
    }

    init(
        _ pattern: String, qos: Int, retained: Bool, by publishers: Set<Publisher>, _ meaning: String,
        _ payload: Payload
    ) {
        (self.pattern, self.qos, self.isRetained, self.publishers) = (pattern, qos, retained, publishers)
        (self.meaning, self.payload) = (meaning, payload)
    }
}
