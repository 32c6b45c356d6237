public import Alerts
public import Identity
public import WireProtocol

/// What a fuser's file says.
public struct FuserConfiguration: Hashable, Sendable {
    /// A room of the house.
    public struct Room: Hashable, Sendable {
        /// A corner of its outline in the house's own axes, in metres.
        public struct Point: Hashable, Sendable {
            /// Metres along each axis.
            public var x, y: Double
        }

        /// Its id (`id`).
        public var id: String
        /// Its name for people (`name`).
        public var name: String?
        /// The floor it lies on (`floor`).
        public var floor: String?
        /// Its outline, empty or at least three corners (`polygon`).
        public var polygon: [Point]
        /// The rooms that a door leads to (`next_to`).
        public var nextTo: [String]
    }

    /// Where a node stands.
    public struct Node: Hashable, Sendable {
        /// Its id.
        public var id: String
        /// Its room; nil where the node says it (`room`).
        public var room: String?
        /// Its place in metres; nil unless `x` and `y` are given, `z` is 0 where it isn't.
        public var position: Position?

        /// A point in the house's own axes, in metres.
        public struct Position: Hashable, Sendable {
            /// Metres along each axis.
            public var x, y, z: Double
        }
    }

    /// Another form of what is published (`outputs`).
    public enum Output: String, CaseIterable, Sendable {
        case homeAssistant = "home_assistant"
        case mqttRoom = "mqtt_room"
    }

    /// Other programs' readings that are taken in (`inputs`).
    public enum Input: String, CaseIterable, Sendable {
        case espresense, theengs
        case mqttRoom = "mqtt_room"
        case raddec
    }

    /// The fuser's id, default `main` (`name`).
    public var name: String
    /// The broker (`mqtt`).
    public var mqtt: MQTTSettings
    /// What all topics begin with, default `whereabouts` (`topic_prefix`).
    public var topicPrefix: String
    /// The rooms; empty where the nodes say them (`rooms`).
    public var rooms: [Room]
    /// Where nodes stand; empty where they say it themselves (`nodes`).
    public var nodes: [Node]
    /// The items file (`items`).
    public var itemsFile: String?
    /// What the items file holds.
    public var items: [Item]
    /// Silence after which an item is away, 1 s to 24 h, default 60 s (`away_after`).
    public var awayAfter: Duration
    /// The shards that this fuser serves, default all (`shards`).
    public var shards: ClosedRange<UInt8>
    /// The inputs that are on (`inputs`).
    public var inputs: Set<Input>
    /// The outputs that are on (`outputs`).
    public var outputs: Set<Output>
    /// How the output for Home Assistant tells (`home_assistant`).
    public var homeAssistant = HomeAssistantSettings()
    /// Where other systems' messages are, and what they call items (`neighbours`).
    public var neighbours = NeighboursSettings()
    /// The page (`web`).
    public var web: WebSettings?
    /// The state database (`state`).
    public var state: String?
    /// What is warned of (`alerts`).
    public var alerts: [AlertRule] = []
    /// Items that go about together (`persons`).
    public var persons: [Person] = []
    /// How long visits are kept, 1 h to 10 years, default 30 days (`history`).
    public var history: Duration
    /// Keys that are given and have no effect in this version.
    public var withoutEffect: [String] = []
    /// What is odd, and no reason to stop.
    public var warnings: [ConfigurationFault] = []

    /// The environment variables that set single keys.
    public static var variables: [String] { paths.map(EnvironmentOverrides.variable) }

    static let laterKeys = ["web"]
    static let paths =
        ["name", "topic_prefix", "items", "away_after", "shards", "state", "history"]
        + MQTTSettings.keys.map { "mqtt.\($0)" } + Output.allCases.map { "outputs.\($0.rawValue)" }
        + Input.allCases.map { "inputs.\($0.rawValue)" } + WebSettings.keys.map { "web.\($0)" }
        + HomeAssistantSettings.fuserKeys.map { "home_assistant.\($0)" }

    /// Reads a file with what the environment overrides; throws with every fault at once.
    ///
    /// Reads the files that it names as well.
    public static func load(
        path: String, environment: [String: String]
    ) throws(ConfigurationFaults) -> FuserConfiguration {
        let reader = ConfigurationReader(environment: environment)
        return try load(reader.tree(file: path), environment, reader)
    }

    /// Reads a text, whose paths are taken from the folder of `file`.
    ///
    /// - Parameter opensFiles: whether the files that it names are opened; without it secrets and items are empty.
    public static func load(
        text: String, file: String, environment: [String: String] = [:], opensFiles: Bool = true
    ) throws(ConfigurationFaults) -> FuserConfiguration {
        try load(
            bytes: Array(text.utf8), file: file, environment: environment, opensFiles: opensFiles)
    }

    /// Reads bytes, whose paths are taken from the folder of `file`.
    public static func load(
        bytes: [UInt8], file: String, environment: [String: String] = [:], opensFiles: Bool = true
    ) throws(ConfigurationFaults) -> FuserConfiguration {
        let reader = ConfigurationReader(environment: environment, opensFiles: opensFiles)
        return try load(reader.tree(bytes, file: file), environment, reader)
    }

    static func load(
        _ tree: YAMLNode?, _ environment: [String: String], _ reader: ConfigurationReader
    ) throws(ConfigurationFaults) -> FuserConfiguration {
        var configuration: FuserConfiguration?
        if var root = tree {
            EnvironmentOverrides.apply(
                environment, to: &root, paths: paths, elsewhere: AgentConfiguration.paths, reader)
            configuration = reader.map { read($0, reader) }(root)
            let later = laterKeys.filter { root[$0] != nil } + (configuration?.placesWithoutEffect ?? [])
            configuration?.withoutEffect = later
        }
        try reader.check()
        guard var configuration else { throw ConfigurationFaults([]) }
        configuration.warnings = reader.warnings
        return configuration
    }

    /// Keys of rooms and nodes that are given and that nothing is made of.
    private var placesWithoutEffect: [String] {
        guard rooms.contains(where: { !$0.polygon.isEmpty }) else { return undrawnPlacesWithoutEffect }
        if let undrawn = rooms.first(where: { $0.polygon.isEmpty }) {
            return ["polygon of rooms, since '\(undrawn.id)' has none"] + undrawnPlacesWithoutEffect
        }
        guard nodes.count(where: { $0.position != nil }) < Self.leastPlaces else { return [] }
        return ["polygon of rooms, since fewer than \(Self.leastPlaces) nodes have x and y"]
    }

    /// Those of nodes, where not each room is drawn.
    private var undrawnPlacesWithoutEffect: [String] {
        let placed = nodes.filter { $0.position != nil }
        guard !placed.isEmpty else { return [] }
        // One that doesn't say where it stands may stand anywhere.
        let places = Set(placed.compactMap(\.room)).count + placed.count { $0.room == nil }
        guard places >= Self.leastPlaces else {
            return ["x and y of nodes, since those with both stand in fewer than \(Self.leastPlaces) rooms"]
        }
        let floors = placed.compactMap(\.room).map { room in (room, rooms.first { $0.id == room }?.floor) }
        guard let (lacking, _) = floors.first(where: { $1 == nil }) else { return [] }
        if floors.contains(where: { $1 != nil }) {
            return ["x and y of nodes in '\(lacking)', since it has no floor and others have one"]
        }
        let heights = placed.compactMap(\.position?.z)
        let isTall = (heights.max() ?? 0) - (heights.min() ?? 0) > Self.storey
        return isTall ? ["x and y of nodes, since they hang on several floors and '\(lacking)' has none"] : []
    }

    /// Fewer nodes tell no place; and between fewer rooms places tell nothing.
    private static let leastPlaces = 3
    /// Nodes that are farther apart, in metres, hang on several floors.
    private static let storey = 2.3

    private static func read(_ map: MapReader, _ reader: ConfigurationReader) -> FuserConfiguration? {
        let name = map.read("name", reader.identifier)
        let mqtt = map.require("mqtt", MQTTSettings.getter(reader))
        let prefix = map.read("topic_prefix", reader.topicPrefix)
        let rooms = map.read("rooms", HouseSections.rooms(reader))
        let nodes = map.read("nodes", HouseSections.nodes(reader, in: map.has("rooms") ? rooms : nil))
        let itemsFile = map.read("items", reader.path)
        let items = itemsFile.map { ItemsFile.load($0, namedAt: map.valuePlace("items"), reader) }
        let awayAfter = map.read("away_after", reader.duration(.seconds(1)...(.seconds(86400))))
        let shards = map.read("shards", HouseSections.shards(reader))
        let inputs = map.read("inputs", reader.switches(Input.allCases.map(\.rawValue)))
        let outputs = map.read("outputs", reader.switches(Output.allCases.map(\.rawValue)))
        let homeAssistant = map.read(
            "home_assistant", HomeAssistantSettings.getter(reader, keys: HomeAssistantSettings.fuserKeys))
        HomeAssistantSettings.judge(map, outputs, reader)
        let web = map.read("web", WebSettings.getter(reader))
        let state = map.read("state", reader.writtenFile)
        let history = map.read("history", reader.duration(.seconds(3600)...(.seconds(3650 * 86400))))
        let alerts = map.read(
            "alerts",
            AlertsSection.getter(reader, kinds: AlertRule.Kind.ofHouses, in: map.has("rooms") ? rooms : nil))
        let persons = map.read("persons", PersonsSection.getter(reader, items: items ?? []))
        let systems = Input.allCases.map(\.rawValue)
        let neighbours = map.read(
            "neighbours",
            NeighboursSettings.getter(
                reader, systems: systems, hasAliases: true, prefix: prefix ?? "whereabouts",
                persons: Set((persons ?? []).map(\.id))))
        guard let mqtt else { return nil }
        var configuration = FuserConfiguration(
            name: name ?? "main", mqtt: mqtt, topicPrefix: prefix ?? "whereabouts", rooms: rooms ?? [],
            nodes: nodes ?? [], itemsFile: itemsFile, items: items ?? [], awayAfter: awayAfter ?? .seconds(60),
            shards: shards ?? 0...255, inputs: Set((inputs ?? []).compactMap(Input.init(rawValue:))),
            outputs: Set((outputs ?? []).compactMap(Output.init(rawValue:))), web: web, state: state,
            alerts: alerts ?? [], persons: persons ?? [], history: history ?? .seconds(30 * 86400))
        configuration.homeAssistant = homeAssistant ?? HomeAssistantSettings()
        configuration.neighbours = neighbours ?? NeighboursSettings()
        return configuration
    }
}
