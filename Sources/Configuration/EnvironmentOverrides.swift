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
        "WHEREABOUTS_CONFIG", "WHEREABOUTS_SHARED", ServiceNotifier.fileVariable,
    ]

    /// The variable that sets a key's path.
    static func variable(_ path: String) -> String {
        prefix + String(path.uppercased().map { $0 == "." ? "_" : $0 })
    }

    /// Applies the environment to a tree whose scalars have these paths.
    static func apply(
        _ environment: [String: String], to root: inout YAMLNode, paths: [String], elsewhere: [String] = [],
        _ reader: ConfigurationReader
    ) {
        let known = Dictionary(paths.map { (variable($0), $0) }) { first, _ in first }
        let quiet = others.union(elsewhere.map(variable))
        for (name, value) in environment.sorted(by: { $0.key < $1.key }) where name.hasPrefix(prefix) {
            if let path = known[name] {
                if !value.isEmpty { set(path.split(separator: ".").map(String.init), value, from: name, in: &root) }
            } else if !quiet.contains(name) {
                let hint = Spelling.question(name, among: known.keys.sorted(), quotes: "")
                reader.warn(ConfigurationPosition(outside: name), "this variable sets no key\(hint)")
            }
        }
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
