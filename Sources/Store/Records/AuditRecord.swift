public import Bytes

/// A change that somebody made by a fuser's page.
public struct AuditRecord: Hashable, Sendable {
    /// Its place in the audit, from 1 on; later rows have higher numbers.
    public var number: UInt64
    /// The time of the change.
    public var at: Timestamp
    /// The user, as far as it is known.
    public var user: String
    /// The role of the user.
    public var role: String
    /// The address that the request came from.
    public var peer: String
    /// The request's method and path.
    public var method: String, path: String
    /// The status of the answer.
    public var status: Int

    /// A row by all its values.
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
