public import Bytes

/// A rollout of settings or of a version, on `fleet/rollout` while it runs: by whom, until when, and what its nodes and
/// fusers had before.
///
/// It is renewed while it runs. One whose end has passed was interrupted, and what it changed can be given back.
public struct Rollout: Hashable, Sendable {
    /// A node that the rollout has changed, or is about to change.
    public struct Node: Hashable, Sendable {
        /// Its id.
        public var node: String
        /// The changes that give it back what it had.
        public var before: NodeChanges

        /// A node with its earlier settings.
        public init(node: String, before: NodeChanges) {
            self.node = node
            self.before = before
        }
    }

    /// A fuser that the rollout has changed, or is about to change.
    public struct Fuser: Hashable, Sendable {
        /// Its name.
        public var fuser: String
        /// The changes that give it back what it had.
        public var before: FuserChanges

        /// A fuser with its earlier settings.
        public init(fuser: String, before: FuserChanges) {
            self.fuser = fuser
            self.before = before
        }
    }

    /// The id, which no other rollout has.
    public var id: String
    /// The user that runs it.
    public var by: String
    /// The name of the machine that it runs on.
    public var host: String
    /// The time of its begin.
    public var from: Timestamp
    /// The time after which it counts as interrupted, unless it is renewed.
    public var until: Timestamp
    /// The version that it installs; nil for a rollout of settings.
    public var version: String?
    /// The nodes with other settings than before it, at most `nodeLimit`.
    public var nodes: [Node] = []
    /// The fusers with other settings than before it, at most `fuserLimit`.
    public var fusers: [Fuser] = []

    /// A rollout that has changed nothing yet.
    public init(id: String, by: String, host: String, from: Timestamp, until: Timestamp) {
        self.id = id
        self.by = by
        self.host = host
        self.from = from
        self.until = until
    }
}

extension Rollout: WirePayload {
    /// The maximum size of an accepted payload, in bytes.
    static let payloadLimit = 1 << 20
    /// The maximum number of nodes.
    public static let nodeLimit = 5000
    /// The maximum number of fusers.
    public static let fuserLimit = 256
    /// The longest names of a user and of a machine, in bytes.
    static let nameLimit = 256

    /// Writes the payload of the topic `fleet/rollout`.
    public func write(to json: inout JSONWriter) { writeObject(to: &json) }

    /// Reads such a payload. Unknown keys are ignored.
    public init(payload: Span<UInt8>) throws(PayloadFault) {
        try self.init(payload: payload, limit: Self.payloadLimit)
    }
}

extension Rollout: WireObject {
    static var blank: Self {
        let time = Timestamp(microseconds: 0)
        return Self(id: "", by: "", host: "", from: time, until: time)
    }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        fields.version()
        try fields.required("id", &id, where: Identifier.isEpoch)
        try fields.field("by", &by) { $0.utf8.count <= Self.nameLimit }
        try fields.field("host", &host) { $0.utf8.count <= Self.nameLimit }
        try fields.required("from", &from)
        try fields.required("until", &until)
        try fields.field("version", &version, where: NodeCommand.isPackageVersion)
        try fields.field("nodes", &nodes) {
            $0.count <= Self.nodeLimit && $0.allSatisfy { Identifier.isValid($0.node) }
        }
        try fields.field("fusers", &fusers, unless: []) {
            $0.count <= Self.fuserLimit && $0.allSatisfy { Identifier.isValid($0.fuser) }
        }
    }
}

extension Rollout.Node: WireObject {
    static var blank: Self { Self(node: "", before: NodeChanges()) }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        try fields.required("node", &node)
        try fields.field("before", &before)
    }
}

extension Rollout.Fuser: WireObject {
    static var blank: Self { Self(fuser: "", before: FuserChanges()) }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        try fields.required("fuser", &fuser)
        try fields.field("before", &before)
    }
}

extension NodeChanges: WireObject {
    static var blank: Self { Self() }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        try fields.change("window", &window) {
            $1.value($0.seconds, decimals: 3)
        } read: { json throws(JSONFault) in
            .seconds(try json.number(in: 0.1...60))
        }
        try fields.change("publish", &publishesAll) {
            $1.value($0 ? "all" : "registered")
        } read: { json throws(JSONFault) in
            let word = try json.string()
            return word == "all" ? true : word == "registered" ? false : nil
        }
        try fields.change("exit_after", &exitAfter) {
            $1.value($0.seconds, decimals: 6)
        } read: { json throws(JSONFault) in
            .seconds(try json.number(in: 1...86_400))
        }
        try fields.change("offset_db", &offset) {
            $1.value($0)
        } read: { json throws(JSONFault) in
            Int(try json.number(in: -40...40).rounded())
        }
    }
}
