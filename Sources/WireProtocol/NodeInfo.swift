public import Bytes

/// The identity, build and settings of a node; retained.
public struct NodeInfo: Hashable, Sendable {
    /// The program's version: of one that was installed from a Debian package that of the package, such as `0.1.0-989`.
    public var version: String
    /// The node's room.
    public var room: String
    /// The source of its packets, such as `hci0` or `replay`.
    public var adapter: String
    /// The adapter's own address; nil if it has none.
    public var address: String?
    /// The features of its controller and build, such as `extended`.
    public var features: [String]
    /// The start time of the program.
    public var started: Timestamp
    /// Its epoch.
    public var epoch: String
    /// Its window length in seconds.
    public var window: Double
    /// True if it publishes all beacons, false for registered ones only.
    public var publishesAll: Bool
    /// Seconds of silence after which regions are left that have no exit time of their own; nil if that is learned.
    public var exitAfter: Double?
    /// Decibels that it adds to every level its adapter reports.
    public var offset = 0
    /// The keys of those settings that a `set` command has overridden.
    public var overridden: [String] = []
    /// The digest of its registry.
    public var registry: String
    /// Items with a key that the node lacks, the first of them by id.
    public var missingKeys: [String]
    /// The number of further such items.
    public var missingKeysLeftOut = 0
    /// Entries of the registry that it rejects, the first of them by id.
    public var refused: [RefusedEntry] = []
    /// The number of further rejected entries.
    public var refusedLeftOut = 0
    /// Problems that will soon prevent its connection to the broker, such as a certificate that expires, a sentence
    /// each; at most eight.
    public var problems: [String] = []
    /// The node's clock if it replays or simulates.
    public var clock: NodeClock?
    /// The status of its radio; nil if it has none.
    public var radio: RadioStatus?
    /// The prefix of ESPresense's topics, if the node publishes on them; nil if it doesn't. A reader of the node's last
    /// will publishes its absence there.
    public var espresense: String?
    /// The area that it suggests to Home Assistant, if its configuration names one.
    public var area: String?
    /// A Boolean value that is true if its own status is read back; false if the broker accepts its messages and drops
    /// them.
    public var isStatusReadBack = true
    /// The last upgrade by command; nil if this node can't be upgraded so.
    public var upgrade: UpgradeReport?

    /// The identity, build and settings of a node; features and missing keys are empty until set.
    public init(
        version: String, room: String, adapter: String, started: Timestamp, epoch: String, window: Double,
        publishesAll: Bool, registry: String
    ) {
        self.version = version
        self.room = room
        self.adapter = adapter
        self.features = []
        self.started = started
        self.epoch = epoch
        self.window = window
        self.publishesAll = publishesAll
        self.registry = registry
        self.missingKeys = []
    }
}

extension NodeInfo {
    static let payloadLimit = 65_536
    /// The maximum number of published problems.
    static let problemBound = 8

    /// Writes the payload of a `nodes/<node>/info` topic.
    public func write(to json: inout JSONWriter) { writeObject(to: &json) }

    /// Reads such a payload. Unknown keys are ignored.
    public init(payload: Span<UInt8>) throws(PayloadFault) {
        try self.init(payload: payload, limit: Self.payloadLimit)
    }
}

extension NodeInfo: WireObject {
    static var blank: Self {
        Self(
            version: "", room: "", adapter: "", started: Timestamp(microseconds: 0), epoch: "", window: 1,
            publishesAll: false, registry: "")
    }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        fields.version()
        try fields.field("version", &version)
        try fields.field("room", &room, where: Identifier.isValid)
        try fields.field("adapter", &adapter)
        try fields.field("address", &address)
        try fields.field("features", &features)
        try fields.field("started", &started)
        try fields.required("epoch", &epoch, where: Identifier.isEpoch)
        try fields.object("settings") { fields throws(Fields.Fault) in try visitSettings(&fields) }
        try fields.field("registry", &registry)
        try fields.field("missing_keys", &missingKeys)
        try fields.field("missing_keys_left_out", &missingKeysLeftOut, unless: 0)
        try fields.field("refused", &refused)
        try fields.field("refused_left_out", &refusedLeftOut, unless: 0)
        problems = Array(problems.prefix(Self.problemBound))
        try fields.field("problems", &problems, unless: [])
        try fields.field("clock", &clock)
        try fields.field("radio", &radio)
        try fields.field("espresense", &espresense) { TopicFilter.isValidTopic($0) && $0.utf8.count <= 128 }
        try fields.field("area", &area)
        try fields.field("status_read_back", &isStatusReadBack, unless: true)
        try fields.field("upgrade", &upgrade)
    }

    @_lifetime(fields: copy fields)
    private mutating func visitSettings<Fields: WireFields & ~Escapable>(
        _ fields: inout Fields
    ) throws(Fields.Fault) {
        var published = publishesAll ? "all" : "registered"
        var decibels = Double(offset)
        try fields.number("window", &window, decimals: 3) { (0.001...Window.longest.seconds).contains($0) }
        try fields.field("publish", &published)
        try fields.number("exit_after", &exitAfter, decimals: 3)
        try fields.number("offset_db", &decibels, decimals: 0)
        try fields.field("overridden", &overridden)
        publishesAll = published == "all"
        offset = Int(min(max(decibels, -1000), 1000))
    }
}
