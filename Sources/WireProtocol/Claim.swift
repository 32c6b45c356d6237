public import Bytes

/// A fuser's claim, published every three seconds: its shards, and its state.
///
/// A shard is served by the fuser with the lowest name that is alive and not starting.
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
    /// The number of this claim in the fuser's run. A reader of its own claims derives their age from it.
    public var seq: UInt64
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
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("v", Window.version)
        json.field("shards", Self.text(shards))
        json.field("state", state.rawValue)
        json.field("epoch", epoch)
        json.field("last_event", lastEvent)
        json.field("seq", seq)
        if !teaching.isEmpty {
            json.beginArray("teaching")
            for item in teaching { json.value(item) }
            json.endArray()
        }
        if !problems.isEmpty {
            json.beginArray("problems")
            for problem in problems.prefix(Self.problemLimit) { json.value(problem) }
            json.endArray()
        }
        if let neighbours {
            json.beginObject("neighbours")
            json.field("nodes", neighbours.nodes)
            json.field("strangers", neighbours.strangers)
            json.field("left_out", neighbours.leftOut)
            json.field("let_go", neighbours.letGo)
            json.endObject()
        }
        json.endObject()
    }

    /// Reads such a payload. Unknown keys are ignored.
    public init(payload: Span<UInt8>) throws(PayloadFault) {
        var shards: String?
        var state: String?
        var epoch: String?
        var lastEvent: UInt64 = 0
        var seq: UInt64 = 0
        var teaching: [String] = []
        var problems: [String] = []
        var neighbours: Neighbours?
        try readPayload(payload, limit: Self.payloadLimit) { json throws(JSONFault) in
            try json.beginObject()
            while let key = try json.nextKey() {
                switch key {
                case "shards": shards = try json.string()
                case "state": state = try json.string()
                case "epoch": epoch = try json.string()
                case "last_event": lastEvent = try json.integer(UInt64.self)
                case "seq": seq = try json.integer(UInt64.self)
                case "teaching": teaching = try json.strings()
                case "problems": problems = Array(try json.strings().prefix(Self.problemLimit))
                case "neighbours": neighbours = try Neighbours(&json)
                default: try json.skip()
                }
            }
        }
        guard let range = Self.shards(try require(shards, "shards")) else { throw .outOfRange("shards") }
        guard let known = State(rawValue: try require(state, "state")) else { throw .outOfRange("state") }
        let id = try require(epoch, "epoch")
        guard Identifier.isEpoch(id) else { throw .outOfRange("epoch") }
        guard teaching.count <= Self.teachingLimit, teaching.allSatisfy(Identifier.isValid) else {
            throw .outOfRange("teaching")
        }
        self.init(shards: range, state: known, epoch: id, lastEvent: lastEvent, seq: seq)
        self.teaching = teaching
        self.problems = problems
        self.neighbours = neighbours
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

extension Claim.Neighbours {
    fileprivate init(_ json: inout JSONReader) throws(JSONFault) {
        self.init()
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "nodes": nodes = try json.integer(Int.self)
            case "strangers": strangers = try json.integer(UInt64.self)
            case "left_out": leftOut = try json.integer(UInt64.self)
            case "let_go": letGo = try json.integer(UInt64.self)
            default: try json.skip()
            }
        }
    }
}
