/// A configuration file of either program.
public enum ProgramConfiguration: Hashable, Sendable {
    /// An agent's.
    case agent(AgentConfiguration)
    /// A fuser's.
    case fuser(FuserConfiguration)

    /// Reads a file as that of an agent, or else of a fuser. Blocks while the disk does.
    ///
    /// Throws with every fault, as of the program whose keys it has, or else the one of which it breaks fewer rules.
    ///
    /// - Parameters:
    ///   - environment: the variables that override single keys.
    ///   - opensFiles: true to open the files that it names; otherwise secrets and items are empty, and the files
    ///     may be on another machine.
    public static func load(
        path: String, environment: [String: String], opensFiles: Bool = true
    ) throws(ConfigurationFaults) -> ProgramConfiguration {
        func read<Value>(
            _ body: (YAMLNode?, ConfigurationReader) throws(ConfigurationFaults) -> Value
        ) throws(ConfigurationFaults) -> Value {
            let reader = ConfigurationReader(opensFiles: opensFiles)
            return try body(reader.tree(file: path), reader)
        }
        do throws(ConfigurationFaults) {
            return .agent(
                try read { tree, reader throws(ConfigurationFaults) in
                    try AgentConfiguration.load(tree, environment, nil, reader)
                })
        } catch let agentFaults {
            do throws(ConfigurationFaults) {
                return .fuser(
                    try read { tree, reader throws(ConfigurationFaults) in
                        try FuserConfiguration.load(tree, environment, reader)
                    })
            } catch let fuserFaults {
                switch program(of: path) {
                case .agent: throw agentFaults
                case .fuser: throw fuserFaults
                case nil: throw fuserFaults.faults.count < agentFaults.faults.count ? fuserFaults : agentFaults
                }
            }
        }
    }

    private enum Program { case agent, fuser }

    /// The program whose keys a file has; nil for a file with keys of both, or of neither.
    private static func program(of path: String) -> Program? {
        let keys = keys(of: path)
        switch (keys.isDisjoint(with: ["node", "source", "room"]), keys.isDisjoint(with: ["name", "rooms", "nodes"])) {
        case (false, true): return .agent
        case (true, false): return .fuser
        default: return nil
        }
    }

    /// Whether a file is a person's, for commands: it holds nothing but `mqtt` and `topic_prefix`, as `enroll --user` writes
    /// it, and has neither program's name. A fuser can do with the same keys; its file is called `fuser.yaml` then.
    public static func isPersons(path: String) -> Bool {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        guard name != "fuser.yaml", name != "agent.yaml" else { return false }
        let keys = keys(of: path)
        return keys.contains("mqtt") && keys.isSubset(of: ["mqtt", "topic_prefix"])
    }

    /// The keys at the top of a file; none of a file that holds no mapping.
    private static func keys(of path: String) -> Set<String> {
        guard case .mapping(let pairs)? = ConfigurationReader(opensFiles: false).tree(file: path)?.value else {
            return []
        }
        return Set(pairs.map(\.key))
    }

    /// The connection to its broker.
    public var mqtt: MQTTSettings {
        switch self {
        case .agent(let agent): agent.mqtt
        case .fuser(let fuser): fuser.mqtt
        }
    }

    /// The beginning of all its topics.
    public var topicPrefix: String {
        switch self {
        case .agent(let agent): agent.topicPrefix
        case .fuser(let fuser): fuser.topicPrefix
        }
    }
}
