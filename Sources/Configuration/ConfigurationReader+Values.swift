public import BeaconFrames
internal import Bytes
internal import CommandLine
internal import System
internal import WireProtocol

/// Single values.
extension ConfigurationReader {
    /// The reader of one kind of value.
    public typealias Getter<Value> = (YAMLNode) -> Value?

    /// Text of one line, quoted or not.
    public func string(_ node: YAMLNode) -> String? {
        guard case .scalar(let text, _) = node.value, !node.isNothing else {
            expected("text", node)
            return nil
        }
        guard Log.escaped(text) == text else {
            expected("text without line ends and control characters", node)
            return nil
        }
        return text
    }

    /// An id that may be referred to elsewhere: `[a-z0-9_-]+`, at most 64 characters, not `away` or `unknown`.
    public func identifier(_ node: YAMLNode) -> String? {
        identifier(node) { ItemReader.complaint(id: $0) }
    }

    /// An id that is defined here and must differ from all others of the file, as must one that a fault proposes.
    public func newIdentifier(_ node: YAMLNode) -> String? {
        identifier(node) { self.suggestions.complaint(about: $0) }
    }

    private func identifier(_ node: YAMLNode, _ complaint: (String) -> String?) -> String? {
        if case .scalar(let text, _) = node.value, !node.isNothing {
            guard let words = complaint(text) else { return text }
            fault(node.position, Identifier.reserved.contains(text) ? "the id \(words)" : words)
            return nil
        }
        expected("an id of up to \(Identifier.maximumLength) small letters, digits, '_' and '-'", node)
        return nil
    }

    /// `true` or `false`, unquoted.
    public func boolean(_ node: YAMLNode) -> Bool? {
        switch node.value {
        case .scalar("true", isPlain: true): return true
        case .scalar("false", isPlain: true): return false
        default:
            expected("true or false", node)
            return nil
        }
    }

    /// An integer within bounds, unquoted.
    public func integer(_ range: ClosedRange<Int>) -> Getter<Int> {
        { node in
            let expectation = "a whole number from \(range.lowerBound) to \(range.upperBound)"
            guard case .scalar(let text, isPlain: true) = node.value, let value = Int(text), range.contains(value)
            else {
                self.expected(expectation, node)
                return nil
            }
            return value
        }
    }

    /// A number within bounds, unquoted.
    public func number(_ range: ClosedRange<Double>) -> Getter<Double> {
        { node in
            guard case .scalar(let text, isPlain: true) = node.value, let value = Self.decimal(text),
                range.contains(value)
            else {
                self.expected("a number from \(range.lowerBound) to \(range.upperBound)", node)
                return nil
            }
            return value
        }
    }

    /// A decimal number in common notation; not `nan`, `inf` or `0x1p3`, which Swift accepts as well.
    static func decimal(_ text: String) -> Double? {
        guard text.utf8.count <= 32, text.utf8.contains(where: { (0x30...0x39).contains($0) }) else { return nil }
        let allowed = text.utf8.allSatisfy {
            (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0)
        }
        return allowed ? Double(text) : nil
    }

    /// A duration such as `500ms`, `1s`, `2m`, `1h` or `30d`: whole milliseconds within bounds.
    public func duration(_ range: ClosedRange<Duration>) -> Getter<Duration> {
        { node in
            guard case .scalar(let text, _) = node.value, let value = DurationText.duration(text),
                range.contains(value)
            else {
                let bounds = "\(DurationText.text(range.lowerBound)) to \(DurationText.text(range.upperBound))"
                self.expected("a duration from \(bounds), with its unit ms, s, m, h or d", node)
                return nil
            }
            return value
        }
    }

    /// One of several texts.
    public func word(_ words: [String]) -> Getter<String> {
        { node in
            guard case .scalar(let text, _) = node.value, words.contains(text) else {
                var hint = ""
                if case .scalar(let text, _) = node.value { hint = Spelling.question(text, among: words) }
                self.expected(words.count == 1 ? words[0] : "one of \(words.joined(separator: ", "))", node, hint)
                return nil
            }
            return text
        }
    }

    /// A UUID with hyphens, 8-4-4-4-12 hexadecimal digits, or without.
    public func uuid(_ node: YAMLNode) -> BeaconUUID? {
        if case .scalar(let text, _) = node.value, let uuid = BeaconUUID(text) { return uuid }
        expected("a UUID such as 48534442-4c45-4144-80c0-1800ffffffff", node)
        return nil
    }

    /// An integer of the given number of hexadecimal digits.
    public func hexadecimal(digits: Int) -> Getter<UInt64> {
        { node in
            if case .scalar(let text, _) = node.value, text.utf8.count == digits,
                text.utf8.allSatisfy({ Hex.value($0) != nil }), let value = UInt64(text, radix: 16)
            {
                return value
            }
            self.expected("\(digits) hexadecimal digits", node)
            return nil
        }
    }

    // MARK: Lists and maps

    /// A list of valid elements, at most `bound` of them. Faulty elements are reported and left out.
    public func list<Value>(_ bound: Int = 10_000, of getter: @escaping Getter<Value>) -> Getter<[Value]> {
        { node in
            guard case .sequence(let nodes) = node.value else {
                self.expected("a list", node)
                return nil
            }
            guard nodes.count <= bound else {
                self.expected("at most \(bound) entries", node)
                return nil
            }
            return nodes.compactMap(getter)
        }
    }

    /// A map, read key by key; keys that `body` didn't read are faults when it returns.
    public func map<Value>(_ body: @escaping (MapReader) -> Value?) -> Getter<Value> {
        { node in
            guard case .mapping(let pairs) = node.value else {
                self.expected("a map of keys and values", node)
                return nil
            }
            let map = MapReader(pairs, at: node.position, of: self)
            let value = body(map)
            map.finish()
            return value
        }
    }

    /// The pairs of a map whose keys are ids.
    public func pairs(_ node: YAMLNode) -> [YAMLPair]? {
        guard case .mapping(let pairs) = node.value else {
            expected("a map of ids and values", node)
            return nil
        }
        return pairs
    }
}
