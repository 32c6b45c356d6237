internal import BrokerSession
internal import Configuration
internal import System

/// The configuration file that is set up, as it was and as it becomes.
struct SetupFile {
    static let defaultPath = "/etc/whereabouts/agent.yaml"
    /// The group of the service, which must read the files.
    static let group = "whereabouts"
    /// The file if there is none yet.
    private static let template = """
        # Configuration of whereabouts-agent, by whereabouts-agent setup. All keys are in
        # /usr/share/doc/whereabouts/docs/configuration.md.
        source: hci:auto
        state: /var/lib/whereabouts/agent.sqlite

        """

    /// Its path, without links on the way.
    let path: String
    /// Its content; nil if there was none.
    let former: [UInt8]?
    let text: ConfigurationText

    /// Reads the file, or begins a new one.
    init(path: String) throws {
        self.path = PrivateFiles.resolved(path)
        former =
            PrivateFiles.exists(self.path) ? try WholeFile.read(self.path, bound: YAMLReader.sizeBound) : nil
        text = try ConfigurationText(former ?? Array(Self.template.utf8), file: self.path)
    }

    var node: String? { text.text("node") }
    var room: String? { text.text("room") }
    /// The first broker, as it is written.
    var brokerText: String? {
        if let url = text.text("mqtt", "url") { return url }
        guard case .sequence(let urls)? = text.root["mqtt"]?["urls"]?.value,
            case .scalar(let first, _)? = urls.first?.value
        else { return nil }
        return first
    }
    /// The broker; nil if there is none, or if it is written wrongly.
    var broker: BrokerURL? { brokerText.flatMap { try? BrokerURL($0) } }
    var username: String? { text.text("mqtt", "username") }
    var authorities: String? { text.text("mqtt", "ca_file") }
    var passwordFile: String? { text.text("mqtt", "password_file") }

    /// The file for a password that is typed: the one that is named already, or one beside this one.
    var ownPasswordFile: String {
        let folder = PrivateFiles.folder(of: path)
        if let passwordFile, !passwordFile.hasPrefix("credential:") {
            return passwordFile.hasPrefix("/") ? passwordFile : "\(folder)/\(passwordFile)"
        }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return "\(folder)/\(name.hasSuffix(".yaml") ? String(name.dropLast(5)) : name).password"
    }

    /// The text with the answers in it.
    ///
    /// - Parameter passwordFile: the path of a file with the password that was typed.
    func edited(_ answers: SetupAnswers, passwordFile: String) throws(ConfigurationFaults) -> ConfigurationText {
        var text = text
        if let node = answers.node { try text.set("node", .text(node)) }
        if let room = answers.room, self.room != nil || room != answers.node ?? node {
            try text.set("room", .text(room), below: "node")
        }
        var changes: [(key: String, value: String?)] = []
        if let broker = answers.broker, broker != self.broker {
            changes.append(("url", broker.description))
            changes.append(("urls", nil))
        }
        if let authorities = answers.authorities {
            changes.append(("ca_file", authorities.isEmpty ? nil : authorities))
        }
        if let username = answers.username {
            changes.append(("username", username.isEmpty ? nil : username))
            if username.isEmpty { changes.append(("password_file", nil)) }
        }
        switch answers.password {
        case .file(let path)?: changes.append(("password_file", path))
        case .typed?: changes.append(("password_file", passwordFile))
        case nil: break
        }
        if changes.contains(where: { $0.value != nil || text.text("mqtt", $0.key) != nil }) {
            try text.set("mqtt", .map(changes), below: "node")
        }
        return text
    }

    /// The changes, a line each, that turn the file into another text.
    func differences(to other: ConfigurationText) -> [String] {
        TextDifference.lines(from: former == nil ? [] : text.lines, to: other.lines).map(Self.withoutSecrets)
    }

    /// Writes a text in the file's place, and keeps the file beside it with the ending `.old`.
    func write(_ text: ConfigurationText) throws(SystemError) {
        if let former {
            try PrivateFiles.replace(former, at: formerPath, like: path, sharedWith: Self.group)
        }
        try PrivateFiles.replace(text.bytes, at: path, like: path, sharedWith: Self.group)
    }

    /// The path at which the former file is kept.
    var formerPath: String { path + ".old" }

    /// A line in which a URL, right or wrong, shows no name and password.
    private static func withoutSecrets(_ line: String) -> String {
        guard let at = line.lastIndex(of: "@"), let colon = line.firstIndex(of: ":"), colon < at,
            line[colon...].utf8.contains(UInt8(ascii: "/"))
        else { return line }
        return "\(line[...colon]) …\(line[at...])"
    }
}
