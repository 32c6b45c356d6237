public import CommandLine

/// The broker of an operator's command, with the origin of its address.
///
/// The first of `--broker URL`, `--config FILE`, `WHEREABOUTS_CONFIG`, `WHEREABOUTS_MQTT_URL`, and the fuser's or the
/// agent's file in `/etc/whereabouts`. Only `mqtt` and `topic_prefix` of a file are checked, so that a command works
/// despite faults in other keys. The variables that override those keys apply here as well.
public struct BrokerChoice: Hashable, Sendable {
    /// The connection to the broker.
    public var mqtt: MQTTSettings
    /// The beginning of all topics.
    public var topicPrefix: String
    /// The discovery prefix of Home Assistant's output; nil if the output is off in the file.
    public var discoveryPrefix: String?
    /// The name of the fuser whose file it is; nil if the broker is not of such a file.
    public var fuser: String?
    /// The option, variable or file with the broker's address.
    public var origin: String
    /// The warnings, which don't prevent a start.
    public var warnings: [ConfigurationFault] = []

    /// The options that a command declares for this.
    public static let options = [
        CommandOption("--config", .text("FILE"), help: "the agent's or the fuser's file, for its broker"),
        CommandOption("--broker", .text("URL"), help: "the broker, such as mqtt://127.0.0.1:1883"),
    ]

    /// The files that are tried last.
    public static let defaultFiles = ["/etc/whereabouts/fuser.yaml", "/etc/whereabouts/agent.yaml"]

    /// The first readable one of these files; nil if there is none.
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
            // Without `finish()`: other keys don't concern this command.
            let map = MapReader(pairs, at: root.position, of: reader)
            let mqtt = map.require("mqtt", MQTTSettings.getter(reader))
            let prefix = map.read("topic_prefix", reader.topicPrefix)
            choice = mqtt.map { BrokerChoice(mqtt: $0, topicPrefix: prefix ?? "whereabouts", origin: origin) }
            // Without a file the output may be on.
            let isFile = origin != "--broker" && origin != "WHEREABOUTS_MQTT_URL"
            if isFile, case .scalar(let name, _)? = root["name"]?.value { choice?.fuser = name }
            choice?.discoveryPrefix = isFile ? discoveryPrefix(root) : HomeAssistantSettings().discoveryPrefix
        } else {
            reader.expected("a map of keys and values", root)
        }
        try reader.check()
        guard var choice else { throw ConfigurationFaults([]) }
        choice.warnings = reader.warnings
        return choice
    }

    /// The text in the file, right or wrong: under a wrong prefix nothing is found.
    private static func discoveryPrefix(_ root: YAMLNode) -> String? {
        guard case .scalar("true", _)? = root["outputs"]?["home_assistant"]?.value else { return nil }
        guard case .scalar(let prefix, _)? = root["home_assistant"]?["discovery_prefix"]?.value else {
            return HomeAssistantSettings().discoveryPrefix
        }
        return prefix
    }
}
