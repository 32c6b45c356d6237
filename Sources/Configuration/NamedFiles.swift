internal import System

/// A file that a configuration names, or the items file of a configuration.
public struct NamedFile: Hashable, Sendable {
    /// The key that names it, such as `mqtt.password_file`.
    public var key: String
    /// Its path, relative to the folder of the configuration unless it begins with `/`.
    public var place: String
    /// True if it holds a key or a password.
    public var isSecret: Bool
}

/// The files that belong to a configuration, as a backup needs them: found by the keys that name them, whatever else is
/// right or wrong in the file.
public enum NamedFiles {
    private static let plain: Set<String> = ["ca_file", "crl_file", "certificate_file", "certificate"]
    private static let secret: Set<String> = [
        "password_file", "key_file", "key_passphrase_file", "psk_file", "token_file", "passphrase_file", "irk_file",
    ]

    /// The files of the configuration at a path, in its order and each once: the items file, then the others. Credentials
    /// of systemd are left out. A folder of keys that can't be read stands for its keys. Throws if it is no YAML.
    public static func list(of path: String) throws(ConfigurationFaults) -> [NamedFile] {
        let reader = ConfigurationReader(opensFiles: false)
        let root = reader.tree(file: path)
        try reader.check()
        var found: [NamedFile] = []
        if let items = root?["items"], case .scalar(let text, _) = items.value, !text.isEmpty {
            found.append(NamedFile(key: "items", place: text, isSecret: false))
            // Keys of items are named in their file, from its folder on.
            if let tree = ConfigurationReader(opensFiles: false).tree(file: Files.path(text, besides: path)) {
                collect(tree, "items", from: text, &found)
            }
        }
        if let sites = root?["web"]?["sites"], case .scalar(let text, _) = sites.value, !text.isEmpty {
            found.append(NamedFile(key: "web.sites", place: text, isSecret: false))
            if let tree = ConfigurationReader(opensFiles: false).tree(file: Files.path(text, besides: path)) {
                collect(tree, "web.sites", from: text, &found)
            }
        }
        if let folder = root?["keys"], case .scalar(let text, _) = folder.value,
            !text.hasPrefix(SecretFile.credentialPrefix)
        {
            let place = text.hasSuffix("/") ? text : text + "/"
            do throws(SystemError) {
                // Those that restorations replaced are no keys in use.
                for name in try PrivateFiles.names(in: Files.path(place, besides: path))
                where !name.split(separator: ".").contains(where: { $0.hasPrefix("before-restore") }) {
                    found.append(NamedFile(key: "keys", place: place + name, isSecret: true))
                }
            } catch {
                // The reader of the folder meets the same reason.
                if error.kind != .missing { found.append(NamedFile(key: "keys", place: place, isSecret: true)) }
            }
        }
        if let root { collect(root, "", from: "", &found) }
        var places: Set<String> = []
        return found.filter { places.insert($0.place).inserted }
    }

    /// The path of a place, of the configuration at `path`.
    public static func path(of place: String, besides path: String) -> String { Files.path(place, besides: path) }

    private static func collect(_ node: YAMLNode, _ above: String, from file: String, _ found: inout [NamedFile]) {
        switch node.value {
        case .scalar, .refused: break
        case .sequence(let nodes): for node in nodes { collect(node, above, from: file, &found) }
        case .mapping(let pairs):
            for pair in pairs {
                let key = above.isEmpty ? pair.key : "\(above).\(pair.key)"
                let isSecret = secret.contains(pair.key) || key == "web.key"
                guard case .scalar(let text, _) = pair.node.value else {
                    collect(pair.node, key, from: file, &found)
                    continue
                }
                guard isSecret || plain.contains(pair.key), !text.isEmpty,
                    !text.hasPrefix(SecretFile.credentialPrefix)
                else { continue }
                found.append(NamedFile(key: key, place: Files.path(text, besides: file), isSecret: isSecret))
            }
        }
    }
}
