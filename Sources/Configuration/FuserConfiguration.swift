public import Alerts
public import Identity
public import WireProtocol

/// The configuration file of a fuser.
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
        /// The room's floor (`floor`).
        public var floor: String?
        /// Its outline, empty or at least three corners (`polygon`).
        public var polygon: [Point]
        /// The adjacent rooms behind a door (`next_to`).
        public var nextTo: [String]
    }

    /// The place of a node.
    public struct Node: Hashable, Sendable {
        /// Its id.
        public var id: String
        /// Its room; nil if the node publishes it (`room`).
        public var room: String?
        /// Its place in metres; nil unless `x` and `y` are given, `z` is 0 by default.
        public var position: Position?

        /// A point in the house's own axes, in metres.
        public struct Position: Hashable, Sendable {
            /// Metres along each axis.
            public var x, y, z: Double
        }
    }

    /// An additional form of publication (`outputs`).
    public enum Output: String, CaseIterable, Sendable {
        case homeAssistant = "home_assistant"
        case mqttRoom = "mqtt_room"
    }

    /// Readings of other programs that are used (`inputs`).
    public enum Input: String, CaseIterable, Sendable {
        case espresense, theengs
        case mqttRoom = "mqtt_room"
        case raddec
    }

    /// The shards that a fuser is there for.
    public enum Shards: Hashable, Sendable {
        /// These.
        case range(ClosedRange<UInt8>)
        /// Those that fall to it as a member of a pool (`shared`).
        case shared

        /// All shards that may ever be its own.
        public var range: ClosedRange<UInt8> {
            switch self {
            case .range(let range): range
            case .shared: 0...255
            }
        }
    }

    /// The fuser's id, default `main` (`name`).
    public var name: String
    /// The broker (`mqtt`).
    public var mqtt: MQTTSettings
    /// The beginning of all topics, default `whereabouts` (`topic_prefix`).
    public var topicPrefix: String
    /// The rooms; empty if the nodes publish them (`rooms`).
    public var rooms: [Room]
    /// The places of nodes; empty if they publish their rooms (`nodes`).
    public var nodes: [Node]
    /// The items file (`items`).
    public var itemsFile: String?
    /// The content of the items file.
    public var items: [Item]
    /// Silence after which an item is away, 1 s to 24 h, default 60 s (`away_after`).
    public var awayAfter: Duration
    /// The shards that this fuser serves, default all (`shards`).
    public var shards: Shards
    /// The enabled inputs (`inputs`).
    public var inputs: Set<Input>
    /// The enabled outputs (`outputs`).
    public var outputs: Set<Output>
    /// The settings of the output for Home Assistant (`home_assistant`).
    public var homeAssistant = HomeAssistantSettings()
    /// The topics of other systems, and their names for items (`neighbours`).
    public var neighbours = NeighboursSettings()
    /// The page (`web`).
    public var web: PageSettings?
    /// The state database (`state`).
    public var state: String?
    /// The alert rules (`alerts`).
    public var alerts: [AlertRule] = []
    /// True if items whose identity several transmitters send are detected, default true (`detect_clones`).
    public var detectsClones = true
    /// The persons with their items (`persons`).
    public var persons: [Person] = []
    /// The time for which visits are retained, 1 h to 10 years, default 30 days (`history`, or `keep` of it).
    public var history: Duration
    /// The time for which the audit is retained, 30 days to 10 years, default 400 days (`history.audit`).
    public var auditAge: Duration = .seconds(400 * 86400)
    /// The database that has the long history as well (`history.postgres`).
    public var postgres: PostgresSettings?
    /// True if the log is lines of JSON (`log: json`).
    public var logsJSON = false
    /// The given keys of rooms and nodes that have no effect.
    public var withoutEffect: [String] = []
    /// The warnings, which don't prevent a start.
    public var warnings: [ConfigurationFault] = []

    /// The environment variables that set single keys.
    public static var variables: [String] { paths.map(EnvironmentOverrides.variable) }

    static let paths = Array(pathsBySection.joined())
    private static let pathsBySection: [[String]] = [
        [
            "name", "topic_prefix", "items", "away_after", "shards", "state", "history", "history.keep",
            "history.audit", "log", "detect_clones",
        ],
        HistorySection.postgresKeys,
        MQTTSettings.keys.map { "mqtt.\($0)" },
        Output.allCases.map { "outputs.\($0.rawValue)" },
        Input.allCases.map { "inputs.\($0.rawValue)" },
        PageSettings.keys.map { "web.\($0)" },
        HomeAssistantSettings.fuserKeys.map { "home_assistant.\($0)" },
    ]

    /// Reads a file, with overrides by the environment; throws with every fault at once.
    ///
    /// Also reads the files that it names.
    public static func load(
        path: String, environment: [String: String]
    ) throws(ConfigurationFaults) -> FuserConfiguration {
        let reader = ConfigurationReader(environment: environment)
        return try load(reader.tree(file: path), environment, reader)
    }

    /// Reads a text, whose paths are relative to the folder of `file`.
    ///
    /// - Parameter opensFiles: true to open the files that it names; otherwise secrets and items are empty.
    public static func load(
        text: String, file: String, environment: [String: String] = [:], opensFiles: Bool = true
    ) throws(ConfigurationFaults) -> FuserConfiguration {
        try load(
            bytes: Array(text.utf8), file: file, environment: environment, opensFiles: opensFiles)
    }

    /// Reads bytes, whose paths are relative to the folder of `file`.
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
                environment, to: &root, paths: paths, elsewhere: AgentConfiguration.paths,
                shorthands: ["history": "keep"], reader)
            configuration = reader.map { read($0, reader) }(root)
            let withoutEffect = configuration?.placesWithoutEffect ?? []
            configuration?.withoutEffect = withoutEffect
        }
        try reader.check()
        guard var configuration else { throw ConfigurationFaults([]) }
        configuration.warnings = reader.warnings
        return configuration
    }

    /// The given keys of rooms and nodes that have no effect.
    private var placesWithoutEffect: [String] {
        // The page draws them, whatever else they are good for.
        guard web == nil else { return [] }
        guard rooms.contains(where: { !$0.polygon.isEmpty }) else { return undrawnPlacesWithoutEffect }
        if let undrawn = rooms.first(where: { $0.polygon.isEmpty }) {
            return ["polygon of rooms, since '\(undrawn.id)' has none"] + undrawnPlacesWithoutEffect
        }
        guard nodes.count(where: { $0.position != nil }) < Self.leastPlaces else { return [] }
        return ["polygon of rooms, since fewer than \(Self.leastPlaces) nodes have x and y"]
    }

    /// Those of nodes, unless every room has an outline.
    private var undrawnPlacesWithoutEffect: [String] {
        let placed = nodes.filter { $0.position != nil }
        guard !placed.isEmpty else { return [] }
        // A node without a room may be in any.
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

    /// The fewest nodes with a place, and the fewest rooms with nodes, for which places have an effect.
    private static let leastPlaces = 3
    /// The difference of the nodes' heights in metres above which they are on several floors.
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
        let detectsClones = map.read("detect_clones", reader.boolean)
        let shards = map.read("shards", HouseSections.shards(reader))
        let inputs = map.read("inputs", reader.switches(Input.allCases.map(\.rawValue)))
        let outputs = map.read("outputs", reader.switches(Output.allCases.map(\.rawValue)))
        let homeAssistant = map.read(
            "home_assistant", HomeAssistantSettings.getter(reader, keys: HomeAssistantSettings.fuserKeys))
        HomeAssistantSettings.warnIfUnused(map, outputs, reader)
        let web = map.read("web", PageSettings.getter(reader))
        let state = map.read("state", reader.writtenFile)
        let history = map.read("history", HistorySection.getter(reader))
        if history?.postgres != nil, !map.has("state") {
            reader.fault(
                map.valuePlace("history"),
                "'postgres' needs 'state': that file holds what PostgreSQL has not got yet; give one, such as "
                    + "/var/lib/whereabouts/fuser.sqlite")
        }
        let log = map.read("log", reader.word(ConfigurationReader.logFormats))
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
            shards: shards ?? .range(0...255), inputs: Set((inputs ?? []).compactMap(Input.init(rawValue:))),
            outputs: Set((outputs ?? []).compactMap(Output.init(rawValue:))), web: web, state: state,
            alerts: alerts ?? [], persons: persons ?? [], history: history?.keep ?? .seconds(30 * 86400))
        configuration.detectsClones = detectsClones ?? true
        configuration.postgres = history?.postgres
        configuration.auditAge = history?.audit ?? configuration.auditAge
        configuration.homeAssistant = homeAssistant ?? HomeAssistantSettings()
        configuration.neighbours = neighbours ?? NeighboursSettings()
        configuration.logsJSON = log == "json"
        return configuration
    }
}
