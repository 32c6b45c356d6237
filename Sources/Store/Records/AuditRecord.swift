public import Bytes

/// A change that somebody made: a row of the audit, which is append-only.
public struct AuditRecord: Hashable, Sendable {
    /// Its place in the audit, from 1 on; later rows have higher numbers.
    public var number: UInt64
    /// The time of the change; of several, that of the last.
    public var at: Timestamp
    /// The user, as far as it is known; empty otherwise.
    public var user: String
    /// The role of the user; empty where it is not known.
    public var role: String
    /// The place that the change came from: an address, a host or a gateway; empty where it is not known.
    public var peer: String
    /// The request's method and path, or `MQTT` and the topic.
    public var method: String, path: String
    /// The status of the answer.
    public var status: Int
    /// The name of the change, the same at all fusers that saw it; empty for a row of an earlier version.
    public var change = ""
    /// The proof of the user: `page`, `broker`, `machine`, or `sender` if it is the sender's word; empty for none.
    public var proof = "page"
    /// The action, such as `item.set`; empty for a row of an earlier version.
    public var action = ""
    /// The item or person that it is about, or `node/`, `fuser/` or `floor/` and the name; nil for none.
    public var subject: String?
    /// The values before and after it, as JSON; nil for none, and where a purge has erased them.
    public var before: String?, after: String?
    /// The time of the purge that erased the values; nil for none.
    public var erased: Timestamp?
    /// The number of equal changes that the row counts, with the value before the first and that after the last.
    public var times = 1
    /// The time of the first of them; nil for one.
    public var since: Timestamp?

    /// A row by the values that each has.
    public init(
        number: UInt64, at: Timestamp, user: String, role: String, peer: String, method: String, path: String,
        status: Int
    ) {
        self.number = number
        self.at = at
        self.user = user
        self.role = role
        self.peer = peer
        self.method = method
        self.path = path
        self.status = status
    }
}
