internal import Configuration
internal import WireProtocol

/// The file of desired settings, to be kept in git:
///
///     all: {window: 1s, publish: registered, exit_after: 30s}
///     nodes:
///       kitchen: {offset_db: -3}
///       hall: {window: 500ms, exit_after: null}
///     fusers: {away_after: 90s, detect_clones: true}
///
/// A key that is absent is not managed, and `null` gives it back to the own file of the node or the fuser. There is one
/// map for all fusers: those that stand in for each other must agree.
enum SettingsFile {
    /// The name of the file unless another one is given.
    static let usualName = "settings.yaml"
    /// The most nodes of a file.
    static let nodeBound = Rollout.nodeLimit
    /// Parts of keys that hold secrets.
    private static let secretWords: Set<String> = [
        "password", "passwd", "passphrase", "secret", "token", "key", "keys", "irk", "credential", "credentials",
        "psk",
    ]

    /// Reads a file; throws every fault with its position.
    static func load(path: String) throws(ConfigurationFaults) -> DesiredSettings {
        let reader = ConfigurationReader()
        let settings = reader.tree(file: path).flatMap { read($0, reader) }
        try reader.check()
        return settings ?? DesiredSettings()
    }

    /// Reads a text.
    static func load(text: String, file: String) throws(ConfigurationFaults) -> DesiredSettings {
        let reader = ConfigurationReader()
        let settings = reader.tree(Array(text.utf8), file: file).flatMap { read($0, reader) }
        try reader.check()
        return settings ?? DesiredSettings()
    }

    private static func read(_ root: YAMLNode, _ reader: ConfigurationReader) -> DesiredSettings? {
        let document: ConfigurationReader.Getter<DesiredSettings> = reader.map { map in
            var settings = DesiredSettings()
            settings.all = map.read("all") { changes($0, reader) } ?? NodeChanges()
            settings.fusers = map.read("fusers") { fuserChanges($0, reader) } ?? FuserChanges()
            guard let pairs = map.read("nodes", reader.pairs) else { return settings }
            if pairs.count > nodeBound { reader.fault(map.place("nodes"), "more than \(nodeBound) nodes") }
            for pair in pairs {
                let name = YAMLNode(.scalar(pair.key, isPlain: true), at: pair.position)
                guard let id = reader.identifier(name) else { continue }
                settings.nodes[id] = changes(pair.node, reader)
            }
            return settings
        }
        return document(withoutSecrets(root, reader))
    }

    private static func changes(_ node: YAMLNode, _ reader: ConfigurationReader) -> NodeChanges? {
        let section: ConfigurationReader.Getter<NodeChanges> = reader.map { map in
            var changes = NodeChanges()
            changes.window = map.read(
                "window", change(reader, reader.duration(.milliseconds(100)...(.seconds(60)))))
            changes.publishesAll = map.read(
                "publish", change(reader) { reader.word(["registered", "all"])($0).map { $0 == "all" } })
            changes.exitAfter = map.read(
                "exit_after", change(reader, reader.duration(.seconds(1)...(.seconds(86_400)))))
            changes.offset = map.read("offset_db", change(reader, reader.integer(-40...40)))
            return changes
        }
        return section(withoutSecrets(node, reader))
    }

    private static func fuserChanges(_ node: YAMLNode, _ reader: ConfigurationReader) -> FuserChanges? {
        let section: ConfigurationReader.Getter<FuserChanges> = reader.map { map in
            var changes = FuserChanges()
            changes.awayAfter = map.read(
                "away_after", change(reader, reader.duration(.seconds(1)...(.seconds(86_400)))))
            changes.detectsClones = map.read("detect_clones", change(reader, reader.boolean))
            return changes
        }
        return section(withoutSecrets(node, reader))
    }

    /// A value, or `null` for that of the own file. An empty value is more likely forgotten than meant.
    private static func change<Value>(
        _ reader: ConfigurationReader, _ getter: @escaping ConfigurationReader.Getter<Value>
    ) -> ConfigurationReader.Getter<SettingChange<Value>> {
        { node in
            if node.value == .scalar("", isPlain: true) {
                reader.expected("a value, or null for that of its own file", node)
                return nil
            }
            return node.isNothing ? .restore : getter(node).map { .override($0) }
        }
    }

    /// A map without the keys that look like secrets, each of which is a fault.
    private static func withoutSecrets(_ node: YAMLNode, _ reader: ConfigurationReader) -> YAMLNode {
        guard case .mapping(let pairs) = node.value else { return node }
        let kept = pairs.filter { pair in
            let words = pair.key.lowercased().split { $0 == "_" || $0 == "-" || $0 == "." }.map(String.init)
            guard !secretWords.isDisjoint(with: words) else { return true }
            reader.fault(
                pair.position,
                "'\(pair.key)' looks like a secret, which travels by no topic and belongs in no git: take it out, "
                    + "and give it to the machine by `whereabouts enroll`")
            return false
        }
        return YAMLNode(.mapping(kept), at: node.position)
    }
}
