public import Alerts
public import Identity

/// The configuration file of an agent.
public struct AgentConfiguration: Hashable, Sendable {
    /// The choice of published beacons (`publish`).
    public enum Publish: String, CaseIterable, Sendable {
        /// Items, and beacons that a region matches.
        case registered
        /// Every beacon.
        case all
    }

    /// An additional form of publication (`outputs`).
    public enum Output: String, CaseIterable, Sendable {
        case homeAssistant = "home_assistant"
        case espresense
        case mqttRoom = "mqtt_room"
    }

    /// The node's id (`node`).
    public var node: String
    /// The node's room; the node's id by default (`room`).
    public var room: String
    /// The source of its advertisements, default `hci:auto` (`source`).
    public var source: AgentSource
    /// The broker (`mqtt`).
    public var mqtt: MQTTSettings
    /// The beginning of all topics, default `whereabouts` (`topic_prefix`).
    public var topicPrefix: String
    /// The length of an interval, 100 ms to 60 s in whole milliseconds, default 1 s (`window`). Nodes may differ:
    /// intervals are multiples of it since 1970 on every node.
    public var window: Duration
    /// The choice of published beacons, default `registered` (`publish`).
    public var publish: Publish
    /// Decibels added to every level that the adapter reports, −40 to 40, default 0 (`offset_db`).
    public var offset = 0
    /// The items file (`items`).
    public var itemsFile: String?
    /// The content of the items file.
    public var items: [Item]
    /// The prefixes of the paths of key files such as `phone.irk`, in the order of the search: the folder of `keys`,
    /// and that of systemd's credentials.
    public var keyFolders: [String] = []
    /// The regions that the node watches (`regions`).
    public var regions: [Region]
    /// The settings of an adapter's scan (`radio`).
    public var radio = RadioSettings()
    /// The alert rules (`alerts`).
    public var alerts: [AlertRule] = []
    /// The reactions to regions and items being determined, entered and left (`reactions`, and `on_…` of a region).
    public var reactions: [Reactions] = []
    /// The enabled outputs (`outputs`).
    public var outputs: Set<Output>
    /// The settings of the output for Home Assistant (`home_assistant`).
    public var homeAssistant = HomeAssistantSettings()
    /// The topics for other systems (`neighbours`).
    public var neighbours = NeighboursSettings()
    /// The address of its metrics (`web`).
    public var web: WebSettings?
    /// The state database (`state`).
    public var state: String?
    /// True if the log is lines of JSON (`log: json`).
    public var logsJSON = false
    /// The warnings, which don't prevent a start.
    public var warnings: [ConfigurationFault] = []

    /// The environment variables that set single keys.
    public static var variables: [String] { paths.map(EnvironmentOverrides.variable) }

    static let paths = Array(pathsBySection.joined())
    private static let pathsBySection: [[String]] = [
        ["node", "room", "source", "topic_prefix", "window", "publish", "offset_db", "items", "keys", "state", "log"],
        MQTTSettings.keys.map { "mqtt.\($0)" },
        Output.allCases.map { "outputs.\($0.rawValue)" },
        WebSettings.keys.map { "web.\($0)" },
        RadioSettings.keys.map { "radio.\($0)" },
        HomeAssistantSettings.agentKeys.map { "home_assistant.\($0)" },
    ]

    /// Reads a file, with overrides by the environment and `--source`; throws with every fault at once.
    ///
    /// Also reads the files that it names, except captures and scenarios, which must only exist.
    public static func load(
        path: String, environment: [String: String], overriding source: String? = nil
    ) throws(ConfigurationFaults) -> AgentConfiguration {
        let reader = ConfigurationReader(environment: environment)
        return try load(reader.tree(file: path), environment, source, reader)
    }

    /// Reads a text, whose paths are relative to the folder of `file`.
    ///
    /// - Parameter opensFiles: true to open the files that it names; otherwise secrets and items are empty.
    public static func load(
        text: String, file: String, environment: [String: String] = [:], overriding source: String? = nil,
        opensFiles: Bool = true
    ) throws(ConfigurationFaults) -> AgentConfiguration {
        try load(
            bytes: Array(text.utf8), file: file, environment: environment, overriding: source, opensFiles: opensFiles)
    }

    /// Reads bytes, whose paths are relative to the folder of `file`.
    public static func load(
        bytes: [UInt8], file: String, environment: [String: String] = [:], overriding source: String? = nil,
        opensFiles: Bool = true
    ) throws(ConfigurationFaults) -> AgentConfiguration {
        let reader = ConfigurationReader(environment: environment, opensFiles: opensFiles)
        return try load(reader.tree(bytes, file: file), environment, source, reader)
    }

    static func load(
        _ tree: YAMLNode?, _ environment: [String: String], _ source: String?, _ reader: ConfigurationReader
    ) throws(ConfigurationFaults) -> AgentConfiguration {
        var configuration: AgentConfiguration?
        if var root = tree {
            EnvironmentOverrides.apply(
                environment, to: &root, paths: paths, elsewhere: FuserConfiguration.paths, reader)
            if let source { EnvironmentOverrides.set(["source"], source, from: "--source", in: &root) }
            configuration = reader.map { read($0, reader) }(root)
        }
        try reader.check()
        guard var configuration else { throw ConfigurationFaults([]) }
        configuration.warnings = reader.warnings
        return configuration
    }

    private static func read(_ map: MapReader, _ reader: ConfigurationReader) -> AgentConfiguration? {
        let node = map.require("node", reader.identifier)
        let room = map.read("room", reader.identifier)
        let source = map.read("source", reader.agentSource)
        let mqtt = map.require("mqtt", MQTTSettings.getter(reader))
        let prefix = map.read("topic_prefix", reader.topicPrefix)
        let window = map.read("window", reader.duration(.milliseconds(100)...(.seconds(60))))
        let publish = map.read("publish", reader.word(Publish.allCases.map(\.rawValue)))
        let offset = map.read("offset_db", reader.integer(-40...40))
        let itemsFile = map.read("items", reader.path)
        let items = itemsFile.map { ItemsFile.load($0, namedAt: map.valuePlace("items"), reader, judgesKeys: true) }
        let keys = map.read("keys", reader.keyFolder)
        let reactions = ReactionsSection(reader, topicPrefix: prefix ?? "whereabouts")
        let regions = map.read("regions", RegionsSection.getter(reader, reactions))
        map.read("reactions", reactions.items)
        let alerts = map.read("alerts", AlertsSection.getter(reader))
        let outputs = map.read("outputs", reader.switches(Output.allCases.map(\.rawValue)))
        let homeAssistant = map.read(
            "home_assistant", HomeAssistantSettings.getter(reader, keys: HomeAssistantSettings.agentKeys))
        HomeAssistantSettings.warnIfUnused(map, outputs, reader)
        let web = map.read("web", WebSettings.getter(reader))
        let state = map.read("state", reader.writtenFile)
        let log = map.read("log", reader.word(ConfigurationReader.logFormats))
        let radio = map.read("radio", RadioSettings.getter(reader))
        let systems = [Output.espresense, .mqttRoom].map(\.rawValue)
        let neighbours = map.read(
            "neighbours",
            NeighboursSettings.getter(reader, systems: systems, hasAliases: false, prefix: prefix ?? "whereabouts"))
        guard let node, let mqtt else { return nil }
        var configuration = AgentConfiguration(
            node: node, room: room ?? node, source: source ?? .hci(adapter: "auto"), mqtt: mqtt,
            topicPrefix: prefix ?? "whereabouts", window: window ?? .seconds(1),
            publish: publish.flatMap(Publish.init(rawValue:)) ?? .registered, itemsFile: itemsFile, items: items ?? [],
            regions: regions ?? [], outputs: Set((outputs ?? []).compactMap(Output.init(rawValue:))), web: web,
            state: state)
        configuration.keyFolders = [keys, reader.credentialsFolder.map { $0 + "/" }].compactMap { $0 }
        configuration.offset = offset ?? 0
        configuration.neighbours = neighbours ?? NeighboursSettings()
        configuration.radio = radio ?? RadioSettings()
        configuration.homeAssistant = homeAssistant ?? HomeAssistantSettings()
        configuration.alerts = alerts ?? []
        configuration.reactions = reactions.found
        configuration.logsJSON = log == "json"
        return configuration
    }
}
