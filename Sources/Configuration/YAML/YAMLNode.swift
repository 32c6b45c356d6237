/// One value of a YAML document (yaml.org, version 1.1 as libyaml reads it), with its position.
public struct YAMLNode: Hashable, Sendable {
    /// The kind and content of a value.
    public indirect enum Value: Hashable, Sendable {
        /// Text; `isPlain` if it is without quotes and isn't a block.
        case scalar(String, isPlain: Bool)
        /// A list.
        case sequence([YAMLNode])
        /// A map, in the order of the file, each key once.
        case mapping([YAMLPair])
        /// A value that was rejected and already reported.
        case refused
    }

    /// The value.
    public var value: Value
    /// The beginning of the value.
    public var position: ConfigurationPosition

    /// A value at its position.
    public init(_ value: Value, at position: ConfigurationPosition) {
        self.value = value
        self.position = position
    }

    /// True if it is empty: an empty plain text, `~` or `null`.
    public var isNothing: Bool {
        guard case .scalar(let text, isPlain: true) = value else { return false }
        return text.isEmpty || text == "~" || text.lowercased() == "null"
    }

    /// The value of a map's key; nil if it is absent.
    public subscript(key: String) -> YAMLNode? {
        guard case .mapping(let pairs) = value else { return nil }
        return pairs.first { $0.key == key }?.node
    }
}

/// A key of a map with its value.
public struct YAMLPair: Hashable, Sendable {
    /// The key's text.
    public var key: String
    /// The beginning of the key.
    public var position: ConfigurationPosition
    /// The value.
    public var node: YAMLNode

    /// A pair, with the position of the key.
    public init(_ key: String, at position: ConfigurationPosition, _ node: YAMLNode) {
        self.key = key
        self.position = position
        self.node = node
    }
}
