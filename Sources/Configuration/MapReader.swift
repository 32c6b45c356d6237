internal import CommandLine

/// Reads the keys of one map. A key that is never read is unknown.
public final class MapReader {
    /// The beginning of the map.
    public let position: ConfigurationPosition
    private let pairs: [YAMLPair]
    private let indices: [String: Int]
    private let reader: ConfigurationReader
    private var asked: [String] = []

    init(_ pairs: [YAMLPair], at position: ConfigurationPosition, of reader: ConfigurationReader) {
        self.pairs = pairs
        indices = Dictionary(pairs.enumerated().map { ($1.key, $0) }) { first, _ in first }
        self.position = position
        self.reader = reader
    }

    /// The value of a key; nil if it is absent or faulty.
    @discardableResult
    public func read<Value>(_ key: String, _ getter: ConfigurationReader.Getter<Value>) -> Value? {
        node(key).flatMap(getter)
    }

    /// The value of a required key.
    public func require<Value>(_ key: String, _ getter: ConfigurationReader.Getter<Value>) -> Value? {
        guard let node = node(key) else {
            reader.fault(position, "'\(key)' is missing")
            return nil
        }
        return getter(node)
    }

    /// The node of a key; nil if it is absent.
    public func node(_ key: String) -> YAMLNode? {
        asked.append(key)
        return pair(key)?.node
    }

    /// True if the map has a key.
    public func has(_ key: String) -> Bool { indices[key] != nil }

    /// True if the map has any of these keys.
    public func hasAny(of keys: [String]) -> Bool { keys.contains { has($0) } }

    /// The position of a key's value; without it that of the map.
    public func valuePlace(_ key: String) -> ConfigurationPosition {
        pair(key)?.node.position ?? position
    }

    /// The position of a key; without it that of the map.
    public func place(_ key: String) -> ConfigurationPosition {
        pair(key)?.position ?? position
    }

    func finish() {
        for pair in pairs where !asked.contains(pair.key) && !reader.isFull {
            let absent = asked.filter { !has($0) }
            let near = Spelling.nearest(to: pair.key, among: absent) ?? Spelling.nearest(to: pair.key, among: asked)
            let hint = near.map { "did you mean '\($0)'?" } ?? "known are \(asked.joined(separator: ", "))"
            reader.fault(pair.position, "unknown key \(Quoted.text(pair.key)); \(hint)")
        }
    }

    private func pair(_ key: String) -> YAMLPair? { indices[key].map { pairs[$0] } }
}
