/// One value of a YAML document (yaml.org, version 1.1 as libyaml reads it), with its place.
public struct YAMLNode: Hashable, Sendable {
    /// What a value is.
    public indirect enum Value: Hashable, Sendable {
        /// Text; `isPlain` where it stands without quotes and isn't a block.
        case scalar(String, isPlain: Bool)
        /// A list.
        case sequence([YAMLNode])
        /// A map, in the order of the file, each key once.
        case mapping([YAMLPair])
        /// Something that was refused, and told as a fault, already.
        case refused
    }

    /// The value.
    public var value: Value
    /// Where it begins.
    public var position: ConfigurationPosition

    /// A value at its place.
    public init(_ value: Value, at position: ConfigurationPosition) {
        self.value = value
        self.position = position
    }

    /// Whether nothing was written: an empty plain text, `~` or `null`.
    public var isNothing: Bool {
        guard case .scalar(let text, isPlain: true) = value else { return false }
        return text.isEmpty || text == "~" || text.lowercased() == "null"
    }

    /// The value of a map's key, or nil.
    public subscript(key: String) -> YAMLNode? {
        guard case .mapping(let pairs) = value else { return nil }
        return pairs.first { $0.key == key }?.node
    }
}

/// A key of a map with its value.
public struct YAMLPair: Hashable, Sendable {
    /// The key's text.
    public var key: String
    /// Where the key begins.
    public var position: ConfigurationPosition
    /// The value.
    public var node: YAMLNode

    /// A pair, its key at its place.
    public init(_ key: String, at position: ConfigurationPosition, _ node: YAMLNode) {
        self.key = key
        self.position = position
        self.node = node
    }
}
