public import CommandLine

/// The broker that an operator's command talks to, and from where that is known.
///
/// `--broker URL`, else `--config FILE`, else `WHEREABOUTS_CONFIG`, else `WHEREABOUTS_MQTT_URL`, else the fuser's or the
/// agent's file in `/etc/whereabouts`. Of a file only `mqtt` and `topic_prefix` are judged, so that a command works
/// while other keys are wrong. The variables that override those keys hold here as well.
public struct BrokerChoice: Hashable, Sendable {
    /// How to reach the broker.
    public var mqtt: MQTTSettings
    /// What all topics begin with.
    public var topicPrefix: String
    /// Under which discovery prefix Home Assistant is told; nil where a file says that it isn't.
    public var discoveryPrefix: String?
    /// The option, variable or file that named the broker.
    public var origin: String
    /// What is odd, and no reason to stop.
    public var warnings: [ConfigurationFault] = []

    /// The options that a command declares for this.
    public static let options = [
        CommandOption("--config", .text("FILE"), help: "the agent's or the fuser's file, for its broker"),
        CommandOption("--broker", .text("URL"), help: "the broker, such as mqtt://127.0.0.1:1883"),
    ]

    /// The files that are looked for last.
    public static let defaultFiles = ["/etc/whereabouts/fuser.yaml", "/etc/whereabouts/agent.yaml"]

    /// The first of these files that can be read; nil where there is none.
    public static func firstReadable(_ paths: [String]) -> String? {
        paths.first { Files.problem(opening: $0) == nil }
    }

    /// Finds the broker by the values of `--config` and `--broker` and the environment; throws with every fault.
    public static func find(
        config: String?, broker: String?, environment: [String: String], defaultFiles: [String] = defaultFiles
    ) throws(ConfigurationFaults) -> BrokerChoice {
        let reader = ConfigurationReader(environment: environment)
        let variable = environment["WHEREABOUTS_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
        if config != nil, broker != nil {
            reader.fault(ConfigurationPosition(outside: "--broker"), "give either --config or --broker")
        }
        var root = YAMLNode(.mapping([]), at: ConfigurationPosition(outside: "--broker"))
        var origin = "--broker"
        var tree: YAMLNode? = root
        if broker == nil {
            if let path = config ?? variable {
                tree = reader.tree(
                    file: path,
                    namedAt: ConfigurationPosition(outside: config == nil ? "WHEREABOUTS_CONFIG" : "--config"))
                origin = path
            } else if environment["WHEREABOUTS_MQTT_URL"]?.isEmpty == false {
                origin = "WHEREABOUTS_MQTT_URL"
            } else if let path = firstReadable(defaultFiles) {
                tree = reader.tree(file: path)
                origin = path
            } else {
                let message = "no broker is named: give --broker URL or --config FILE"
                reader.fault(ConfigurationPosition(outside: defaultFiles.joined(separator: ", ")), message)
            }
        }
        try reader.check()
        root = tree ?? root
        let paths = ["topic_prefix"] + MQTTSettings.keys.map { "mqtt.\($0)" }
        let elsewhere = AgentConfiguration.paths + FuserConfiguration.paths
        EnvironmentOverrides.apply(environment, to: &root, paths: paths, elsewhere: elsewhere, reader)
        if let broker { EnvironmentOverrides.set(["mqtt", "url"], broker, from: "--broker", in: &root) }
        var choice: BrokerChoice?
        if case .mapping(let pairs) = root.value {
            // Without `finish()`: other keys are not this command's business.
            let map = MapReader(pairs, at: root.position, of: reader)
            let mqtt = map.require("mqtt", MQTTSettings.getter(reader))
            let prefix = map.read("topic_prefix", reader.topicPrefix)
            choice = mqtt.map { BrokerChoice(mqtt: $0, topicPrefix: prefix ?? "whereabouts", origin: origin) }
            // Without a file nobody says that it isn't told.
            let isFile = origin != "--broker" && origin != "WHEREABOUTS_MQTT_URL"
            choice?.discoveryPrefix = isFile ? discoveryPrefix(root) : HomeAssistantSettings().discoveryPrefix
        } else {
            reader.expected("a map of keys and values", root)
        }
        try reader.check()
        guard var choice else { throw ConfigurationFaults([]) }
        choice.warnings = reader.warnings
        return choice
    }

    /// As the file has it, right or wrong: where it is wrong nothing is found there.
    private static func discoveryPrefix(_ root: YAMLNode) -> String? {
        guard case .scalar("true", _)? = root["outputs"]?["home_assistant"]?.value else { return nil }
        guard case .scalar(let prefix, _)? = root["home_assistant"]?["discovery_prefix"]?.value else {
            return HomeAssistantSettings().discoveryPrefix
        }
        return prefix
    }
}
