public import Bytes
internal import Crypto

/// Rows of the audit of a fuser: who changed what, when and from where.
public struct AuditReport: Hashable, Sendable {
    /// A change.
    public struct Entry: Hashable, Sendable {
        /// Its number with the fuser.
        public var number: UInt64
        /// The time of the change; of several, that of the last.
        public var at: Timestamp
        /// The user, and the user's role; empty where they are not known.
        public var user: String, role: String
        /// The address, host or gateway that it came from; empty where that is not known.
        public var address: String
        /// The method and path of a request of the page, `MQTT` and the topic, `reload` or `restore`.
        public var method: String, path: String
        /// The status of the answer.
        public var status: Int
        /// The name of the change, the same at all fusers that saw it; empty for a row of an earlier version.
        public var change = ""
        /// The proof of the user: `page`, `broker`, `machine`, or `sender` if it is the sender's word.
        public var proof = ""
        /// The action.
        public var action = ""
        /// The item or person, or `node/`, `fuser/` or `floor/` and the name; nil for none.
        public var subject: String?
        /// The values before and after it, as JSON.
        public var before: String?, after: String?
        /// The time of the purge that erased these values.
        public var erased: Timestamp?
        /// The number of equal changes that it counts, with the value before the first and that after the last.
        public var times = 1
        /// The time of the first of them; nil for one.
        public var since: Timestamp?

        /// A change by the values that each has.
        public init(
            number: UInt64, at: Timestamp, user: String, role: String, address: String, method: String, path: String,
            status: Int
        ) {
            (self.number, self.at, self.user, self.role) = (number, at, user, role)
            (self.address, self.method, self.path, self.status) = (address, method, path, status)
        }
    }

    /// The most entries of an answer, and the bytes of values after which it has no further one.
    public static let limit = 200, byteLimit = 1 << 18

    /// The changes, in the order of their numbers.
    public var entries: [Entry] = []
    /// The number after which a client continues; nil if this is all.
    public var next: UInt64?

    /// No changes.
    public init() {}

    /// The name of a change that a message makes, the same for all who receive it.
    ///
    /// - Parameters:
    ///   - topic: the topic without the prefix.
    ///   - time: the time of a message that may be sent again for another change, by its minute; nil for one that is dated.
    public static func name(of topic: String, _ payload: [UInt8], at time: Timestamp?) -> String {
        let minute = time.map { "\($0.microseconds / 60_000_000)" } ?? ""
        return SHA256.hex((Array("\(topic)\n\(minute)\n".utf8) + payload).span, digits: 32)
    }

    /// A value of a change as it is recorded: JSON that is too long is named by its length and digest.
    public static func value(_ payload: [UInt8]) -> String {
        if payload.count <= valueLimit { return String(decoding: payload, as: UTF8.self) }
        return "{\"bytes\":\(payload.count),\"sha256\":\"\(digest(payload))\"}"
    }

    /// The digest by which a value is named that is not recorded.
    public static func digest(_ payload: [UInt8]) -> String { SHA256.hex(payload.span, digits: 64) }

    /// The longest value that is recorded whole, in bytes.
    public static let valueLimit = 4096
}

extension AuditReport: WireObject {
    static var blank: Self { Self() }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        try fields.field("changes", &entries)
        try fields.field("next", &next)
    }
}

extension AuditReport.Entry: WireObject {
    static var blank: Self {
        Self(
            number: 0, at: Timestamp(microseconds: 0), user: "", role: "", address: "", method: "", path: "", status: 0)
    }

    /// Writes the keys into an open object.
    public func writeKeys(to json: inout JSONWriter) { writeFields(to: &json) }

    @_lifetime(fields: copy fields)
    mutating func visitFields<Fields: WireFields & ~Escapable>(_ fields: inout Fields) throws(Fields.Fault) {
        try fields.field("number", &number)
        try fields.field("at", &at)
        try fields.field("user", &user)
        try fields.field("role", &role)
        try fields.field("address", &address)
        try fields.field("method", &method)
        try fields.field("path", &path)
        try fields.field("status", &status)
        try fields.field("change", &change, unless: "")
        try fields.field("proof", &proof, unless: "")
        try fields.field("action", &action, unless: "")
        try fields.field("subject", &subject)
        try fields.field("before", &before)
        try fields.field("after", &after)
        try fields.field("erased", &erased)
        try fields.field("times", &times, unless: 1)
        try fields.field("since", &since)
    }
}
