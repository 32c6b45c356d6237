internal import CommandLine
internal import System

/// Environment variables that set single keys, for containers.
///
/// `WHEREABOUTS_` and the key's path in capitals, levels joined by `_`: `WHEREABOUTS_MQTT_URL` sets `mqtt.url`. An
/// empty variable counts as unset. A path in a variable is relative to the working directory.
enum EnvironmentOverrides {
    static let prefix = "WHEREABOUTS_"
    /// The variables with another meaning.
    static let others: Set<String> = [
        "WHEREABOUTS_CONFIG", "WHEREABOUTS_SHARED", "WHEREABOUTS_PACKAGE", "WHEREABOUTS_UPGRADES",
        ServiceNotifier.fileVariable,
    ]

    /// The variable that sets a key's path.
    static func variable(_ path: String) -> String {
        prefix + String(path.uppercased().map { $0 == "." ? "_" : $0 })
    }

    /// Applies the environment to a tree whose scalars have these paths.
    ///
    /// - Parameter shorthands: keys of the tree whose value may be a scalar in place of a map, with the key of that map
    ///   that such a scalar sets.
    static func apply(
        _ environment: [String: String], to root: inout YAMLNode, paths: [String], elsewhere: [String] = [],
        shorthands: [String: String] = [:], _ reader: ConfigurationReader
    ) {
        let known = Dictionary(paths.map { (variable($0), $0) }) { first, _ in first }
        let quiet = others.union(elsewhere.map(variable))
        for (name, value) in environment.sorted(by: { $0.key < $1.key }) where name.hasPrefix(prefix) {
            if let path = known[name] {
                if value.isEmpty { continue }
                var keys = path.split(separator: ".").map(String.init)
                if let key = keys.first, let inner = shorthands[key] {
                    if keys.count == 1 { keys.append(inner) }
                    expand(key, to: inner, in: &root)
                }
                set(keys, value, from: name, in: &root)
            } else if !quiet.contains(name) {
                let hint = Spelling.question(name, among: known.keys.sorted(), quotes: "")
                reader.warn(ConfigurationPosition(outside: name), "this variable sets no key\(hint)")
            }
        }
    }

    /// Writes a scalar of a key as the map that it stands for.
    private static func expand(_ key: String, to inner: String, in root: inout YAMLNode) {
        guard case .mapping(var pairs) = root.value, let index = pairs.firstIndex(where: { $0.key == key }),
            case .scalar = pairs[index].node.value, !pairs[index].node.isNothing
        else { return }
        let scalar = pairs[index].node
        pairs[index].node = YAMLNode(.mapping([YAMLPair(inner, at: scalar.position, scalar)]), at: scalar.position)
        root.value = .mapping(pairs)
    }

    /// Sets one scalar, and makes the maps on the way to it. A value of another kind on the way stays.
    static func set(_ path: [String], _ value: String, from source: String, in node: inout YAMLNode) {
        let position = ConfigurationPosition(outside: source)
        guard let key = path.first else {
            node = YAMLNode(.scalar(value, isPlain: true), at: position)
            return
        }
        if node.isNothing { node = YAMLNode(.mapping([]), at: position) }
        guard case .mapping(var pairs) = node.value else { return }
        let index = pairs.firstIndex { $0.key == key } ?? pairs.count
        if index == pairs.count {
            pairs.append(YAMLPair(key, at: position, YAMLNode(.scalar("", isPlain: true), at: position)))
        }
        set(Array(path.dropFirst()), value, from: source, in: &pairs[index].node)
        if path.count == 1 { pairs[index].position = position }
        node.value = .mapping(pairs)
    }
}
