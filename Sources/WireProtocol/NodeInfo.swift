public import Bytes

/// The identity, build and settings of a node; retained.
public struct NodeInfo: Hashable, Sendable {
    /// The program's version.
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
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("v", Window.version)
        json.field("version", version)
        json.field("room", room)
        json.field("adapter", adapter)
        json.field("address", address)
        json.beginArray("features")
        for feature in features { json.value(feature) }
        json.endArray()
        json.field("started", started)
        json.field("epoch", epoch)
        json.beginObject("settings")
        json.field("window", window, decimals: 3)
        json.field("publish", publishesAll ? "all" : "registered")
        json.field("exit_after", exitAfter, decimals: 3)
        json.field("offset_db", offset)
        json.beginArray("overridden")
        for key in overridden { json.value(key) }
        json.endArray()
        json.endObject()
        json.field("registry", registry)
        json.beginArray("missing_keys")
        for item in missingKeys { json.value(item) }
        json.endArray()
        if missingKeysLeftOut > 0 { json.field("missing_keys_left_out", missingKeysLeftOut) }
        json.beginArray("refused")
        for entry in refused { entry.write(to: &json) }
        json.endArray()
        if refusedLeftOut > 0 { json.field("refused_left_out", refusedLeftOut) }
        if !problems.isEmpty {
            json.beginArray("problems")
            for problem in problems.prefix(Self.problemBound) { json.value(problem) }
            json.endArray()
        }
        clock?.write(to: &json)
        radio?.write(to: &json)
        json.field("espresense", espresense)
        json.field("area", area)
        if !isStatusReadBack { json.field("status_read_back", false) }
        json.endObject()
    }

    /// Reads such a payload. Unknown keys are ignored.
    public init(payload: Span<UInt8>) throws(PayloadFault) {
        var info = NodeInfo(
            version: "", room: "", adapter: "", started: Timestamp(microseconds: 0), epoch: "", window: 1,
            publishesAll: false, registry: "")
        try readPayload(payload, limit: Self.payloadLimit) { json throws(JSONFault) in
            try json.beginObject()
            while let key = try json.nextKey() {
                switch key {
                case "version": info.version = try json.string()
                case "room": info.room = try json.string()
                case "adapter": info.adapter = try json.string()
                case "address": info.address = try json.string()
                case "features": info.features = try json.strings()
                case "started": info.started = try json.time()
                case "epoch": info.epoch = try json.string()
                case "settings": try info.readSettings(&json)
                case "registry": info.registry = try json.string()
                case "missing_keys": info.missingKeys = try json.strings()
                case "missing_keys_left_out": info.missingKeysLeftOut = try json.integer(Int.self)
                case "refused":
                    try json.beginArray()
                    while try json.nextElement() { info.refused.append(try RefusedEntry.read(from: &json)) }
                case "problems": info.problems = Array(try json.strings().prefix(Self.problemBound))
                case "refused_left_out": info.refusedLeftOut = try json.integer(Int.self)
                case "clock": info.clock = try NodeClock.read(from: &json)
                case "radio": info.radio = try RadioStatus.read(from: &json)
                case "espresense": info.espresense = try json.string()
                case "area": info.area = try json.string()
                case "status_read_back": info.isStatusReadBack = try json.boolean()
                default: try json.skip()
                }
            }
        }
        guard !info.epoch.isEmpty else { throw .missing("epoch") }
        guard Identifier.isEpoch(info.epoch) else { throw .outOfRange("epoch") }
        guard Identifier.isValid(info.room) else { throw .outOfRange("room") }
        guard info.espresense.map({ TopicFilter.isValidTopic($0) && $0.utf8.count <= 128 }) ?? true else {
            throw .outOfRange("espresense")
        }
        guard (0.001...Double(Window.longest) / 1e6).contains(info.window) else { throw .outOfRange("window") }
        self = info
    }

    private mutating func readSettings(_ json: inout JSONReader) throws(JSONFault) {
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "window": window = try json.number()
            case "publish": publishesAll = try json.string() == "all"
            case "exit_after": exitAfter = try json.number()
            case "offset_db": offset = Int(min(max(try json.number(), -1000), 1000))
            case "overridden": overridden = try json.strings()
            default: try json.skip()
            }
        }
    }
}

extension JSONReader {
    /// An array of strings.
    @_lifetime(self: copy self)
    mutating func strings() throws(JSONFault) -> [String] {
        var strings: [String] = []
        try beginArray()
        while try nextElement() { strings.append(try string()) }
        return strings
    }
}
