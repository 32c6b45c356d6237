public import Bytes

/// A fuser's claim, published every three seconds: its shards, and its state.
///
/// A shard is served by the fuser with the lowest name that is alive and not starting; among the members of a pool by the first
/// in the shard's order that is ready for it.
public struct Claim: Hashable, Sendable {
    /// The state of a fuser.
    public enum State: String, Hashable, Sendable {
        /// It publishes the locations of the items of some of its shards.
        case serving
        /// It follows, and publishes nothing while another serves.
        case standby
        /// It has not followed for long enough, and doesn't count yet.
        case starting
    }

    /// Counters of a fuser for nodes of other systems, since its start except for `nodes`.
    public struct Neighbours: Hashable, Sendable {
        /// The nodes in the table now.
        public var nodes = 0
        /// Readings of beacons that are no items.
        public var strangers: UInt64 = 0
        /// Readings and names left out for lack of room.
        public var leftOut: UInt64 = 0
        /// Nodes that were silent for long and replaced by new ones.
        public var letGo: UInt64 = 0

        /// All zero.
        public init() {}
    }

    /// The shards it is there for.
    public var shards: ClosedRange<UInt8>
    /// The fuser's state.
    public var state: State
    /// Its epoch.
    public var epoch: String
    /// The number of its last event in this epoch; 0 before the first.
    public var lastEvent: UInt64
    /// The program's version, that of its Debian package where it was installed from one; nil of a fuser from before it was published.
    public var version: String?
    /// The settings that a command can change; nil of a fuser that takes no such command.
    public var settings: FuserSettings?
    /// The number of this claim in the fuser's run. A reader of its own claims derives their age from it.
    public var seq: UInt64
    /// The shards for which a member of a pool has followed for long enough; nil for a fuser that is in no pool.
    public var ready: ShardSet?
    /// The shards that a member of a pool serves; nil for a fuser that is in no pool.
    public var serves: ShardSet?
    /// The items of the lessons in progress; at most 16.
    public var teaching: [String] = []
    /// Problems that prevent its work, such as a denied subscription, a sentence each; at most `problemLimit`.
    public var problems: [String] = []
    /// The counters for nodes of other systems; nil if it doesn't subscribe to any.
    public var neighbours: Neighbours?

    /// A claim by all its values.
    public init(shards: ClosedRange<UInt8>, state: State, epoch: String, lastEvent: UInt64, seq: UInt64) {
        self.shards = shards
        self.state = state
        self.epoch = epoch
        self.lastEvent = lastEvent
        self.seq = seq
    }
}

extension Claim: WirePayload {
    static let payloadLimit = 4096
    /// The maximum number of lessons that a claim names.
    public static let teachingLimit = 16
    /// The maximum number of problems that a claim names.
    public static let problemLimit = 8

    /// Writes the payload of a `fuser/<name>/claim` topic.
    public func write(to json: inout JSONWriter) { writeObject(to: &json) }

    /// Reads such a payload. Unknown keys are ignored.
    public init(payload: Span<UInt8>) throws(PayloadFault) {
        try self.init(payload: payload, limit: Self.payloadLimit)
    }

    /// The text of a range of shards: `00-ff`.
    public static func text(_ shards: ClosedRange<UInt8>) -> String {
        "\(Hex.text(shards.lowerBound, digits: 2))-\(Hex.text(shards.upperBound, digits: 2))"
    }

    /// The range of a text such as `00-ff`, or `0a` for a single shard; nil for any other text.
    public static func shards(_ text: some StringProtocol) -> ClosedRange<UInt8>? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Hex.bytes($0) ?? [] }
        guard (1...2).contains(ends.count), ends.allSatisfy({ $0.count == 1 }), ends[0][0] <= ends[ends.count - 1][0]
        else { return nil }
        return ends[0][0]...ends[ends.count - 1][0]
    }
}

extension Claim: WireObject {
    static var blank: Self { Self(shards: 0...0, state: .starting, epoch: "", lastEvent: 0, seq: 0) }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        fields.version()
        try fields.required("shards", &shards, unknown: PayloadFault.outOfRange)
        try fields.required("state", &state, unknown: PayloadFault.outOfRange)
        try fields.required("epoch", &epoch, where: Identifier.isEpoch)
        try fields.field("last_event", &lastEvent, where: { $0 <= ItemEvent.latest })
        try fields.field("seq", &seq)
        try fields.field("version", &version)
        try fields.field("settings", &settings)
        try fields.field("ready", &ready)
        try fields.field("serves", &serves)
        try fields.field("teaching", &teaching, unless: []) {
            $0.count <= Self.teachingLimit && $0.allSatisfy(Identifier.isValid)
        }
        problems = Array(problems.prefix(Self.problemLimit))
        try fields.field("problems", &problems, unless: [])
        try fields.field("neighbours", &neighbours)
    }
}

extension Claim.State: WireValue {}

/// A range of shards.
extension ClosedRange<UInt8>: WireValue {
    func write(to json: inout JSONWriter) { json.value(Claim.text(self)) }

    @_lifetime(json: copy json)
    static func read(from json: inout JSONReader) throws(JSONFault) -> Self? { Claim.shards(try json.string()) }
}

extension Claim.Neighbours: WireObject {
    static var blank: Self { Self() }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        try fields.field("nodes", &nodes)
        try fields.field("strangers", &strangers)
        try fields.field("left_out", &leftOut)
        try fields.field("let_go", &letGo)
    }
}
